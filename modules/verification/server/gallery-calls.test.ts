import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config/config.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { bytesOf, fieldsOf, findsOf, folderOf, readGallery } from '../../../testing/proof-vectors/gallery.ts'
import type { Row } from '../../../testing/proof-vectors/gallery.ts'
import { depsOf } from '../../../testing/proof-vectors/verify-row.ts'
import { proofReport } from '../contract/proof-report.ts'
import type { VerifyDeps } from '../domain/known/verify-deps.ts'
import type { ProofKind } from '../domain/report/proof-report.ts'
import { verifierRoutes } from './routes.ts'

/** What the installation knows while one row is asked about. */
let known: VerifyDeps = { now: () => new Date() }
const nobody = { bitcoin: [], nano: [], log: [], witnesses: [] }
let app: FastifyInstance
beforeAll(async () => {
  const clock = { now: () => known.now() }
  const headers = async (height: number) => (await known.headers?.(height)) ?? []
  app = await createHttpServer({
    config: { ...loadConfig({}), environment: 'development' },
    log: silentLog,
    secret: 's'.repeat(32),
    clock,
    routes: verifierRoutes({ clock, headers, keys: () => Promise.resolve(known.keys ?? nobody) }),
    health: {},
  })
})
afterAll(async () => await app.close())

const bodies: readonly [kind: ProofKind, url: string, body: (row: Row, bytes: Uint8Array) => Record<string, unknown>][] = [
  ['digest', '/verifier/digest/', (row) => fieldsOf(row)],
  ['bitcoin_message', '/verifier/bitcoin_signature/', (row) => fieldsOf(row)],
  ['nano_message', '/verifier/nano_signature/', (row) => fieldsOf(row)],
  [
    'chainpoint',
    '/verifier/chainpoint_proof/',
    (row, bytes) => ({
      ...fieldsOf(row),
      // JSON as it is, the binary form in base64.
      proof: bytes[0] === 0x78 ? Buffer.from(bytes).toString('base64') : new TextDecoder().decode(bytes),
    }),
  ],
  [
    'opentimestamps',
    '/verifier/chainpoint_proof/',
    (row, bytes) => ({ ...fieldsOf(row), proof: Buffer.from(bytes).toString('base64') }),
  ],
]

/** Octets that are neither form of proof are told apart by nobody: pasted, they are no Chainpoint proof. */
const otherKind: readonly string[] = ['opentimestamps another kind of file']

describe.each(bodies)('%s: POST %s', async (kind, url, bodyOf) => {
  const gallery = await readGallery(kind)
  // At which instant a signature was known to exist is asked on the page alone.
  const rows = gallery.rows.filter(({ input }) => input?.['at'] === undefined)
  test.each(rows)('P-02 answers as the gallery does: $name', async (row) => {
    known = await depsOf(kind, { ...gallery.known, ...row.known })
    const payload = bodyOf(row, await bytesOf(kind, row))
    const answer = await app.inject({ method: 'POST', url, payload })
    if (row.refused === true) {
      // By the rule of a field, or by the length of the whole body.
      expect([400, 413]).toContain(answer.statusCode)
      return
    }
    expect(answer.statusCode).toBe(200)
    const report = proofReport.parse(answer.json())
    expect(report.verdict).toBe(row.verdict)
    if (otherKind.includes(`${kind} ${row.name}`)) return
    expect(report.kind).toBe(kind)
    expect(findsOf(report, gallery, row)).toEqual(row.finds)
  })
})

describe('timestamp: POST /verifier/eidas/', async () => {
  type TimestampRow = {
    file: string
    roots?: string
    given?: string
    nonce?: string
    list?: string
    unusable?: true
    finds: Record<string, string>
  }
  const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, folderOf('timestamp'))))
  const table = JSON.parse(Buffer.from(await read('vectors.json')).toString()) as TimestampRow[]
  const grade = (finds: Record<string, string>): string =>
    Object.values(finds).some((each) => each.startsWith('failed'))
      ? 'TOTAL-FAILED'
      : Object.values(finds).some((each) => each.startsWith('indeterminate'))
        ? 'INDETERMINATE'
        : 'TOTAL-PASSED'
  // What else the verifier can be told, the call cannot.
  const rows = table.filter(
    ({ given, roots, nonce, list }) => (given === undefined || given === 'document') && (roots ?? nonce ?? list) === undefined,
  )
  test.each(rows)('P-02 concludes as its table does: $file', async ({ file, finds, unusable }) => {
    known = { now: () => new Date('2026-11-21T12:00:00Z') }
    const text = new TextDecoder().decode(await read('document.txt'))
    const trust = new TextDecoder().decode(await read('root.pem'))
    const payload = { proof: Buffer.from(await read(file)).toString('base64'), text, trust }
    const answer = await app.inject({ method: 'POST', url: '/verifier/eidas/', payload })
    expect([answer.statusCode, answer.json().verdict]).toEqual([200, unusable === true ? null : grade(finds)])
  })
})
