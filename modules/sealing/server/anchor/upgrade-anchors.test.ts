import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex } from '../../../../kernel/bytes.ts'
import { startRegtest } from '../../../../testing/bitcoin/start-regtest.ts'
import type { Regtest } from '../../../../testing/bitcoin/start-regtest.ts'
import { startCalendar } from '../../../../testing/calendar/start-calendar.ts'
import type { Calendar } from '../../../../testing/calendar/start-calendar.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { createTimestampers } from '../timestamps/create-timestampers.ts'
import { openPublicLog } from '../log/open-public-log.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import type { Keyring } from '../keyring/signer.ts'
import type { AnchorDeps } from './anchor-deps.ts'
import { anchorLog } from './anchor-log.ts'
import { checkpointSidecars, currentOts, findAnchored } from './anchor-proofs.ts'
import { findAnchor, listAnchorEvents, newestAnchor } from './anchor-store.ts'
import { createBitcoinRpc } from './bitcoin-rpc.ts'
import { nodeSource, type BlockSource } from './block-sources.ts'
import { upgradeAnchors } from './upgrade-anchors.ts'

let regtest: Regtest
let calendars: readonly [Calendar, Calendar]
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
beforeAll(async () => {
  regtest = await startRegtest()
  calendars = [await startCalendar(regtest), await startCalendar(regtest)]
  folder = await temporaryFolder()
  await writeFile(join(folder.dir, '.cookie'), regtest.credentials, { mode: 0o600 })
  keyring = await openKeyring({ dir: join(folder.dir, 'keys'), clock: { now: () => new Date() }, log: silentLog })
})
afterAll(async () => {
  for (const calendar of calendars) await calendar.close()
  await regtest.close()
  await folder.remove()
})

const minute = 60_000
const newRoot = () => new Uint8Array(randomBytes(32))
const node = () =>
  createBitcoinRpc({
    url: regtest.url,
    walletUrl: regtest.url,
    credentialsFile: join(folder.dir, '.cookie'),
    timeoutMs: 60_000,
  })

/** An installation with a database of its own, whose clock is moved by hand. */
async function installation(ways: { calendars?: boolean; node?: boolean; source?: BlockSource | null }) {
  const database = await createTestDatabase()
  let at = Date.now()
  const clock = { now: () => new Date(at) }
  const publicLog = await openPublicLog({
    db: database.db,
    keyring,
    clock,
    origin: 'proofs.example/log',
    folder: join(folder.dir, toHex(randomBytes(8))),
  })
  const confirmed: string[] = []
  const deps: AnchorDeps = {
    db: database.db,
    clock,
    log: silentLog,
    publicLog,
    timestampers: createTimestampers({ urls: [], keyring, clock, log: silentLog }),
    settings: { everyMs: 60 * minute, confirmations: 3, giveUpDays: 7, maxFee: 10_000, replaceAfterMs: 6 * 60 * minute },
    calendars:
      ways.calendars === true
        ? {
            calendars: calendars.map(({ url }) => url),
            allowAddresses: calendars.map(({ address }) => address),
            timeoutMs: 60_000,
          }
        : null,
    payer: ways.node === true ? node() : null,
    sources: { network: 'regtest', node: ways.source === undefined ? nodeSource(node()) : ways.source, explorers: [] },
    onConfirmed: async (_tx, anchor) => {
      confirmed.push(anchor.id)
    },
  }
  return {
    deps,
    url: database.url,
    publicLog,
    confirmed,
    drop: async () => await database.drop(),
    pass: (ms: number) => {
      at += ms
    },
    async kinds(way: 'calendar' | 'node'): Promise<string[]> {
      const anchor = await newestAnchor(database.db, way)
      return anchor === null ? [] : (await listAnchorEvents(database.db, anchor.id)).map(({ kind }) => kind)
    },
  }
}

/** Recomputes with the Debian package python3-opentimestamps that the proof starts at the digest and ends in the header's Merkle root. */
async function checkedByPython(ots: Uint8Array, digest: Uint8Array, header: Uint8Array): Promise<string> {
  const file = join(folder.dir, `${toHex(randomBytes(8))}.ots`)
  await writeFile(file, ots)
  const program = `
import sys
from opentimestamps.core.timestamp import DetachedTimestampFile
from opentimestamps.core.serialize import StreamDeserializationContext
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation
from bitcoin.core import CBlockHeader
with open(sys.argv[1], 'rb') as f:
    proof = DetachedTimestampFile.deserialize(StreamDeserializationContext(f))
assert proof.timestamp.msg.hex() == sys.argv[2], 'another digest'
header = CBlockHeader.deserialize(bytes.fromhex(sys.argv[3]))
for message, attestation in proof.timestamp.all_attestations():
    assert isinstance(attestation, BitcoinBlockHeaderAttestation), attestation
    attestation.verify_against_blockheader(message, header)
    print(attestation.height)`
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', program, file, toHex(digest), toHex(header)])
  return stdout.trim()
}

