import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createTimestampers, logProofPath, newerProof, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import type { PublicLog } from '../../../sealing/server/index.ts'
import {
  anchorCommitment,
  displayed,
  parseTlogProof,
  readBlockHeader,
  treeOf,
  writeTimestamp,
} from '../../../verification/server/index.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { finalEvidence, packageOf, webDeps, type World } from '../health/final-evidence.test-data.ts'
import { renewSeals } from '../health/renew-seals.ts'
import { listFiles } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { haveAddress } from '../notify/notify.test-data.ts'
import { sendNotification } from '../notify/mail/send-notification.ts'
import { refreshPackage } from './refresh-package.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

const database = withDatabase()
const start = Date.parse('2026-11-21T10:00:00Z')
let passed = 0
const clock = { now: () => new Date(start + passed) }
const { signal } = new AbortController()
let folder: string
let world: World

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-refresh-'))
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const origin = 'proofs.example/log'
  const publicLog = await openPublicLog({ db: database.db, keyring, clock, origin, folder: join(folder, 'log') })
  world = { db: database.db, blobs: createFolderBlobStore(join(folder, 'blobs')), clock, keyring, timestampers, publicLog }
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const deps = () => ({ ...webDeps(world), ...world })
const grow = async () => await world.publicLog.include(new Uint8Array(randomBytes(32)))

/** The newest checkpoint stands in a block. @returns its leaves */
async function anchorNewest(): Promise<number> {
  const checkpoint = await world.publicLog.checkpoint()
  if (checkpoint === null) throw new Error('the log is empty')
  const noteHash = createHash('sha256').update(checkpoint.note).digest()
  const commitment = anchorCommitment(checkpoint.rootHash, noteHash)
  const at = clock.now()
  const header = mineHeader(commitment, { at: Math.floor(at.getTime() / 1000) })
  await world.db
    .insertInto('log_anchor')
    .values({
      id: randomUUID(),
      way: 'node',
      tree_size: checkpoint.size,
      tree_root: Buffer.from(checkpoint.rootHash),
      note_hash: noteHash,
      commitment: Buffer.from(commitment),
      status: 'confirmed',
      created_at: at,
      mined_at: at,
      confirmed_at: at,
      block_time: at,
      proof: Buffer.from(writeTimestamp(treeOf(commitment, [], [{ kind: 'bitcoin', height: 900 }]))),
      height: 900,
      header: Buffer.from(header),
      header_sources: ['node'],
      block_hash: displayed(readBlockHeader(header).hash),
    }) // prettier-ignore
    .execute()
  return checkpoint.size
}

async function logProofOf(id: string): Promise<{ bytes: Uint8Array; size: number }> {
  const file = (await listFiles(world.db, id)).find(({ path }) => path === logProofPath)
  if (file === undefined) throw new Error('no proof in the log')
  const bytes = await world.blobs.scope(id).read(file.sha256, { maxBytes: 1 << 20 })
  const read = parseTlogProof(bytes)
  return { bytes, size: typeof read === 'string' ? -1 : read.checkpoint.size }
}

async function verdictOf(id: string): Promise<readonly [string | null, string[]]> {
  const zip = await packageOf(world, id)
  const file = { size: zip.length, read: async (at: number, length: number) => new Uint8Array(zip.subarray(at, at + length)) }
  const report = await verifyCompared({ kind: 'zip', file }, { now: () => clock.now(), network: 'regtest' })
  return [report.verdict, report.checks.flatMap(({ id: check, status }) => (check === 'log_inclusion' ? [status] : []))]
}

