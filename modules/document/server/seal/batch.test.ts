import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '../../../../kernel/errors.ts'
import type { HttpServer } from '../../../../platform/http/server.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { share, whole } from '../../../../testing/sweep.ts'
import { buildEvidenceRecord } from '../../../verification/server/index.ts'
import type { Timestamper } from '../../../sealing/server/index.ts'
import { findBatches, findBatchFile, listMembers } from '../deposit/batch-store.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { type DepositWorld, openDepositWorld, serveDeposits, sha256Hex, waitingBatches } from '../deposits.test-data.ts'
import { downloadEvidenceRecord } from '../proofs/download-proofs.ts'
import { giveUpBatches } from '../ending/expire-drafts.ts'
import { loggedOf, pauseAfter, sealBatch } from './seal-batch.ts'

const run = promisify(execFile)
const database = withDatabase()
let now = new Date()
let world: DepositWorld
let server: HttpServer

beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock: { now: () => now } })
  server = await serveDeposits(world)
})
afterAll(async () => {
  await server.close()
  await world.remove()
})

type Listed = { id: string; sha256: string; status: string; duplicate_of: object | null }
async function depositMany(user: string, documents: readonly object[]): Promise<{ status: number; documents: Listed[] }> {
  const answer = await server.inject({
    method: 'POST',
    url: '/documents/batches/',
    headers: { authorization: `Bearer ${user}` },
    payload: { documents },
  })
  return { status: answer.statusCode, documents: answer.json<{ documents: Listed[] }>().documents }
}

const fresh = (count: number) => Array.from({ length: count }, () => ({ sha256: sha256Hex(randomUUID()) }))
const depositsOf = async (user: string, count: number) =>
  await createDocuments(world, actorOf(user), { documents: fresh(count).map((each) => ({ ...each, store: false })), agree: true })

async function saveFile(batchId: string, name: string): Promise<string> {
  const file = await findBatchFile(database.db, batchId, name)
  const path = join(world.folder, `${batchId}-${name}`)
  await writeFile(path, file?.data ?? '')
  return path
}

