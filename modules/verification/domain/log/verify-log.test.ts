import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { IntlMessageFormat } from 'intl-messageformat'
import { assert, property, string, uint8Array } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { proofWords as en } from '../../messages/proof-words.en.ts'
import { proofWords as fr } from '../../messages/proof-words.fr.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { logChecks, logProofFile } from './check-log.ts'
import { anchorDigestOf, logEntryOf } from './commitment.ts'
import { cosignature, cosignedMessage } from './cosignature.ts'
import { leafHash, merkleRoot, nodeHash } from '../hash/merkle.ts'
import { cosignatureType, ed25519Type, formatNote, formatVerifierKey, parseNote, parseVerifierKey, verifierKey } from './note.ts'
import type { NoteSignature, VerifierKey } from './note.ts'
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts'
import { checkpointChecks, checkpointFacts, checkpointReasons, verifyCheckpoint } from './verify-checkpoint.ts'
import { logProofChecks, logProofFacts, logProofReasons, verifyLogProof } from './verify-log-proof.ts'
import { share } from '../../../../testing/sweep.ts'

type Signer = { readonly key: VerifierKey; readonly secret: KeyObject }
function signer(name: string, type: VerifierKey['type']): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const octets = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { key: verifierKey(name, type, octets), secret: privateKey }
}
const signed = ({ key, secret }: Signer, text: string): NoteSignature => ({
  name: key.name,
  keyId: key.keyId,
  signature: new Uint8Array(sign(null, utf8(text), secret)),
})
const cosigned = ({ key, secret }: Signer, text: string, second: number) =>
  cosignature(key, second, new Uint8Array(sign(null, cosignedMessage(text, second), secret)))

const origin = 'proofs.example/log'
const log = signer(origin, ed25519Type)
const witness = signer('witness.example/w1', cosignatureType)
const other = signer('witness.example/w2', cosignatureType)
const now = new Date('2026-11-21T10:00:00Z')
const second = now.getTime() / 1000
const keys = {
  bitcoin: [],
  nano: [],
  log: [formatVerifierKey(log.key)],
  witnesses: [formatVerifierKey(witness.key), formatVerifierKey(other.key)],
}
const deps: VerifyDeps = { now: () => now, keys }

/** A log of five leaves; ours is number 2. */
const root = new Uint8Array(32).fill(7)
const salt = new Uint8Array(32).fill(9)
const entry = logEntryOf(salt, root)
const leaves = [0, 1, 2, 3, 4].map((i) => leafHash(i === 2 ? entry : Uint8Array.of(i)))
const at = (i: number) => leaves[i] ?? new Uint8Array()
const path = [at(3), nodeHash(at(0), at(1)), at(4)]
const text = formatCheckpoint({ origin, size: 5, rootHash: merkleRoot(leaves), extensions: [] })

function proofWith(change: {
  extra?: Uint8Array | null
  index?: number
  path?: readonly Uint8Array[]
  text?: string
  signatures?: readonly NoteSignature[]
}): Uint8Array {
  const body = change.text ?? text
  const checkpoint = formatNote(body, change.signatures ?? [signed(log, body), cosigned(witness, body, second - 60)])
  return formatTlogProof({ extra: salt, index: 2, path, ...change, checkpoint })
}
const good = proofWith({})
const flip = (bytes: Uint8Array, i: number) => bytes.map((octet, at) => (at === i ? octet ^ 1 : octet))

test('a proof that holds says where the entry stands, who signed, who saw it and when', async () => {
  const report = await verifyLogProof({ proof: good, root }, deps)
  expect(report.checks.map(({ id, status }) => `${id} ${status}`)).toEqual(logProofChecks.map((id) => `${id} passed`))
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.dates).toEqual([{ kind: 'log', at: '2026-11-21T09:59:00.000Z', by: 'witness.example/w1', rests_on: ['witness'] }])
  expect(report.bound).toContainEqual({ algorithm: 'sha256', hex: toHex(root), of: 'root' })
  // Each step is what anybody computes from the octets it shows.
  const steps = report.checks.flatMap(({ steps: each }) => each ?? [])
  expect(steps).toHaveLength(1 + 1 + path.length)
  for (const step of steps) expect(createHash('sha256').update(Buffer.from(step.input, 'hex')).digest('hex')).toBe(step.output)
  expect(steps.at(-1)?.output).toBe(toHex(merkleRoot(leaves)))
  expect((await verifyLogProof({ proof: good, entry }, deps)).verdict).toBe('TOTAL-PASSED')
})

