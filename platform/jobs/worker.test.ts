import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { withDatabase } from '../../testing/database.ts'
import { silentLog } from '../log/log.ts'
import { defineJob, enqueue, handle } from './jobs.ts'
import { runWorker, type Worker } from './worker.ts'

const database = withDatabase()
const noteJob = defineJob('test.write_note', z.object({ note_id: z.string() }))
const otherJob = defineJob('test.other_work', z.object({ note_id: z.string() }))

async function withWorker<T>(
  run: (note: { id: string; attempt: number }) => Promise<void>,
  body: (worker: Worker) => Promise<T>,
): Promise<T> {
  const worker = await runWorker({
    databaseUrl: database.url,
    jobs: [noteJob],
    handlers: [handle(noteJob, async ({ note_id }, { attempt }) => await run({ id: note_id, attempt }))],
    concurrency: 2,
    log: silentLog,
  })
  try {
    return await body(worker)
  } finally {
    await worker.stop()
  }
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from graphile_worker.jobs`.execute(database.db)
  return rows[0]?.n ?? -1
}

test('a job exists exactly when its transaction was committed', async () => {
  await expect(
    database.db.transaction().execute(async (tx) => {
      await enqueue(tx, noteJob, { note_id: 'undone' })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  const done = Promise.withResolvers<string>()
  await database.db.transaction().execute(async (tx) => await enqueue(tx, noteJob, { note_id: 'done' }))
  expect(await waiting()).toBe(1)
  await withWorker(
    async ({ id }) => done.resolve(id),
    async () => expect(await done.promise).toBe('done'),
  )
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
})

test('a job with the key of a waiting one replaces it', async () => {
  const runAt = new Date(Date.now() + 3_600_000)
  await enqueue(database.db, noteJob, { note_id: 'a' }, { key: 'k', runAt })
  await enqueue(database.db, noteJob, { note_id: 'b' }, { key: 'k' })
  const done = Promise.withResolvers<string>()
  await withWorker(
    async ({ id }) => done.resolve(id),
    async () => expect(await done.promise).toBe('b'),
  )
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
})

test('a payload that breaks its schema is refused when enqueued', async () => {
  await expect(enqueue(database.db, noteJob, { note_id: 1 } as unknown as { note_id: string })).rejects.toThrow('note_id')
})

test('boot fails on a job without handler and on a handler without job', async () => {
  const options = { databaseUrl: database.url, concurrency: 1, log: silentLog }
  await expect(runWorker({ ...options, jobs: [noteJob], handlers: [handle(otherJob, async () => undefined)] })).rejects.toThrow(
    'job test.write_note has no handler; handler of undeclared job test.other_work',
  )
})

test('a failed job is tried again, up to its attempts', async () => {
  await enqueue(database.db, noteJob, { note_id: 'x' }, { maxAttempts: 2 })
  const attempts: number[] = []
  const second = Promise.withResolvers<void>()
  await withWorker(
    async ({ attempt }) => {
      attempts.push(attempt)
      if (attempt === 2) second.resolve()
      // The wait before the next attempt is the queue's matter: bring it forward.
      else setImmediate(() => void bringForward())
      throw new Error('not yet')
    },
    async () => await second.promise,
  )
  expect(attempts).toEqual([1, 2])
  const { rows } = await sql<{ attempts: number }>`delete from graphile_worker._private_jobs returning attempts`.execute(
    database.db,
  )
  expect(rows).toEqual([{ attempts: 2 }])

  async function bringForward(): Promise<void> {
    const { numAffectedRows } =
      await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts = 1`.execute(
        database.db,
      )
    if (numAffectedRows === 0n) setImmediate(() => void bringForward())
  }
})

test('the job of a killed worker is taken over at once; that of a living one is not', async () => {
  await enqueue(database.db, noteJob, { note_id: 'orphan' })
  // A process that takes the job, says so, and holds it for ever.
  const modules = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `
    import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
    import { defineJob, handle } from ${modules('./jobs.ts')}
    import { runWorker } from ${modules('./worker.ts')}
    import { silentLog } from ${modules('../log/log.ts')}
    const job = defineJob('test.write_note', z.object({ note_id: z.string() }))
    await runWorker({ databaseUrl: ${JSON.stringify(database.url)}, jobs: [job], concurrency: 1, log: silentLog,
      handlers: [handle(job, async () => { process.stdout.write('taken'); await new Promise(() => {}) })] })`
  const holder = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')

  const taken: string[] = []
  const options = { databaseUrl: database.url, jobs: [noteJob], concurrency: 1, log: silentLog }
  const done = Promise.withResolvers<void>()
  const handler = handle(noteJob, async ({ note_id }) => {
    taken.push(note_id)
    if (note_id === 'orphan') done.resolve()
  })
  const bystander = await runWorker({ ...options, handlers: [handler], sweepMs: 20 })
  try {
    const passed = Promise.withResolvers<void>()
    const probe = defineJob('test.other_work', z.object({ note_id: z.string() }))
    // Another worker's whole start and a whole job pass, with sweeps in between: the held job stays where it is.
    const second = await runWorker({
      ...options,
      jobs: [noteJob, probe],
      handlers: [handler, handle(probe, async () => passed.resolve())],
    })
    await enqueue(database.db, probe, { note_id: 'p' })
    await passed.promise
    await second.stop()
    expect(taken).toEqual([])
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await done.promise
    expect(taken).toEqual(['orphan'])
  } finally {
    holder.kill('SIGKILL')
    await bystander.stop()
  }
})

test('a crontab names declared jobs by their whole name', async () => {
  const options = {
    databaseUrl: database.url,
    concurrency: 1,
    log: silentLog,
    jobs: [noteJob],
    handlers: [handle(noteJob, async () => undefined)],
  }
  await expect(runWorker({ ...options, crontab: '* * * * * test.no_such' })).rejects.toThrow('undeclared job test.no_such')
  await expect(runWorker({ ...options, crontab: '* * * * test.write_note' })).rejects.toThrow('not a crontab line')
  await expect(runWorker({ ...options, crontab: '99 * * * * test.write_note' })).rejects.toThrow()
  const worker = await runWorker({ ...options, crontab: '# every minute\n* * * * * test.write_note' })
  await worker.stop()
  const { rows } = await sql`select identifier from graphile_worker._private_known_crontabs`.execute(database.db)
  expect(rows).toEqual([{ identifier: 'test:write_note' }])
})
