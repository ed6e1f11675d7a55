import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { maxCaptureAttempts } from '../../domain/status.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { insertFiles, listFiles, orderFiles, type FileRecord } from '../files/file-store.ts'
import { insertSeal } from '../seal/seal-store.ts'
import { claimNext, closeCapture, recordProgress, releaseExpiredLeases, renewLease } from '../queue/lease-store.ts'
import type { CaptureProgress } from '../../../capture/server/index.ts'
import { presentPhase } from '../present/present-evidence.ts'
import { queuePosition } from '../queue/queue-store.ts'
import { changeStatus, findEvidence, insertEvidence, type EvidenceRecord } from './store.ts'

const database = withDatabase()

async function queue(createdAt = new Date(), action: 'static' | 'interactive' = 'static'): Promise<EvidenceRecord> {
  return await insertEvidence(database.db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action,
    requestedUrl: 'https://example.org/',
    locale: 'en',
    now: createdAt,
  })
}

async function drain(): Promise<void> {
  await sql`truncate evidence, capture_process cascade`.execute(database.db)
}

async function endLeaseOf(id: string): Promise<void> {
  await sql`update evidence set lease_until = clock_timestamp() - interval '1 second' where id = ${id}::uuid`.execute(database.db)
}

const piece = (path: string): FileRecord => ({
  path,
  section: 'piece',
  role: 'dom',
  mediaType: 'text/html',
  bytes: 3,
  sha256: 'ab'.repeat(32),
  crc32: 4_294_967_295,
})

describe('the queue', () => {
  test('the oldest is claimed first, and each is claimed once', async () => {
    await drain()
    const first = await queue(new Date('2026-01-01T00:00:00Z'))
    const second = await queue(new Date('2026-01-01T00:00:01Z'))
    expect(await queuePosition(database.db, first)).toBe(1)
    expect(await queuePosition(database.db, second)).toBe(2)
    expect((await claimNext(database.db, await haveServer(database.db, 'a'), 30))?.id).toBe(first.id)
    expect(await queuePosition(database.db, second)).toBe(1)
    expect((await claimNext(database.db, await haveServer(database.db, 'b'), 30))?.id).toBe(second.id)
    expect(await claimNext(database.db, await haveServer(database.db, 'c'), 30)).toBeNull()
  })

  test('twenty claimers at once share ten evidences without a double', async () => {
    await drain()
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await queue()).id))
    const server = await haveServer(database.db, 'a', { capacity: 20 })
    const claims = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => await claimNext(database.db, { ...server, owner: `owner ${String(n)}` }, 30)),
    )
    expect(claims.flatMap((claim) => (claim === null ? [] : [claim.id])).sort()).toEqual(ids.sort())
  })
})

