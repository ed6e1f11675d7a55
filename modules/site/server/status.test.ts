import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../../platform/db/database.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { defineJob, enqueue } from '../../../platform/jobs/jobs.ts'
import { haveServer } from '../../../testing/capture-server.ts'
import { urlOfDatabase } from '../../../testing/database-url.ts'
import { withDatabase } from '../../../testing/database.ts'
import { createStatus } from './status.ts'

const database = withDatabase()
const sealJob = defineJob('evidence.seal_evidence', z.object({}))
const mailJob = defineJob('account.send_mail', z.object({}))
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('each part says what was measured of it, in either language; between two looks the first answer holds', async () => {
  let now = new Date()
  const { db } = database
  const read = createStatus({ db, clock: { now: () => now }, isAnchoring: false })
  const of = async (part: string, locale: 'en' | 'fr' = 'en') => (await read(locale)).parts.find((each) => each.part === part)
  expect(await of('queue')).toEqual({
    part: 'queue',
    state: 'works',
    word: 'Works',
    measured: 'Nothing waits.',
    facts: { waiting: 0, oldest_seconds: null },
  })
  expect(await of('capture')).toMatchObject({
    state: 'fails',
    measured: 'No server takes captures.',
    facts: { servers: 0, ready: 0 },
  })
  expect(await of('anchoring', 'fr')).toMatchObject({ state: 'off', word: 'Non utilisé ici', measured: '' })
  expect(await of('log')).toMatchObject({ state: 'unmeasured', measured: 'Nothing has been entered yet.' })

  await haveServer(db, 'paris-1')
  await enqueue(db, sealJob, {}, { runAt: minutesAgo(4.5) })
  await enqueue(db, sealJob, {}, { runAt: minutesAgo(1) })
  await enqueue(db, sealJob, {}, { runAt: minutesAgo(-60) })
  await enqueue(db, mailJob, {}, { runAt: minutesAgo(-10) })
  await sql`update graphile_worker._private_jobs job set attempts = 3 from graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = ${mailJob.name}`.execute(db)
  await db
    .insertInto('time_authority')
    .values({
      name: 'https://tsa.example/',
      checked_at: new Date('2026-11-20T10:00:00Z'),
      state: 'silent',
      reason: 'timeout',
      provider: null,
      territory: null,
    })
    .execute()
  expect(await of('queue')).toMatchObject({ measured: 'Nothing waits.' })
  now = new Date(now.getTime() + 10_000)
  expect(await of('queue')).toMatchObject({
    state: 'impaired',
    measured: '2 pieces of work wait, the first for 5 minutes at most.',
    facts: { waiting: 2 },
  })
  expect(await of('capture', 'fr')).toMatchObject({
    state: 'works',
    measured: 'Le seul serveur qui donne signe de vie prend des captures.',
  })
  expect(await of('mail')).toMatchObject({ state: 'impaired', facts: { failed: 1 } })
  const authorities = await of('authorities')
  expect(authorities).toMatchObject({ state: 'fails', facts: { asked: 1, answered: 0, asked_at: '2026-11-20T10:00:00.000Z' } })
  expect(authorities?.measured).toBe('One is asked, and did not answer; last on 20 November 2026, 10:00:00 UTC.')
  // No name, address or machine is told.
  expect(JSON.stringify(await read('en'))).not.toContain('tsa.example')
})

test('where the database cannot be asked that is what is said', async () => {
  const nowhere = openDatabase(urlOfDatabase(database.url, 'nowhere'), { max: 1, log: silentLog })
  onTestFinished(() => nowhere.destroy())
  const { parts } = await createStatus({ db: nowhere, clock: { now: () => new Date() }, isAnchoring: true })('fr')
  expect(parts.map(({ state }) => state)).toEqual(['fails', ...Array.from({ length: 6 }, () => 'unmeasured')])
  expect(parts.map(({ measured }) => measured).join('')).toBe('')
})
