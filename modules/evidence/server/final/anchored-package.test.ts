import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { listen } from '../../../../platform/db/listen.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { enqueue, type Job } from '../../../../platform/jobs/jobs.ts'
import { runWorker, type Worker } from '../../../../platform/jobs/worker.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { startRegtest, type Regtest } from '../../../../testing/bitcoin/start-regtest.ts'
import { startCalendar, type Calendar } from '../../../../testing/calendar/start-calendar.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import {
  anchorFilePaths,
  anchorHandlers,
  anchorJobs,
  anchorLogJob,
  createTimestampers,
  logReader,
  openKeyring,
  openPublicLog,
  progressOfAnchor,
  upgradeAnchorsJob,
  type PublicLog,
} from '../../../sealing/server/index.ts'
import { type VerificationReport, type VerifyDeps } from '../../../verification/server/index.ts'
import { evidence as evidenceSchema, type Evidence } from '../../contract/evidence.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { createEvidenceChanges, evidenceChannel } from '../record/evidence-changes.ts'
import { insertFiles, type FileRecord } from '../files/file-store.ts'
import { evidenceHandlers } from '../handlers.ts'
import { evidenceJobs, sealEvidenceJob } from '../record/jobs.ts'
import { claimNext, closeCapture } from '../queue/lease-store.ts'
import { sampleFacts, samplePieces, writeSampleFiles } from '../../../report/server/sample-report.test-data.ts'
import { evidenceRoutes } from '../routes.ts'
import { storeLocalFile } from '../files/store-files.ts'
import { notifyAnchorProgress } from '../anchor/anchor-store.ts'
import { assessEvidence } from '../health/assess-evidence.ts'
import { announceAnchor } from '../anchor/spread-anchor.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

const run = promisify(execFile)
const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-anchored-'))
// The jailed printer reads what it prints as another user.
chmodSync(folder, 0o755)
const blobs = createFolderBlobStore(join(folder, 'blobs'))
const secret = 's'.repeat(32)
const minute = 60_000
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

let regtest: Regtest
let calendar: Calendar
let worker: Worker
let server: Awaited<ReturnType<typeof createHttpServer>>
let subscription: Awaited<ReturnType<typeof listen>>
let origin: string
let samples: ReadonlyMap<string, string>
let common: Pick<Parameters<typeof anchorHandlers>[0], 'db' | 'clock' | 'timestampers'> & {
  readonly log: typeof silentLog
  readonly publicLog: PublicLog
}