describe('the lease', () => {
  test('S-34 S-35 progress moves the status on and is kept', async () => {
    await drain()
    await queue()
    const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 30)
    if (claim === null) throw new Error('nothing to claim')
    expect(await recordProgress(database.db, claim.id, claim.fence, { phase: 'preparing', step: 'browser' })).toBe(true)
    expect((await findEvidence(database.db, claim.id))?.status).toBe('preparing')
    expect(await recordProgress(database.db, claim.id, claim.fence, { phase: 'capturing', step: 'navigate' })).toBe(true)
    const now = await findEvidence(database.db, claim.id)
    expect(now?.status).toBe('capturing')
    expect(now?.progress).toMatchObject({ phase: 'capturing', step: 'navigate' })
  })

  test('S-34…S-36 a phase is told since when it is shown, through its steps and past the change of status', async () => {
    await drain()
    await queue()
    const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 30)
    if (claim === null) throw new Error('nothing to claim')
    const at = async (phase: CaptureProgress['phase'], step: string) => {
      expect(await recordProgress(database.db, claim.id, claim.fence, { phase, step })).toBe(true)
      return (await findEvidence(database.db, claim.id))?.progress?.since ?? ''
    }
    const preparing = await at('preparing', 'browser')
    expect(await at('preparing', 'tunnel')).toBe(preparing)
    const capturing = await at('capturing', 'navigate')
    const completing = await at('completing', 'archive')
    // Finished for the witness, still being completed for whoever waits.
    expect(await at('finished', 'done')).toBe(completing)
    const instants = [preparing, capturing, completing].map((text) => new Date(text).toISOString())
    expect(instants).toEqual([preparing, capturing, completing])
    expect(instants.toSorted()).toEqual(instants)
    await database.db
      .transaction()
      .execute(async (tx) => await closeCapture(tx, claim.id, claim.fence, { status: 'completing', facts: sampleFacts }))
    const record = await findEvidence(database.db, claim.id)
    if (record === null) throw new Error('no record')
    expect(record.status).toBe('completing')
    expect(await presentPhase({ db: database.db }, record)).toMatchObject({ name: 'completing', since: completing })
  })

  test('whoever is past the lease changes nothing, even before somebody else takes over', async () => {
    await drain()
    await queue()
    const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 30)
    if (claim === null) throw new Error('nothing to claim')
    await endLeaseOf(claim.id)
    expect(await renewLease(database.db, claim.id, claim.fence, 30)).toBe(false)
    expect(await recordProgress(database.db, claim.id, claim.fence, { phase: 'capturing', step: 'navigate' })).toBe(false)
    const closed = await database.db
      .transaction()
      .execute(async (tx) => await closeCapture(tx, claim.id, claim.fence, { status: 'completing', facts: sampleFacts }))
    expect(closed).toBe(false)
    expect((await findEvidence(database.db, claim.id))?.facts).toBeNull()
  })

  test('a live session past its lease is still kept, until somebody declares it lost: then it changes nothing more', async () => {
    await drain()
    const claim = async () => {
      const { id } = await queue(new Date(), 'interactive')
      const fence = (await claimNext(database.db, await haveServer(database.db, 'a'), 30, 'interactive'))?.fence ?? -1
      expect(await recordProgress(database.db, id, fence, { phase: 'capturing', step: 'visit' })).toBe(true)
      await endLeaseOf(id)
      return { id, fence }
    }
    const close = async ({ id, fence }: { id: string; fence: number }) =>
      await database.db
        .transaction()
        .execute(async (tx) => await closeCapture(tx, id, fence, { status: 'completing', facts: sampleFacts }))
    const kept = await claim()
    expect(await recordProgress(database.db, kept.id, kept.fence, { phase: 'completing', step: 'archive' })).toBe(true)
    expect(await close(kept)).toBe(true)
    expect((await releaseExpiredLeases(database.db, maxCaptureAttempts)).lost).toEqual([])
    expect(await findEvidence(database.db, kept.id)).toMatchObject({ status: 'completing', facts: sampleFacts })

    const lost = await claim()
    expect((await releaseExpiredLeases(database.db, maxCaptureAttempts)).lost).toEqual([lost.id])
    expect(await renewLease(database.db, lost.id, lost.fence, 30)).toBe(false)
    expect(await recordProgress(database.db, lost.id, lost.fence, { phase: 'completing', step: 'archive' })).toBe(false)
    expect(await close(lost)).toBe(false)
    expect(await findEvidence(database.db, lost.id)).toMatchObject({ status: 'failed', failure: { code: 'session_lost' } })

    // Of a keeper and a declarer at the same moment one alone comes through, whichever is first.
    const contested = await claim()
    const [closed, released] = await Promise.all([close(contested), releaseExpiredLeases(database.db, maxCaptureAttempts)])
    expect(released.lost).toEqual(closed ? [] : [contested.id])
    expect((await findEvidence(database.db, contested.id))?.status).toBe(closed ? 'completing' : 'failed')
  })

  test('a holder that comes back after its evidence was taken over is refused by the fence', async () => {
    await drain()
    await queue()
    const old = await claimNext(database.db, await haveServer(database.db, 'a'), 30)
    if (old === null) throw new Error('nothing to claim')
    await endLeaseOf(old.id)
    expect((await releaseExpiredLeases(database.db, maxCaptureAttempts)).requeued).toEqual([old.id])
    const heir = await claimNext(database.db, await haveServer(database.db, 'b'), 30)
    expect(heir?.fence).toBe(old.fence + 1)
    expect(await renewLease(database.db, old.id, old.fence, 30)).toBe(false)
    const late = await database.db
      .transaction()
      .execute(async (tx) => await closeCapture(tx, old.id, old.fence, { status: 'completing', facts: sampleFacts }))
    expect(late).toBe(false)
    const rightful = await database.db
      .transaction()
      .execute(async (tx) => await closeCapture(tx, old.id, old.fence + 1, { status: 'completing', facts: sampleFacts }))
    expect(rightful).toBe(true)
    const done = await findEvidence(database.db, old.id)
    expect(done?.status).toBe('completing')
    expect(done?.facts).toEqual(sampleFacts)
    expect(done?.capturedAt?.toISOString()).toBe(sampleFacts.started_at)
  })

  test('X-12 a capture whose process dies again and again fails with a reason', async () => {
    await drain()
    await queue()
    for (let attempt = 1; attempt <= maxCaptureAttempts; attempt += 1) {
      const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 30)
      expect(claim?.attempts).toBe(attempt)
      await endLeaseOf(claim?.id ?? '')
      const released = await releaseExpiredLeases(database.db, maxCaptureAttempts)
      expect(attempt < maxCaptureAttempts ? released.requeued : released.exhausted).toEqual([claim?.id])
    }
    expect(await claimNext(database.db, await haveServer(database.db, 'a'), 30)).toBeNull()
    const row = await database.db.selectFrom('evidence').select(['status', 'failure']).executeTakeFirstOrThrow()
    expect(row).toEqual({ status: 'failed', failure: { code: 'internal', data: {} } })
  })
})