test('K-34 calendars: pending, promised, mined, confirmed; every root under the checkpoint has its proof', async () => {
  const here = await installation({ calendars: true })
  try {
    expect(await anchorLog(here.deps)).toBe(0)
    const roots = [newRoot(), newRoot(), newRoot()]
    for (const root of roots) await here.publicLog.include(root)
    expect(await anchorLog(here.deps)).toBe(1)
    expect(await anchorLog(here.deps)).toBe(0)
    await upgradeAnchors(here.deps)
    expect(await here.kinds('calendar')).toEqual(['begun', 'submitted', 'submitted'])
    const [root] = roots
    if (root === undefined) throw new Error('no root')
    expect(await findAnchored({ db: here.deps.db, publicLog: here.publicLog }, root)).toBeNull()
    expect(await currentOts({ db: here.deps.db, publicLog: here.publicLog }, root)).toMatchObject({ state: 'pending' })

    await calendars[0].stamp()
    await calendars[1].stamp()
    await regtest.mine()
    const height = regtest.height()
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    expect(await newestAnchor(here.deps.db, 'calendar')).toMatchObject({ status: 'mined', block: { height, sources: ['node'] } })
    expect(here.confirmed).toEqual([])
    await regtest.mine(2)
    here.pass(10 * minute)
    await upgradeAnchors(here.deps)
    const anchor = await newestAnchor(here.deps.db, 'calendar')
    expect(anchor).toMatchObject({ status: 'confirmed', block: { height }, nextTryAt: null })
    expect(here.confirmed).toEqual([anchor?.id])
    expect(await here.kinds('calendar')).toEqual(['begun', 'submitted', 'submitted', 'mined', 'confirmed'])

    const header = await regtest.header(height)
    for (const each of roots) {
      const anchored = await findAnchored({ db: here.deps.db, publicLog: here.publicLog }, each)
      const [ots, chainpoint, headerFile] = anchored?.files ?? []
      expect(await checkedByPython(ots?.bytes ?? new Uint8Array(), each, header)).toBe(String(height))
      expect(JSON.parse(Buffer.from(chainpoint?.bytes ?? []).toString('utf8'))).toMatchObject({ hash: toHex(each) })
      expect(JSON.parse(Buffer.from(headerFile?.bytes ?? []).toString('utf8'))).toMatchObject({
        height,
        header: header.toString('hex'),
        sources: ['node'],
      })
    }
    const checkpoint = await here.publicLog.checkpoint()
    const sidecars = await checkpointSidecars(here.deps.db, checkpoint?.size ?? 0)
    const noteHash = new Uint8Array(
      createHash('sha256')
        .update(checkpoint?.note ?? new Uint8Array())
        .digest(),
    )
    expect(await checkedByPython(sidecars.ots ?? new Uint8Array(), noteHash, header)).toBe(String(height))
    expect(sidecars.stamps).toHaveLength(1)

    // Nothing new in the log: nothing to anchor, however much time passes. A new leaf is, after the hour.
    here.pass(120 * minute)
    expect(await anchorLog(here.deps)).toBe(0)
    await here.publicLog.include(newRoot())
    expect(await anchorLog(here.deps)).toBe(1)
    await here.publicLog.include(newRoot())
    expect(await anchorLog(here.deps)).toBe(0)
  } finally {
    await here.drop()
  }
})