describe('many deposits under one token', () => {
  test(
    `${String(share(10_000))} in one call, each verified by itself by code that is not ours`,
    { timeout: 240_000 },
    async () => {
      const count = share(10_000)
      const user = await haveAccount(database.db)
      const asked = Array.from({ length: count }, (_, i) => ({
        sha256: sha256Hex(`${user} ${String(i)}`),
        document_name: `Relevé ${String(i)}.pdf`,
        client_id: randomUUID(),
      }))
      const { status, documents } = await depositMany(user, asked)
      expect([status, documents.length]).toEqual([201, count])
      expect(documents.map(({ sha256 }) => sha256)).toEqual(asked.map(({ sha256 }) => sha256))
      const [batchId = '', ...others] = await waitingBatches(database.db, user)
      expect(others).toEqual([])
      const before = await world.publicLog?.checkpoint()
      await sealBatch(world, batchId)
      expect((await world.publicLog?.checkpoint())?.size).toBe((before?.size ?? 0) + 1)

      const batch = (await findBatches(database.db, [batchId])).get(batchId)
      const members = await listMembers(database.db, batchId)
      const { rows } = await sql<{ document_id: string; path: Buffer }>`
      select p.* from document_path p join document d on d.id = p.document_id
      where d.batch_id = ${batchId}::uuid and d.status = 'final'`.execute(database.db)
      const paths = new Map(rows.map(({ document_id, path }) => [document_id, path]))
      const file = await findBatchFile(database.db, batchId, 'document.tsr')
      const token = file?.data ?? new Uint8Array()
      const records = new Map(
        members.map(({ id, sha256 }) => {
          const octets = paths.get(id) ?? Buffer.alloc(0)
          const path = Array.from({ length: octets.length / 32 }, (_, i) => octets.subarray(i * 32, i * 32 + 32))
          return [id, Buffer.from(buildEvidenceRecord({ leaf: sha256, path, token }))]
        }),
      )
      // What is made of the rows at once is what each call answers.
      for (const { id } of [documents[0], documents[count / 2 - 1], documents[count - 1]].flatMap((each) => each ?? [])) {
        const served: Uint8Array[] = []
        const download = await downloadEvidenceRecord(world, id)
        for await (const chunk of await download.open(0, download.bytes)) served.push(chunk as Uint8Array)
        expect(Buffer.concat(served).equals(records.get(id) ?? Buffer.alloc(0))).toBe(true)
      }
      const framed = documents.flatMap(({ id }) => {
        const record = records.get(id) ?? Buffer.alloc(0)
        const length = Buffer.alloc(4)
        length.writeUInt32BE(record.length)
        return [length, record]
      })
      const [prints, blob] = [join(world.folder, 'fingerprints'), join(world.folder, 'records')]
      await writeFile(prints, asked.map(({ sha256 }) => sha256).join('\n'))
      await writeFile(blob, Buffer.concat(framed))
      const check = ['e2e/oracles/check_batch.py', prints, blob, await saveFile(batchId, 'document-ca.pem')]
      const { stdout } = await run('python3', check)
      expect(JSON.parse(stdout)).toEqual({
        records: count,
        // An odd one goes up.
        steps: whole ? [8, 12, 14] : [8, 10],
        root: Buffer.from(batch?.root ?? []).toString('hex'),
        problems: [],
      })
      // One whose fingerprint is another's is told.
      await writeFile(prints, asked.map(({ sha256 }, i) => (i === 7 ? 'ab'.repeat(32) : sha256)).join('\n'))
      await expect(run('python3', check)).rejects.toThrow()
      // The same call again is the same deposits.
      const again = await depositMany(user, asked)
      expect(again.documents.map(({ id }) => id)).toEqual(documents.map(({ id }) => id))
      expect(await waitingBatches(database.db, user)).toEqual([])
      const tally = await sql<{ category: string; count: number }>`select category, sum(change)::int as count from document_tally
      where owner_id = ${user}::uuid group by 1 having sum(change) <> 0`.execute(database.db)
      expect(tally.rows).toEqual([{ category: 'completed', count }])
    },
  )

  test('up to twenty each has a token of its own, from twenty-one on one covers all', async () => {
    const user = await haveAccount(database.db)
    const direct = await depositsOf(user, 20)
    const together = await depositsOf(user, 21)
    expect(new Set(direct.map(({ batchId }) => batchId)).size).toBe(20)
    expect(new Set(together.map(({ batchId }) => batchId)).size).toBe(1)
    await Promise.all((await waitingBatches(database.db, user)).map(async (id) => await sealBatch(world, id)))
    const first = direct[0]
    const tsr = await saveFile(first?.batchId ?? '', 'document.tsr')
    const digest = Buffer.from(first?.sha256 ?? []).toString('hex')
    const ca = await saveFile(first?.batchId ?? '', 'document-ca.pem')
    const { output } = await runTool(world.folder, 'openssl', 'ts', '-verify', '-digest', digest, '-in', tsr, '-CAfile', ca)
    expect(output).toContain('Verification: OK')
  })

  test('the same fingerprint several times in one batch is one leaf, and several deposits', async () => {
    const user = await haveAccount(database.db)
    const documents = [...fresh(22), { sha256: sha256Hex(user) }, { sha256: sha256Hex(user) }]
    const { documents: made } = await depositMany(user, documents)
    expect(new Set(made.map(({ id }) => id)).size).toBe(24)
    expect(made.slice(-2).map((each) => each.duplicate_of)).toEqual([null, { id: made.at(-2)?.id, sealed_at: null }])
    for (const id of await waitingBatches(database.db, user)) await sealBatch(world, id)
    const both = await Promise.all(made.slice(-2).map(async ({ id }) => await downloadEvidenceRecord(world, id)))
    expect(both[0]?.etag).toBe(both[1]?.etag)
  })

  test('more than a call may hold is refused whole', async () => {
    const user = await haveAccount(database.db)
    expect((await depositMany(user, [])).status).toBe(400)
    expect((await depositMany(user, fresh(10_001))).status).toBe(400)
    const long = { sha256: 'a'.repeat(64), description: 'd'.repeat(2_000) }
    expect(
      (
        await depositMany(
          user,
          Array.from({ length: 2_100 }, () => long),
        )
      ).status,
    ).toBe(413)
    const { rows } = await sql`select from document where owner_id = ${user}::uuid`.execute(database.db)
    expect(rows).toEqual([])
  })
})