describe('what the database refuses by itself', () => {
  test('an illegal transition', async () => {
    const evidence = await queue()
    await expect(
      database.db
        .transaction()
        .execute(async (tx) => await changeStatus(tx, evidence.id, 'final', new Date(), { finalizedAt: new Date() })),
    ).rejects.toThrow(/queued may not become final/)
  })

  test('a second seal', async () => {
    const evidence = await queue()
    const seal = { root: randomBytes(32).toString('hex'), summary: {} as never, sealedAt: new Date() }
    await database.db.transaction().execute(async (tx) => await insertSeal(tx, evidence.id, seal))
    const second = { ...seal, root: randomBytes(32).toString('hex') }
    await expect(database.db.transaction().execute(async (tx) => await insertSeal(tx, evidence.id, second))).rejects.toThrow(
      /seal_pkey/,
    )
  })

  test('a path outside the format, and a path that stands twice', async () => {
    const evidence = await queue()
    const insert = async (...paths: string[]) =>
      await database.db.transaction().execute(async (tx) => await insertFiles(tx, evidence.id, paths.map(piece)))
    await expect(insert('capture/é.html')).rejects.toThrow(/evidence_file_path_check/)
    await expect(insert('capture/a.html', 'capture/a.html')).rejects.toThrow(/evidence_file_pkey/)
    expect(await listFiles(database.db, evidence.id)).toEqual([])
  })
})

test('files keep the order they are given', async () => {
  const evidence = await queue()
  await database.db.transaction().execute(async (tx) => {
    await insertFiles(tx, evidence.id, [piece('b'), piece('a')])
    await insertFiles(tx, evidence.id, [piece('c')])
  })
  const paths = async () => (await listFiles(database.db, evidence.id)).map((file) => file.path)
  expect(await paths()).toEqual(['b', 'a', 'c'])
  await database.db.transaction().execute(async (tx) => await orderFiles(tx, evidence.id, ['c', 'a', 'b']))
  expect(await paths()).toEqual(['c', 'a', 'b'])
})