test('K-34 own node: signed, sent, lost with its block, sent again, confirmed; nothing is paid twice', async () => {
  const here = await installation({ node: true })
  try {
    const root = newRoot()
    await here.publicLog.include(root)
    await anchorLog(here.deps)
    await upgradeAnchors(here.deps)
    expect(await here.kinds('node')).toEqual(['begun', 'submitted', 'sent'])
    const before = regtest.height()
    await regtest.mine()
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    expect(await newestAnchor(here.deps.db, 'node')).toMatchObject({ status: 'mined', block: { height: before + 1 } })

    // Another branch grows longer, without it.
    await regtest.mineFrom(before, 2)
    here.pass(10 * minute)
    await upgradeAnchors(here.deps)
    expect(await newestAnchor(here.deps.db, 'node')).toMatchObject({ status: 'pending', block: null })
    expect(await here.kinds('node')).toEqual(['begun', 'submitted', 'sent', 'mined', 'reorganised'])

    await regtest.mine(3)
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    const anchor = await newestAnchor(here.deps.db, 'node')
    expect(anchor).toMatchObject({ status: 'confirmed', block: { height: before + 3 } })
    expect(anchor?.transactions).toHaveLength(1)
    const anchored = await findAnchored({ db: here.deps.db, publicLog: here.publicLog }, root)
    const header = await regtest.header(before + 3)
    expect(await checkedByPython(anchored?.files[0]?.bytes ?? new Uint8Array(), root, header)).toBe(String(before + 3))
  } finally {
    await here.drop()
  }
})

test('a replacement that the node refuses leaves the first to be mined; coins that went elsewhere are replaced by others', async () => {
  const here = await installation({ node: true })
  try {
    await here.publicLog.include(newRoot())
    await anchorLog(here.deps)
    const gone = { code: -25, message: 'bad-txns-inputs-missingorspent' }
    await upgradeAnchors(here.deps)
    here.pass(7 * 60 * minute)
    // This node knows no replacement (BIP 125) and says that the coins are taken.
    await upgradeAnchors(here.deps)
    expect(await here.kinds('node')).toEqual(['begun', 'submitted', 'sent', 'replaced', 'failed'])
    const [first, dearer] = (await newestAnchor(here.deps.db, 'node'))?.transactions ?? []
    expect(dearer).toMatchObject({ inputs: first?.inputs, sent: false })
    expect(dearer?.fee).toBeGreaterThan(first?.fee ?? 0)
    expect(await regtest.call('getrawmempool')).toEqual([first?.txid])
    await regtest.mine()
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    expect(await newestAnchor(here.deps.db, 'node')).toMatchObject({ status: 'mined', block: { height: regtest.height() } })

    here.pass(60 * minute)
    await here.publicLog.include(newRoot())
    await anchorLog(here.deps)
    regtest.refuse('sendrawtransaction', gone)
    await upgradeAnchors(here.deps)
    regtest.refuse('sendrawtransaction', null)
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    const kinds = await here.kinds('node')
    expect(kinds.slice(0, 3)).toEqual(['begun', 'submitted', 'replaced'])
    expect(kinds.at(-1)).toBe('sent')
    expect((await newestAnchor(here.deps.db, 'node'))?.transactions.filter(({ sent }) => sent)).toHaveLength(1)
    await regtest.mine()
  } finally {
    regtest.refuse('sendrawtransaction', null)
    await here.drop()
  }
})

