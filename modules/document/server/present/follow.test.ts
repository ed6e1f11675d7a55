import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../../../platform/db/listen.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { documentLabel, type Document } from '../../contract/document.ts'
import { findBatchFile } from '../deposit/batch-store.ts'
import { changeDocument } from '../change/change-document.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { openDepositWorld, sha256Hex, waitingBatches, type DepositWorld } from '../deposits.test-data.ts'
import { createDocumentChanges, documentChannel, type DocumentChanges } from '../deposit/document-changes.ts'
import { followDocument } from './follow-document.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { findDocument } from '../deposit/store.ts'

const database = withDatabase()
let world: DepositWorld
let tsa: OutsideTsa
let changes: DocumentChanges
let subscription: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  tsa = await startOutsideTsa({ key: 'ec' })
  world = await openDepositWorld(database.db, { urls: [tsa.url] })
  changes = createDocumentChanges()
  subscription = await listen(database.url, documentChannel, (payload) => changes.announce(payload), {
    log: silentLog,
    onReconnect: () => changes.announceAll(),
  })
})
afterAll(async () => {
  await subscription.close()
  await tsa.close()
  await world.remove()
})

test('H-28 C-75 the token of an outside authority is over the file itself', async () => {
  const user = await haveAccount(database.db)
  const content = randomUUID()
  const documents = [{ sha256: sha256Hex(content), store: false }]
  const [made] = await createDocuments(world, actorOf(user), { documents, agree: true })
  await sealBatch(world, made?.batchId ?? '')
  const record = await findDocument(database.db, made?.id ?? '')
  expect(record?.status).toBe('final')
  const row = await database.db
    .selectFrom('document_batch')
    .select('summary')
    .where('id', '=', made?.batchId ?? '')
    .executeTakeFirstOrThrow()
  expect(row.summary).toMatchObject({ timestamps: [{ file: 'document.tsr', embedded: false }] })
  await writeFile(join(world.folder, 'file'), content)
  for (const name of ['document.tsr', 'document-ca.pem'])
    await writeFile(join(world.folder, name), (await findBatchFile(database.db, made?.batchId ?? '', name))?.data ?? '')
  const verify = ['ts', '-verify', '-data', 'file', '-in', 'document.tsr', '-CAfile', 'document-ca.pem']
  expect((await runTool(world.folder, 'openssl', ...verify)).output).toContain('Verification: OK')
})

test.each([1, 120])('whoever follows a deposit among %d sees it through to the end, and the stream ends', async (count) => {
  const user = await haveAccount(database.db)
  const actor = actorOf(user)
  const documents = Array.from({ length: count }, () => ({ sha256: sha256Hex(randomUUID()), store: false }))
  const [made] = await createDocuments(world, actor, { documents, agree: true })
  const id = made?.id ?? ''
  const seen: string[] = []
  const stop = new AbortController()
  const following = (async () => {
    for await (const { data } of followDocument(world, changes, actor, id, { signal: stop.signal })) {
      const shown = data as Document
      seen.push(`${shown.status} ${shown.label} ${String(shown.certificates !== null)}`)
      // Each step once the one before was seen: several between two looks would be one.
      if (seen.length === 1) await changeDocument(world, actor, id, { label: documentLabel.parse(' Chair ') })
      if (seen.length === 2) for (const batch of await waitingBatches(database.db, user)) await sealBatch(world, batch)
      if (seen.length === 3 && count === 1)
        for (const locale of ['en', 'fr']) {
          await sql`insert into document_certificate (document_id, locale, edition, anchored, says, bytes, sha256, made_at)
            values (${id}::uuid, ${locale}, 1, false, ${sha256Hex('facts')}, 1, ${sha256Hex(locale)}, now())`.execute(database.db)
          await sql`select pg_notify(${documentChannel}, ${id})`.execute(database.db)
        }
    }
  })()
  await following
  const steps = ['stamping  false', 'stamping Chair false', 'final Chair false']
  expect(seen).toEqual(count === 1 ? [...steps, 'final Chair true'] : steps)
})

test('who may no longer see it is told nothing more; who goes away leaves nobody waiting', async () => {
  const user = await haveAccount(database.db)
  const [draft] = await createDocuments(world, actorOf(user), {
    documents: [{ sha256: sha256Hex(user), store: false }],
    agree: false,
  })
  const id = draft?.id ?? ''
  const stop = new AbortController()
  const left = followDocument(world, changes, actorOf(user), id, { signal: stop.signal })
  expect((await left.next()).done).toBe(false)
  const next = left.next()
  stop.abort()
  expect((await next).done).toBe(true)
  const gone = followDocument(world, changes, actorOf(user), id, { signal: new AbortController().signal })
  expect((await gone.next()).done).toBe(false)
  const after = gone.next()
  await sql`delete from document where id = ${id}::uuid`.execute(database.db)
  changes.announceAll()
  expect((await after).done).toBe(true)
})

test('two who agree at once to the same deposit: one does', async () => {
  const user = await haveAccount(database.db)
  const [draft] = await createDocuments(world, actorOf(user), {
    documents: [{ sha256: sha256Hex(user), store: false }],
    agree: false,
  })
  const id = draft?.id ?? ''
  const answers = await Promise.allSettled(
    [1, 2, 3].map(async () => await changeDocument(world, actorOf(user), id, { agree: true })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await waitingBatches(database.db, user)).toHaveLength(1)
})

test('the database itself refuses what the states do not allow', async () => {
  const user = await haveAccount(database.db)
  const [made] = await createDocuments(world, actorOf(user), {
    documents: [{ sha256: sha256Hex(user), store: false }],
    agree: true,
  })
  await sealBatch(world, made?.batchId ?? '')
  const id = made?.id ?? ''
  const refused = async (change: ReturnType<typeof sql>) =>
    await expect(change.execute(database.db)).rejects.toThrow(/document|batch/)
  await refused(sql`update document set status = 'draft', sealed_at = null, expires_at = now() where id = ${id}::uuid`)
  await refused(sql`update document set sha256 = sha256('x') where id = ${id}::uuid`)
  await refused(sql`update document set sealed_at = now() where id = ${id}::uuid`)
  await refused(sql`update document_batch set root = sha256('x') where id = ${made?.batchId ?? ''}::uuid`)
  await refused(
    sql`update document_batch set state = 'failed', failure = 'x', sealed_at = null where id = ${made?.batchId ?? ''}::uuid`,
  )
})
