import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { withDatabase } from '../../testing/database.ts'
import { silentLog } from '../log/log.ts'
import { defineJob, enqueue, handle } from './jobs.ts'
import { listRunningPayloads } from './liveness.ts'
import { sweepWork } from './sweep-work.ts'
import { runWorker } from './worker.ts'

const database = withDatabase()
const job = defineJob('test.make_something', z.object({ document_id: z.uuid() }))

test('what jobs of dead workers left goes; what a living one works in stays, and so does whatever is no job’s', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sweep-work-'))
  const [living, dead, waiting] = [randomUUID(), randomUUID(), randomUUID()]
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const worker = await runWorker({
    databaseUrl: database.url,
    jobs: [job],
    handlers: [
      handle(job, async () => {
        begun.resolve()
        await end.promise
      }),
    ],
    concurrency: 1,
    log: silentLog,
  })
  try {
    await enqueue(database.db, job, { document_id: living })
    await begun.promise
    // Another one that nobody has begun.
    await enqueue(database.db, job, { document_id: waiting })
    expect(await listRunningPayloads(database.url)).toEqual([{ document_id: living }])
    const stays = [`certificate-${living}-${randomUUID()}`, 'notes', `copy-${dead}`]
    const goes = [
      `certificate-${dead}-${randomUUID()}`,
      `certificate-${waiting}-${randomUUID()}`,
      `finalize-${dead}`,
      `preview-${dead}-en`,
      `swept-${randomUUID()}`,
    ]
    for (const name of [...stays, ...goes]) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'certificate.en.pdf'), 'half')
    }
    expect(await sweepWork(folder, await listRunningPayloads(database.url))).toBe(goes.length)
    expect((await readdir(folder)).toSorted()).toEqual(stays.toSorted())
    expect(await sweepWork(folder, [{ document_id: living }])).toBe(0)
  } finally {
    end.resolve()
    await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