test('a proof longer than any is not read', async () => {
  const report = await verifyLogProof({ proof: new Uint8Array(1 << 18), root }, deps)
  expect(report.checks).toEqual([{ id: 'form', status: 'failed', data: { reason: 'too_long' } }])
})

test('without what was sealed, or any key, there is no conclusion and no date', async () => {
  expect((await verifyLogProof({ proof: good }, deps)).dates).toEqual([])
  const stranger = await verifyLogProof({ proof: good, root }, { now: () => now })
  expect([stranger.verdict, stranger.checks.map(({ data }) => data['reason'])]).toEqual([
    'INDETERMINATE',
    [undefined, undefined, undefined, 'unknown_log', 'unknown_witness'],
  ])
})

describe('checkpoints', () => {
  const note = formatNote(text, [signed(log, text), cosigned(witness, text, second), cosigned(other, text, second - 5)])
  const earlierText = formatCheckpoint({ origin, size: 3, rootHash: merkleRoot(leaves.slice(0, 3)), extensions: [] })
  const earlier = formatNote(earlierText, [signed(log, earlierText)])
  const proof = [at(2), at(3), nodeHash(at(0), at(1)), at(4)]

  test('a checkpoint that holds names the witnesses, the first first, and what its anchor commits to', async () => {
    const report = await verifyCheckpoint({ note, earlier: { note: earlier, proof } }, deps)
    expect(report.checks.map(({ id, status }) => `${id} ${status}`)).toEqual(checkpointChecks.map((id) => `${id} passed`))
    expect(report.dates.map(({ by }) => by)).toEqual(['witness.example/w2', 'witness.example/w1'])
    const published = formatNote(text, [signed(log, text)])
    const anchor = toHex(anchorDigestOf(merkleRoot(leaves), published))
    const own = createHash('sha256').update('probant-anchor/1\n').update(merkleRoot(leaves))
    expect(anchor).toBe(own.update(createHash('sha256').update(published).digest()).digest('hex'))
    expect(report.facts).toContainEqual({ id: 'anchor_digest', value: anchor, form: 'hex' })
  })
})

test('in a package: what is absent weighs nothing, a log that nobody vouches for leaves it open, what is false fails, what holds is said with its witnesses', () => {
  const check = (proof: Uint8Array | null, known: typeof keys | undefined = keys, sealed = root) =>
    logChecks(new Map(proof === null ? [] : [[logProofFile, proof]]), sealed, { given: known, own: undefined, now })[0]
  expect(check(good)).toMatchObject({ status: 'passed', data: { origin, index: 2, size: 5, witnesses: 1 } })
  // The reader's list names other logs only: then the package's own speaks; one of the reader's that names it comes first.
  const elsewhere = { ...keys, log: [formatVerifierKey(signer('elsewhere.example', ed25519Type).key)] }
  const imposter = { ...keys, log: [formatVerifierKey(signer(origin, ed25519Type).key)] }
  const both = (given: typeof keys | undefined, own: typeof keys) => {
    const found = logChecks(new Map([[logProofFile, good]]), root, { given, own, now })[0]
    return [found?.status, found?.data['known'] ?? found?.data['reason']]
  }
  expect([both(elsewhere, keys), both(undefined, keys), both(imposter, keys), both(keys, imposter)]).toEqual([
    ['passed', 'package'],
    ['passed', 'package'],
    ['failed', 'log_checkpoint_signature'],
    ['passed', 'given'],
  ])
  expect(check(null)).toMatchObject({ status: 'indeterminate', supplementary: true, data: { reason: 'log_absent' } })
  const unknown = check(good, { ...keys, log: [] })
  expect([unknown?.status, unknown?.supplementary, unknown?.data['reason']]).toEqual([
    'indeterminate',
    undefined,
    'log_unknown_key',
  ])
  for (const [proof, reason] of [
    [utf8('x'), 'log_form'],
    [proofWith({ extra: null }), 'log_commitment'],
    [proofWith({ index: 1 }), 'log_inclusion'],
    [proofWith({ signatures: [signed({ ...log, secret: other.secret }, text)] }), 'log_checkpoint_signature'],
    [proofWith({ signatures: [signed(log, text), cosigned({ ...witness, secret: log.secret }, text, 5)] }), 'log_witnesses'],
  ] as const)
    expect(check(proof)).toMatchObject({ status: 'failed', data: { reason } })
  expect(check(good, keys, flip(root, 0))).toMatchObject({ status: 'failed', data: { reason: 'log_inclusion' } })
})