test('a worker that dies between its calls and its transaction changes nothing; two at once write once', async () => {
  const here = await installation({ node: true })
  try {
    await here.publicLog.include(newRoot())
    const [one, other] = await Promise.all([anchorLog(here.deps), anchorLog(here.deps)])
    expect(one + other).toBe(1)
    const dying: AnchorDeps = {
      ...here.deps,
      db: new Proxy(here.deps.db, {
        get(target, name) {
          if (name === 'transaction')
            return () => ({ execute: async () => await Promise.reject(new Error('the process is gone')) })
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      }),
    }
    await expect(upgradeAnchors(dying)).rejects.toThrow('the process is gone')
    expect(await newestAnchor(here.deps.db, 'node')).toMatchObject({ transactions: [] })
    expect(regtest.waiting()).toBe(0)
    await Promise.all([upgradeAnchors(here.deps), upgradeAnchors(here.deps)])
    await upgradeAnchors(here.deps)
    const anchor = await newestAnchor(here.deps.db, 'node')
    expect(anchor?.transactions).toHaveLength(1)
    expect((await here.kinds('node')).filter((kind) => kind === 'submitted')).toHaveLength(1)
    await regtest.mine()
  } finally {
    await here.drop()
  }
})

test('a worker that is killed after its transaction was sent pays once all the same', async () => {
  const here = await installation({ node: true })
  try {
    await here.publicLog.include(newRoot())
    await anchorLog(here.deps)
    const sent = regtest.swallow('sendrawtransaction')
    const program = fileURLToPath(new URL('upgrade-anchors.test-program.ts', import.meta.url))
    const input = JSON.stringify({ database: here.url, rpc: regtest.url, cookie: join(folder.dir, '.cookie') })
    const worker = spawn(process.execPath, [program, input], { stdio: ['ignore', 'inherit', 'inherit'] })
    const ended = once(worker, 'exit')
    await Promise.race([sent, ended])
    worker.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    const before = await newestAnchor(here.deps.db, 'node')
    expect(before?.transactions).toMatchObject([{ sent: false }])
    expect(await regtest.call('getrawmempool')).toEqual([before?.transactions[0]?.txid])

    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    const after = await newestAnchor(here.deps.db, 'node')
    expect(after?.transactions).toMatchObject([{ sent: true, txid: before?.transactions[0]?.txid }])
    expect(await regtest.call('getrawmempool')).toEqual([before?.transactions[0]?.txid])
    expect(await here.kinds('node')).toEqual(['begun', 'submitted', 'sent'])
    await regtest.mine()
  } finally {
    await here.drop()
  }
})

test('a calendar that lies about the block is refused by name, and the truth is taken when it comes', async () => {
  const here = await installation({ calendars: true })
  try {
    const root = newRoot()
    await here.publicLog.include(root)
    await anchorLog(here.deps)
    calendars[1].behave('error_500')
    await upgradeAnchors(here.deps)
    const begun = await newestAnchor(here.deps.db, 'calendar')
    expect(await here.kinds('calendar')).toEqual(['begun', 'submitted', 'failed'])
    calendars[0].behave('wrong_root')
    await calendars[0].stamp()
    await regtest.mine()
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    expect(await newestAnchor(here.deps.db, 'calendar')).toMatchObject({ status: 'pending' })
    calendars[0].behave('wrong_height')
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    const events = await listAnchorEvents(here.deps.db, begun?.id ?? '')
    expect(events.filter(({ data }) => data['code'] === 'sealing.anchor_wrong_block').map(({ data }) => data['height'])).toEqual([
      regtest.height(),
      regtest.height() - 1,
    ])
    calendars[0].behave('endless_way')
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    expect((await listAnchorEvents(here.deps.db, begun?.id ?? '')).at(-1)).toMatchObject({
      data: { code: 'sealing.anchor_malformed', reason: 'too_deep' },
    })
    // Right, by operations that Chainpoint does not have: the other proof stands alone.
    calendars[0].behave('roundabout')
    calendars[1].behave('honest')
    await regtest.mine(2)
    here.pass(20 * minute)
    await upgradeAnchors(here.deps)
    expect(await findAnchor(here.deps.db, begun?.id ?? '')).toMatchObject({ status: 'confirmed' })
    const anchored = await findAnchored({ db: here.deps.db, publicLog: here.publicLog }, root)
    expect(anchored?.files.map(({ path }) => path)).toEqual(['seal/anchor.ots', 'seal/anchor-header.json'])
    const header = await regtest.header(anchored?.block.height ?? 0)
    expect(await checkedByPython(anchored?.files[0]?.bytes ?? new Uint8Array(), root, header)).toBe(
      String(anchored?.block.height),
    )
  } finally {
    for (const calendar of calendars) calendar.behave('honest')
    await here.drop()
  }
})

test('with nobody to ask it stays pending, asks less and less often, is given up, and a later checkpoint covers the same leaves', async () => {
  const here = await installation({ calendars: true, source: null })
  try {
    await here.publicLog.include(newRoot())
    await anchorLog(here.deps)
    for (const calendar of calendars) calendar.behave('error_500')
    const waits: number[] = []
    for (let i = 0; i < 4; i += 1) {
      const now = here.deps.clock.now().getTime()
      await upgradeAnchors(here.deps)
      const next = (await newestAnchor(here.deps.db, 'calendar'))?.nextTryAt?.getTime() ?? now
      waits.push((next - now) / minute)
      here.pass(next - now)
    }
    expect(waits).toEqual([1, 2, 4, 8])
    expect(await here.kinds('calendar')).toEqual(['begun', 'failed', 'failed'])
    await here.publicLog.include(newRoot())
    here.pass(60 * minute)
    expect(await anchorLog(here.deps)).toBe(0)
    here.pass(7 * 24 * 60 * minute)
    await upgradeAnchors(here.deps)
    expect((await here.kinds('calendar')).at(-1)).toBe('given_up')
    expect(await anchorLog(here.deps)).toBe(1)
    expect(await newestAnchor(here.deps.db, 'calendar')).toMatchObject({ status: 'pending', size: 2 })
  } finally {
    for (const calendar of calendars) calendar.behave('honest')
    await here.drop()
  }
})
