import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { file, proof } from '../../../testing/proof-vectors/anchored-file.ts'
import { chainpointProofs } from '../../../testing/proof-vectors/chainpoint-proofs.ts'
import { concludeProof } from '../domain/dossier/concluded/conclude.ts'
import { verifyForm } from '../domain/proof/verify-form.ts'
import en from '../messages/en.json' with { type: 'json' }
import fr from '../messages/fr.json' with { type: 'json' }
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

const vector = (path: string) => readFileSync(new URL(`../domain/${path}`, import.meta.url))
const basic = JSON.parse(vector('bitcoin-message/vectors/bip-0322-basic.json').toString()).simple[1]
const oris = JSON.parse(vector('nano-message/vectors/oris-001.json').toString())
const chainpoint = chainpointProofs['version 3']
const ots = Buffer.from(proof)
const hello = createHash('sha256').update(file).digest('hex')
const token = readFileSync(new URL('../../../testing/proof-vectors/timestamp/good.tsr', import.meta.url))

const calls = [
  [
    'C-66',
    '/verifier/digest/',
    { form: 'digest', text: 'a', digest: createHash('sha256').update('a').digest('hex') },
    'TOTAL-PASSED',
  ],
  [
    'C-66',
    '/verifier/digest/',
    { form: 'digest', text: 'b', digest: createHash('sha256').update('a').digest('hex') },
    'TOTAL-FAILED',
  ],
  [
    'C-67',
    '/verifier/bitcoin_signature/',
    { form: 'bitcoin_signature', message: basic.message, signature: basic.bip322_signatures[0], address: basic.address },
    'TOTAL-PASSED',
  ],
  [
    'C-67',
    '/verifier/bitcoin_signature/',
    { form: 'bitcoin_signature', message: `${basic.message}.`, signature: basic.bip322_signatures[0], address: basic.address },
    'TOTAL-FAILED',
  ],
  [
    'C-68',
    '/verifier/nano_signature/',
    { form: 'nano_signature', message: oris.vectors[0].message, signature: oris.vectors[0].signature, account: oris.account },
    'TOTAL-PASSED',
  ],
  [
    'C-68',
    '/verifier/nano_signature/',
    { form: 'nano_signature', message: oris.vectors[0].message, signature: oris.vectors[0].signature },
    'INDETERMINATE',
  ],
  ['C-69', '/verifier/chainpoint_proof/', { form: 'chainpoint_proof', proof: chainpoint }, 'INDETERMINATE'],
  [
    'C-69',
    '/verifier/chainpoint_proof/',
    { form: 'chainpoint_proof', proof: ots.toString('base64'), digest: hello },
    'INDETERMINATE',
  ],
  [
    'C-69',
    '/verifier/chainpoint_proof/',
    { form: 'chainpoint_proof', proof: ots.toString('base64'), digest: hello.replace('0', '1') },
    'TOTAL-FAILED',
  ],
  ['C-70', '/verifier/eidas/', { form: 'eidas', proof: token.toString('base64'), digest: '00'.repeat(32) }, 'TOTAL-FAILED'],
  ['C-70', '/verifier/eidas/', { form: 'eidas', proof: token.toString('hex') }, 'INDETERMINATE'],
  ['C-70', '/verifier/eidas/', { form: 'eidas', proof: token.toString('base64'), text: 'another text' }, 'TOTAL-FAILED'],
] as const

test.each(calls)('%s, P-02 POST %s answers what the page computes: %#', async (_, url, input, verdict) => {
  const http = await server()
  const { form: _form, ...payload } = input
  const answer = await http.inject({ method: 'POST', url, payload })
  expect(answer.statusCode).toBe(200)
  const report = proofReport.parse(answer.json())
  // The page and verify.html run these very functions; nothing of the answer is the server's own.
  const own = await verifyForm(input, clock)
  expect(report).toEqual(JSON.parse(JSON.stringify({ ...own, conclusion: concludeProof(own) })))
  expect(report.conclusion.verdict).toBe(verdict)
  expect(report.verdict).toBe(verdict)
})

