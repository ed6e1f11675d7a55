import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { verifyDigest } from '../domain/digest/verify-digest.ts'
import { proofReport } from '../contract/proof-report.ts'
import { verifierRoutes, type VerifierDeps } from './routes.ts'

const clock = { now: () => new Date('2026-11-21T10:00:00Z') }
let app: FastifyInstance | undefined
afterEach(async () => await app?.close())

async function server(
  environment: 'test' | 'development' = 'development',
  more: Partial<VerifierDeps> = {},
): Promise<FastifyInstance> {
  const config = loadConfig({})
  app = await createHttpServer({
    config: { ...config, environment: environment === 'test' ? 'production' : environment },
    log: silentLog,
    secret: 's'.repeat(32),
    clock,
    routes: verifierRoutes({ clock, ...more }),
    health: {},
  })
  return app
}

test('C-66, P-02 anyone has a text hashed and compared, by the same code as in the page', async () => {
  const http = await server()
  const input = { text: 'Pièce n° 3', digest: 'A3:5D' }
  const answer = await http.inject({ method: 'POST', url: '/verifier/digest/', payload: input })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(proofReport.parse(answer.json())).toEqual(JSON.parse(JSON.stringify(await verifyDigest(input, clock))))
})

test.each([
  ['V-35', '/verifier/digest/', { text: ' ' }, { text: ['verification.text_required'] }],
  ['V-35', '/verifier/digest/', {}, { text: ['verification.text_required'] }],
])('%s %s names the field that is missing', async (_, url, payload, fields) => {
  const answer = await (await server()).inject({ method: 'POST', url, payload })
  expect([answer.statusCode, (answer.json() as { fields: unknown }).fields]).toEqual([400, fields])
})

test('P-02 a flood from one network is slowed down, and says when to come back', async () => {
  const http = await server('test')
  const codes: number[] = []
  for (let i = 0; i < 40; i += 1)
    codes.push((await http.inject({ method: 'POST', url: '/verifier/digest/', payload: { text: 'a' } })).statusCode)
  expect(codes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
  expect(codes.at(-1)).toBe(429)
})