test(`${share(10_000)} altered or invented proofs and notes are answered, none of them as good`, async () => {
  const checkpointAt = Buffer.from(good).indexOf(origin)
  let different = 0
  for (let run = 0; run < share(10_000); run += 1) {
    const rng = createHash('sha256').update(`run ${run}`).digest()
    const at = rng.readUInt32BE(0) % good.length
    const altered =
      run % 4 === 0
        ? good.subarray(0, at)
        : run % 4 === 1
          ? Uint8Array.from([...good.subarray(0, at), ...rng.subarray(8, 8 + (run % 20)), ...good.subarray(at)])
          : good.map((octet, i) => (i === at ? octet ^ (1 << ((rng[4] ?? 0) % 8)) : octet))
    if (Buffer.from(altered).equals(good)) continue
    different += 1
    const parsed = parseTlogProof(altered)
    if (typeof parsed === 'string') continue
    // Signatures cost most of the time: asked only where the file can still be read.
    const report = await verifyLogProof({ proof: altered, root }, deps)
    const untouched = at >= checkpointAt && report.checks.every(({ id, status }) => status === 'passed' || id === 'witnesses')
    // A line of nobody known may change: it is ignored, as signed-note asks, and counts for nothing.
    if (untouched) expect(report.dates.length).toBe(0)
    else expect(report.verdict, `run ${run}`).not.toBe('TOTAL-PASSED')
  }
  expect(different).toBeGreaterThan(share(9_000))
  assert(
    property(uint8Array({ maxLength: 400 }), (bytes) => {
      expect(parseNote(bytes)).toBeNull()
      expect(typeof parseTlogProof(bytes)).toBe('string')
      expect(parseCheckpoint(bytes)).toBeNull()
    }),
    { numRuns: share(5000) },
  )
  assert(
    property(string({ maxLength: 120 }), (text) => {
      expect(parseVerifierKey(text)).toBeNull()
    }),
    { numRuns: share(5000) },
  )
})

test('everything they can say has words in both languages', () => {
  for (const [kind, checks, reasons, facts] of [
    ['log_proof', logProofChecks, logProofReasons, logProofFacts],
    ['checkpoint', checkpointChecks, checkpointReasons, checkpointFacts],
  ] as const) {
    const prefix = `verification.proof.${kind}`
    const ids = [
      ...checks.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${prefix}.${id}.${end}`)),
      ...reasons.map((id) => `${prefix}.reason.${id}`),
      ...facts.map((id) => `${prefix}.fact.${id}`),
    ]
    const values = {
      reason: 'R',
      origin,
      name: 'N',
      names: 'N',
      at: 'T',
      of: 'root',
      index: 2,
      size: 5,
      count: 1,
      from: 3,
      to: 5,
    }
    for (const [locale, words] of [
      ['en', en],
      ['fr', fr],
    ] as const) {
      expect(
        Object.keys(words)
          .filter((id) => id.startsWith(`${prefix}.`))
          .toSorted(),
        locale,
      ).toEqual(ids.toSorted())
      for (const id of ids) {
        const said = String(new IntlMessageFormat(words[id] ?? '', locale).format(values))
        expect(said, id).not.toMatch(/[{}]|undefined/)
        if (locale === 'fr') expect(said, id).not.toMatch(/ [:;!?»]|« /)
      }
    }
  }
})