test('the answers are in the published description of the calls', async () => {
  const document = (await (await server()).inject('/api/docs/json')).json()
  for (const [, url] of calls) {
    const { requestBody, responses } = document.paths[url].post
    expect(requestBody.content['application/json'].schema.required.length).toBeGreaterThan(0)
    expect(Object.keys(responses['200'].content['application/json'].schema.properties)).toContain('verdict')
  }
})

test.each([
  ['V-35', '/verifier/digest/', { text: ' ' }, { text: ['verification.text_required'] }],
  ['V-35', '/verifier/digest/', {}, { text: ['verification.text_required'] }],
  ['V-36', '/verifier/bitcoin_signature/', { message: 'a' }, { signature: ['verification.signature_required'] }],
  [
    'V-37',
    '/verifier/nano_signature/',
    {},
    { message: ['verification.signature_digest_required'], signature: ['verification.signature_required'] },
  ],
  ['V-38', '/verifier/chainpoint_proof/', { proof: '' }, { proof: ['verification.proof_required'] }],
  ['V-38', '/verifier/eidas/', { proof: 12 }, { proof: ['verification.proof_required'] }],
  ['V-39', '/verifier/digest/', { text: 'a'.repeat(65_537) }, { text: ['verification.too_long'] }],
])('%s, V-39 %s names the field that is missing: %j', async (_, url, payload, fields) => {
  const answer = await (await server()).inject({ method: 'POST', url, payload })
  expect([answer.statusCode, answer.json().fields]).toEqual([400, fields])
})

test('every rule has its words in both languages', () => {
  const codes = [
    'text_required',
    'signature_required',
    'signature_digest_required',
    'proof_required',
    'too_long',
    'unknown_header',
    'took_too_long',
  ]
  for (const code of codes) for (const words of [en, fr]) expect(Object.keys(words)).toContain(`verification.${code}`)
})

test('the header of a block is answered as it is known, or said to be unknown', async () => {
  const header = Uint8Array.from({ length: 80 }, (_, i) => i)
  const http = await server('development', {
    headers: (height) => Promise.resolve(height === 7 ? [{ height, header, source: 'node' }] : []),
  })
  const known = await http.inject('/verifier/bitcoin_headers/7/')
  expect(known.json()).toEqual({ height: 7, headers: [{ header: Buffer.from(header).toString('hex'), source: 'node' }] })
  const unknown = await http.inject('/verifier/bitcoin_headers/8/')
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'verification.unknown_header'])
  expect((await http.inject('/verifier/bitcoin_headers/-1/')).statusCode).toBe(400)
})

test('hostile bodies of any shape are refused or answered, never an error of the server, and never passed', async () => {
  const http = await server()
  for (const hostile of [
    '['.repeat(60_000),
    `{"a":`.repeat(10_000),
    '\u0000'.repeat(100),
    Buffer.alloc(60_000, 0x30).toString('base64'),
    '<'.repeat(1000),
  ])
    for (const [url, payload] of [
      ['/verifier/chainpoint_proof/', { proof: hostile }],
      ['/verifier/eidas/', { proof: hostile }],
      ['/verifier/bitcoin_signature/', { message: hostile, signature: hostile.slice(0, 4000) }],
      ['/verifier/nano_signature/', { message: hostile, signature: hostile.slice(0, 4000) }],
    ] as const) {
      const answer = await http.inject({ method: 'POST', url, payload })
      expect([url, answer.statusCode]).toEqual([url, answer.statusCode === 400 ? 400 : 200])
      if (answer.statusCode === 200) expect([null, 'TOTAL-FAILED']).toContain(answer.json().verdict)
    }
  expect(
    (await http.inject({ method: 'POST', url: '/verifier/eidas/', payload: { proof: 'a'.repeat(300_000) } })).statusCode,
  ).toBe(413)
})

test('P-02 a flood from one network is slowed down, and says when to come back', async () => {
  const http = await server('test')
  const codes: number[] = []
  for (let i = 0; i < 40; i += 1)
    codes.push((await http.inject({ method: 'POST', url: '/verifier/digest/', payload: { text: 'a' } })).statusCode)
  expect(codes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
  expect(codes.at(-1)).toBe(429)
})