test('a package made anew with an anchor over a later checkpoint proves its place under one that reaches as far', async () => {
  const claire = await haveAccount(world.db)
  const { id } = await finalEvidence(world, { actor: actorOf(claire) })
  const before = await logProofOf(id)
  await grow()
  const size = await anchorNewest()
  await grow()
  await refreshPackage(deps(), id, signal)
  const after = await logProofOf(id)
  expect(before.size).toBeLessThan(size)
  expect(after.size).toBe(size + 1)
  expect(await verdictOf(id)).toEqual(['TOTAL-PASSED', ['passed']])
  // Its owner is to be told, once: with the package that holds the proofs.
  await refreshPackage(deps(), id, signal)
  const told = await world.db.selectFrom('notification').select(['kind', 'user_id']).where('evidence_id', '=', id).execute()
  expect(told).toEqual([{ kind: 'anchored', user_id: claire }])
  await haveAddress(world.db, claire, 'claire@people.example')
  await world.db.insertInto('account_settings').values({ user_id: claire, notify_anchored: true }).execute()
  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => await Promise.resolve(void mails.push(mail)), close: () => undefined }
  const lines = await world.db.selectFrom('notification').select('id').execute()
  for (const { id: line } of lines) await sendNotification({ ...deps(), mailer, publicUrl: 'https://probant.example' }, line)
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['claire@people.example', 'Your report is anchored: boutique.example'],
  ])
  // Mined by the test: no block of the main chain, and said to be none.
  expect(mails[0]?.text).toContain('block 900 of a Bitcoin test network')
})

test('the anchor over the very checkpoint that the package has: its proof stays', async () => {
  const { id } = await finalEvidence(world)
  const before = await logProofOf(id)
  expect(await anchorNewest()).toBe(before.size)
  await grow()
  await refreshPackage(deps(), id, signal)
  expect((await listFiles(world.db, id)).map(({ path }) => path)).toContain('seal/anchor.ots')
  expect(await logProofOf(id)).toEqual(before)
})

test('what a renewal names by its digest is not exchanged any more', async () => {
  const { id } = await finalEvidence(world)
  const before = await logProofOf(id)
  passed += 2 * 365 * 86_400_000 + 3 * 86_400_000
  expect((await renewSeals(deps(), signal)).renewed).toBeGreaterThan(0)
  await grow()
  expect(await anchorNewest()).toBeGreaterThan(before.size)
  await refreshPackage(deps(), id, signal)
  expect((await listFiles(world.db, id)).map(({ path }) => path)).toContain('seal/anchor.ots')
  expect(await logProofOf(id)).toEqual(before)
  expect((await verdictOf(id))[0]).toBe('TOTAL-PASSED')
})

test('a newer proof is taken where it says more, and never with fewer witnesses or under another key', async () => {
  const { id } = await finalEvidence(world)
  const root = Buffer.from((await findSeal(world.db, id))?.root ?? '', 'hex')
  const { bytes: atHand, size } = await logProofOf(id)
  await grow()
  const newest = await world.publicLog.proofOf(root)
  if (newest === null) throw new Error('not in the log')
  const from = (proof: Uint8Array | null): Pick<PublicLog, 'proofOf'> => ({ proofOf: async () => await Promise.resolve(proof) })
  const cosigned = (proof: Uint8Array) =>
    Buffer.concat([proof, Buffer.from(`— witness.example/w ${randomBytes(76).toString('base64')}\n`)])
  const cases: readonly (readonly [string, Uint8Array | null, Uint8Array, number, boolean])[] = [
    ['as far as the anchor', newest, atHand, size + 1, true],
    ['not as far as the anchor', newest, atHand, size + 2, false],
    ['the one at hand reaches already', newest, atHand, size, false],
    ['nothing is anchored', newest, atHand, 0, false],
    ['more witnesses', cosigned(newest), atHand, 0, true],
    ['as many witnesses, not as far', cosigned(newest), cosigned(atHand), 0, false],
    ['as many witnesses, as far', cosigned(newest), cosigned(atHand), size + 1, true],
    ['fewer witnesses', newest, cosigned(atHand), size + 1, false],
    ['not in this log', null, atHand, size + 1, false],
    ['not a proof', Buffer.from('x'), atHand, size + 1, false],
    ['none at hand that can be read', newest, Buffer.from('x'), size + 1, false],
  ]
  for (const [what, proof, had, anchored, taken] of cases)
    expect([what, (await newerProof(from(proof), root, had, anchored)) !== null]).toEqual([what, taken])
})