describe('an authority that does not answer', () => {
  const away = (name: string): Timestamper => ({
    name,
    embedded: false,
    timestamp: async () => await Promise.reject(new DomainError('unavailable', 'sealing.tsa_unreachable', { authority: name })),
  })
  const stateOf = async (id: string) => {
    const row = await database.db
      .selectFrom('document')
      .innerJoin('document_batch', 'document_batch.id', 'document.batch_id')
      .select(['document.status', 'document_batch.state', 'document_batch.attempts', 'document_batch.failure'])
      .where('document.id', '=', id)
      .executeTakeFirst()
    return row
  }
  const jobsOf = async (batchId: string) => {
    const { rows } = await sql<{
      run_at: Date
    }>`select run_at from graphile_worker._private_jobs where key = ${`seal:${batchId}`}`.execute(database.db)
    return rows.map(({ run_at }) => run_at)
  }

  test('keeps the deposit waiting, never final with our own stamp; after a day it has failed, and is tried again when asked', async () => {
    const user = await haveAccount(database.db)
    const started = now
    const [deposit] = await depositsOf(user, 1)
    const [batchId, id] = [deposit?.batchId ?? '', deposit?.id ?? '']
    const without = { ...world, timestampers: [away('https://tsa.example/'), ...world.timestampers] }
    const size = (await world.publicLog?.checkpoint())?.size
    await sealBatch(without, batchId)
    expect(await stateOf(id)).toEqual({
      status: 'stamping',
      state: 'stamping',
      attempts: 1,
      failure: 'sealing.no_timestamp',
    })
    expect(await jobsOf(batchId)).toEqual([new Date(now.getTime() + pauseAfter(0))])
    now = new Date(now.getTime() + 60_000)
    await sealBatch(without, batchId)
    expect(await jobsOf(batchId)).toEqual([new Date(now.getTime() + pauseAfter(1))])
    expect((await world.publicLog?.checkpoint())?.size).toBe(size)
    now = new Date(started.getTime() + 24 * 3_600_000)
    await sealBatch(without, batchId)
    expect(await stateOf(id)).toMatchObject({ status: 'failed', state: 'failed' })
    const headers = { authorization: `Bearer ${user}` }
    const failed = await server.inject({ method: 'GET', url: `/documents/${id}/`, headers })
    expect(failed.json()).toMatchObject({ status: 'failed', failure: { code: 'sealing.no_timestamp' } })
    const again = await server.inject({ method: 'PATCH', url: `/documents/${id}/`, headers, payload: { agree: true } })
    expect(again.json()).toMatchObject({ status: 'stamping', failure: null })
    const [next = ''] = await waitingBatches(database.db, user)
    expect(next).not.toBe(batchId)
    await sealBatch(world, next)
    // The old batch is over for good.
    await sealBatch(world, batchId)
    expect(await stateOf(id)).toMatchObject({ status: 'final', state: 'sealed' })
  })

  test('whose job was lost is given up too, by the minute’s look', async () => {
    const user = await haveAccount(database.db)
    const [deposit] = await depositsOf(user, 1)
    await sql`delete from graphile_worker._private_jobs`.execute(database.db)
    now = new Date(now.getTime() + 24 * 3_600_000)
    expect(await giveUpBatches(world)).toBeGreaterThan(0)
    expect(await stateOf(deposit?.id ?? '')).toMatchObject({ status: 'failed', failure: 'sealing.no_timestamp' })
  })

  test('E-55 an account that wants no outside authority is stamped by ours alone', async () => {
    const user = await haveAccount(database.db)
    await database.db.insertInto('account_settings').values({ user_id: user, eidas_timestamping: false }).execute()
    const [deposit] = await depositsOf(user, 1)
    await sealBatch({ ...world, timestampers: [away('https://tsa.example/'), ...world.timestampers] }, deposit?.batchId ?? '')
    expect(await stateOf(deposit?.id ?? '')).toMatchObject({ status: 'final' })
  })
})

test('what the log is given of a deposit is not its fingerprint', async () => {
  const user = await haveAccount(database.db)
  const [deposit] = await depositsOf(user, 1)
  await sealBatch(world, deposit?.batchId ?? '')
  const batch = (await findBatches(database.db, [deposit?.batchId ?? ''])).get(deposit?.batchId ?? '')
  if (batch?.root == null) throw new Error('nothing was sealed')
  expect(await world.publicLog?.find(batch.root)).toBeNull()
  expect((await world.publicLog?.find(loggedOf(batch, batch.root)))?.index).toBe(batch.summary?.log?.index)
})