beforeAll(async () => {
  regtest = await startRegtest()
  calendar = await startCalendar(regtest)
  await writeFile(join(folder, '.cookie'), regtest.credentials, { mode: 0o600 })
  await writeFile(join(folder, 'verify.html'), '<!doctype html><title>v</title>')
  samples = await writeSampleFiles(folder, 900)
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const publicLog = await openPublicLog({
    db: database.db,
    keyring,
    clock,
    origin: 'proofs.example/log',
    folder: join(folder, 'log'),
  })
  const config = loadConfig({
    PROBANT_OTS_CALENDARS: calendar.url,
    PROBANT_ESPLORA: 'none',
    PROBANT_BITCOIN_RPC: regtest.url,
    PROBANT_BITCOIN_CREDENTIALS: join(folder, '.cookie'),
    PROBANT_BITCOIN_NETWORK: 'regtest',
    PROBANT_BITCOIN_CONFIRMATIONS: '3',
    PROBANT_ALLOW_ADDRESSES: calendar.address,
  })
  common = { db: database.db, clock, log: silentLog, publicLog, timestampers }
  const handlers = evidenceHandlers({
    ...common,
    blobs,
    keyring,
    workFolder: join(folder, 'work'),
    serverWaitSeconds: 60,
    verifyHtmlFile: join(folder, 'verify.html'),
    siteUrl: null,
  })
  const anchoring = anchorHandlers({
    ...common,
    config: config.anchor,
    allowAddresses: config.allowAddresses,
    onProgress: notifyAnchorProgress,
    onConfirmed: announceAnchor,
  })
  worker = await runWorker({
    databaseUrl: database.url,
    jobs: [...evidenceJobs, ...anchorJobs],
    handlers: [...handlers, ...anchoring],
    concurrency: 2,
    log: silentLog,
  })
  const changes = createEvidenceChanges()
  subscription = await listen(database.url, evidenceChannel, (payload) => changes.announce(payload), {
    log: silentLog,
    onReconnect: () => changes.announceAll(),
  })
  const web = {
    ...webDeps(),
    publicLog: logReader(database.db),
    anchoring: true,
    bitcoinNetwork: config.anchor.network,
  }
  server = await createHttpServer({ config, log: silentLog, secret, clock, routes: evidenceRoutes(web, changes), health: {} })
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`
})
afterAll(async () => {
  await server.close()
  await subscription.close()
  await worker.stop()
  await calendar.close()
  await regtest.close()
  rmSync(folder, { recursive: true, force: true })
})

const webDeps = () => ({ db: database.db, blobs, clock, log: silentLog, secret, allowAddresses: [], scenarios: [] })

/** A capture that has just ended: its pieces are stored, its seal is asked for. */
async function captured(): Promise<{ id: string; token: string }> {
  const { evidence, token } = await createEvidence(webDeps(), {
    url: 'https://boutique.example/',
    action: 'static',
    locale: 'fr',
  })
  const { id } = evidence
  const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 600)
  if (claim?.id !== id) throw new Error('another evidence was claimed')
  const files: FileRecord[] = []
  for (const { path, role, media_type: mediaType } of samplePieces) {
    const file = samples.get(path)
    if (file !== undefined) files.push(await storeLocalFile(blobs.scope(id), { path, section: 'piece', role, mediaType }, file))
  }
  await database.db.transaction().execute(async (tx) => {
    await closeCapture(tx, id, claim.fence, { status: 'completing', facts: sampleFacts(900) })
    await insertFiles(tx, id, files)
    await enqueue(tx, sealEvidenceJob, { evidence_id: id })
  })
  return { id, token }
}

async function ask(path: string, token: string, method = 'GET'): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, { method, headers: { 'x-evidence-token': token } })
  expect(response.status).toBe(200)
  return await response.json()
}

const read = async (id: string, token: string): Promise<Evidence> => evidenceSchema.parse(await ask(`/evidences/${id}/`, token))

/** Until the evidence is as wanted: awaited, never slept for. */
async function until(id: string, token: string, is: (evidence: Evidence) => boolean | Promise<boolean>): Promise<Evidence> {
  let last: Evidence | undefined
  await expect
    .poll(
      async () => {
        last = await read(id, token)
        return await is(last)
      },
      { timeout: 150_000, interval: 100 },
    )
    .toBe(true)
  if (last === undefined) throw new Error('nothing was read')
  return last
}

async function packageOf(id: string, token: string, full = true): Promise<Buffer> {
  const link = (await ask(`/evidences/${id}/generate_zip_archive/?full=${String(full)}`, token)) as { zip_archive: string }
  const response = await fetch(`${origin}${link.zip_archive}`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** With nothing but the file and what the reader gives: no network, no database. */
async function verified(zip: Buffer, more: Partial<VerifyDeps> = {}): Promise<VerificationReport> {
  const file = {
    size: zip.length,
    read: (offset: number, length: number) => Promise.resolve(new Uint8Array(zip.subarray(offset, offset + length))),
  }
  return await verifyCompared({ kind: 'zip', file }, { now: () => clock.now(), network: 'regtest', ...more })
}

async function entriesOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const path = join(folder, 'package.zip')
  await writeFile(path, zip)
  const { stdout: names } = await run('zipinfo', ['-1', path])
  const entries = new Map<string, Buffer>()
  for (const name of names.trim().split('\n')) {
    const { stdout } = await run('unzip', ['-p', path, name], { encoding: 'buffer', maxBuffer: 1 << 28 })
    entries.set(name, stdout)
  }
  return entries
}

const anchorChecks = (report: VerificationReport) =>
  report.checks.filter(({ id }) => id.startsWith('anchor')).map(({ id, status, subject }) => `${id} ${status} ${subject ?? ''}`)

const work = async (job: Job<Record<string, unknown>>) => await enqueue(database.db, job, {}, { key: job.name })

test('K-34 a report is sealed, pending, mined and anchored; its package is made anew and verified offline with the header', async () => {
  const { id, token } = await captured()
  await until(id, token, ({ status }) => status === 'to_validate')
  // Another seal of the same moment: the checkpoint that is anchored is a later one than this seal's.
  await common.publicLog.include(new Uint8Array(randomBytes(32)))
  await work(anchorLogJob)
  await expect
    .poll(
      async () => {
        await work(upgradeAnchorsJob)
        return (await progressOfAnchor(database.db, 0)).place
      },
      { timeout: 150_000, interval: 100 },
    )
    .toBe('handed_over')
  await ask(`/evidences/${id}/agree/`, token, 'POST')
  const final = await until(id, token, ({ status }) => status === 'final')
  expect(final.anchor).toMatchObject({ state: 'pending', network: 'test', waits_for: 'block', block: null, anchored_at: null })
  const before = await packageOf(id, token)
  const reportBefore = await verified(before)
  expect(reportBefore.verdict).toBe('TOTAL-PASSED')
  expect(anchorChecks(reportBefore)).toEqual(['anchor indeterminate seal/anchor.ots'])

  // Whoever has the page open is told when the anchor stands.
  const events = await fetch(`${origin}/evidences/${id}/events/`, { headers: { 'x-evidence-token': token } })
  let told = ''
  const stream = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of events.body ?? []) told += decoder.decode(chunk as Uint8Array, { stream: true })
  })()
  const isTold = async (part: string) =>
    await expect.poll(() => told.includes(part), { timeout: 150_000, interval: 100 }).toBe(true)
  await isTold('"waits_for":"block"')

  const promised = await read(id, token)
  const pending = await fetch(`${origin}${promised.anchor?.ots_url ?? ''}`)
  expect(pending.headers.get('content-disposition')).toContain('.pending.ots')
  expect(
    Buffer.from(await pending.arrayBuffer())
      .subarray(1, 15)
      .toString('latin1'),
  ).toBe('OpenTimestamps')

  await calendar.stamp()
  await regtest.mine()
  const height = regtest.height()
  ahead += 20 * minute
  await until(id, token, async ({ anchor }) => {
    await work(upgradeAnchorsJob)
    return anchor?.waits_for === 'confirmations'
  })
  await isTold('"waits_for":"confirmations"')
  await regtest.mine(2)
  ahead += 10 * minute
  const anchored = await until(id, token, async ({ anchor }) => {
    await work(upgradeAnchorsJob)
    return anchor?.state === 'anchored'
  })
  // A block of a test network says so by itself, whatever the settings say now.
  const health = await assessEvidence(webDeps(), id)
  expect(anchored.anchor?.network).toBe('test')
  expect([health.anchored, health.facts.anchor?.network, health.elements.at(-1)?.state]).toEqual([false, 'test', 'test'])
  expect(anchored.anchor?.block).toMatchObject({ height, header_sources: ['node'] })
  expect(anchored.anchor?.history.map(({ kind }) => kind)).toEqual(['begun', 'submitted', 'mined', 'confirmed'])
  await stream
  expect(told).toContain('"state":"anchored"')

  const after = await packageOf(id, token)
  const header = new Uint8Array(await regtest.header(height))
  const given: Partial<VerifyDeps> = {
    headers: async (at) => (at === height ? [{ height, header, source: 'given' }] : []),
  }
  for (const zip of [after, await packageOf(id, token, false)]) {
    const report = await verified(zip, given)
    expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(anchorChecks(report)).toEqual([
      'anchor passed seal/anchor.ots',
      'anchor passed seal/anchor.chainpoint.json',
      'anchor_header passed seal/anchor-header.json',
    ])
  }
  // Another block's header says no; so does the main chain, whose difficulty this one does not have.
  const other = new Uint8Array(await regtest.header(height - 1))
  const wrong = await verified(after, { headers: async () => [{ height, header: other, source: 'given' }] })
  expect(wrong.verdict).not.toBe('TOTAL-PASSED')
  expect((await verified(after, { network: 'main' })).verdict).toBe('TOTAL-FAILED')
  // Altered by whoever makes the container right again, each of its files is named.
  await writeFile(join(folder, 'after.zip'), after)
  for (const path of anchorFilePaths) {
    const forged = join(folder, 'forged.zip')
    await run('python3', ['e2e/oracles/forge_package.py', join(folder, 'after.zip'), forged, 'flip', path, '40', '1'])
    const said = await verified(await readFile(forged), given)
    expect([path, said.verdict]).toEqual([path, 'TOTAL-FAILED'])
    expect(said.pieces.filter(({ state }) => state !== 'intact').map((piece) => piece.path)).toEqual([path])
  }
  // The package as it was still verifies, and differs in the list of its core and the proofs alone.
  expect((await verified(before)).verdict).toBe('TOTAL-PASSED')
  const [old, renewed] = [await entriesOf(before), await entriesOf(after)]
  const changed = [...renewed].filter(([path, bytes]) => old.get(path)?.equals(bytes) !== true).map(([path]) => path)
  expect(changed.filter((path) => !path.startsWith('META-INF/'))).toEqual([
    'seal/log-proof.txt',
    'seal/anchor.ots',
    'seal/anchor.chainpoint.json',
    'seal/anchor-header.json',
  ])
  expect(changed.filter((path) => path.startsWith('META-INF/')).toSorted()).toEqual([
    'META-INF/ASiCManifest001.xml',
    'META-INF/timestamp001.tst',
  ])
  expect([...old.keys()].filter((path) => !renewed.has(path))).toEqual([])

  // Readers that are not ours come to the same block.
  const root = (renewed.get('seal/root.bin') ?? Buffer.alloc(0)).toString('hex')
  await writeFile(join(folder, 'anchor.ots'), renewed.get('seal/anchor.ots') ?? Buffer.alloc(0))
  const python = `
import sys
from opentimestamps.core.timestamp import DetachedTimestampFile
from opentimestamps.core.serialize import StreamDeserializationContext
from bitcoin.core import CBlockHeader
with open(sys.argv[1], 'rb') as f:
    proof = DetachedTimestampFile.deserialize(StreamDeserializationContext(f))
assert proof.timestamp.msg.hex() == sys.argv[2]
for message, attestation in proof.timestamp.all_attestations():
    attestation.verify_against_blockheader(message, CBlockHeader.deserialize(bytes.fromhex(sys.argv[3])))
    print(attestation.height)`
  const { stdout } = await run('/usr/bin/python3', [
    '-c',
    python,
    join(folder, 'anchor.ots'),
    root,
    Buffer.from(header).toString('hex'),
  ])
  expect(stdout.trim()).toBe(String(height))
  const peer = createRequire(import.meta.url)('chainpoint-parse') as {
    parse(proof: object): {
      hash: string
      branches: { branches?: unknown[]; anchors?: { type: string; anchor_id: string; expected_value: string }[] }[]
    }
  }
  const parsed = peer.parse(
    JSON.parse((renewed.get('seal/anchor.chainpoint.json') ?? Buffer.alloc(0)).toString('utf8')) as object,
  )
  expect(parsed.hash).toBe(root)
  const merkleRoot = Buffer.from(header.slice(36, 68).toReversed()).toString('hex')
  expect(parsed.branches[0]?.anchors).toEqual([
    expect.objectContaining({ type: 'btc', anchor_id: String(height), expected_value: merkleRoot }),
  ])
})

test('K-34 a draft that is agreed to after its anchor was confirmed, by the own node, has the proofs from the start', async () => {
  const { id, token } = await captured()
  await until(id, token, ({ status }) => status === 'to_validate')
  const config = loadConfig({
    PROBANT_OTS_CALENDARS: 'none',
    PROBANT_ESPLORA: 'none',
    PROBANT_BITCOIN_RPC: regtest.url,
    PROBANT_BITCOIN_CREDENTIALS: join(folder, '.cookie'),
    PROBANT_BITCOIN_NETWORK: 'regtest',
    PROBANT_BITCOIN_CONFIRMATIONS: '2',
    PROBANT_BITCOIN_PAY: 'on',
  })
  const jobs = anchorHandlers({ ...common, config: config.anchor, allowAddresses: [], onConfirmed: announceAnchor })
  const once = async (job: Job) => {
    const context = { log: silentLog, attempt: 1, maxAttempts: 1, signal: new AbortController().signal }
    await jobs.find((handler) => handler.job.name === job.name)?.run({}, context)
  }
  await once(anchorLogJob)
  await once(upgradeAnchorsJob)
  await regtest.mine(2)
  ahead += 20 * minute
  await once(upgradeAnchorsJob)

  await ask(`/evidences/${id}/agree/`, token, 'POST')
  const final = await until(id, token, ({ status }) => status === 'final')
  const height = regtest.height() - 1
  expect(final.anchor).toMatchObject({ state: 'anchored', block: { height, header_sources: ['node'] } })
  expect(final.anchor?.history.map(({ kind }) => kind)).toEqual(['begun', 'submitted', 'sent', 'mined', 'confirmed'])
  const header = new Uint8Array(await regtest.header(height))
  const report = await verified(await packageOf(id, token), { headers: async () => [{ height, header, source: 'given' }] })
  expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(anchorChecks(report)).toHaveLength(3)
  // Nothing is left to wait for: the stream says how it stands, and ends.
  const events = await fetch(`${origin}/evidences/${id}/events/`, { headers: { 'x-evidence-token': token } })
  expect((await events.text()).match(/^event: evidence$/gm)).toHaveLength(1)
})
