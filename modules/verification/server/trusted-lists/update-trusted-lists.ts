import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { defineJob, handle } from '../../../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { journalSigners } from '../../domain/trusted-list/journal-signers.ts'
import type { JournalSigners } from '../../domain/trusted-list/journal-signers.ts'
import { readTrustedLists } from '../../domain/known/trusted-lists.ts'
import { findReading, findReadingTimes, saveReading } from './lists-store.ts'
import { collectTrustedLists } from './collect-trusted-lists.ts'
import { newerOf } from './current-lists.ts'
import { fetchList } from './fetch-list.ts'
import { shippedLists } from './shipped-lists.ts'

export type UpdateListsDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** Address of the list of lists; null: nothing is read, the shipped snapshot stands. */
  readonly lotlUrl: string | null
  readonly allowAddresses: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly journal?: JournalSigners
}

const hour = 3_600_000
/** Every State reissues its list within six months, and most when something changes: once a day is soon enough. */
const everyMs = 24 * hour
/** After a failure of the whole. */
const againMs = 6 * hour

/**
 * Reads the lists from their sources when they are due, and keeps what was good where they are not. One failure never loses what
 * was known: the new state replaces the old one in a single write.
 * @returns whether the sources were asked
 */
export async function updateTrustedLists(deps: UpdateListsDeps, { signal }: { signal?: AbortSignal } = {}): Promise<boolean> {
  const { db, clock, log, lotlUrl } = deps
  if (lotlUrl === null || !(await isDue(deps))) return false
  const before = await findReading(db)
  const read = before === undefined || before.lists === null ? undefined : readTrustedLists(JSON.parse(before.lists))
  const { lists: shipped } = shippedLists()
  const { allowAddresses, timeoutMs, maxBytes, journal = journalSigners } = deps
  const { lists, outcomes } = await collectTrustedLists(
    {
      fetch: async (url) =>
        await fetchList({ allowAddresses, timeoutMs, maxBytes, ...(signal === undefined ? {} : { signal }) }, url),
      clock,
      lotlUrl,
      journal,
    },
    read === undefined ? shipped : newerOf(read, shipped),
  )
  const whole = outcomes.some(({ territory, state }) => territory === 'EU' && state === 'fresh')
  for (const { territory, url, flaw } of outcomes)
    if (flaw !== null) log.warn({ territory, url, flaw }, 'a trusted list was not taken')
  const at = clock.now()
  await saveReading(db, {
    lists: whole && lists !== undefined ? JSON.stringify(lists) : (before?.lists ?? null),
    outcomes,
    checkedAt: at,
    readAt: whole ? at : (before?.readAt ?? null),
  })
  if (whole) log.info({ lotl: lists?.lotl.sequence_number, lists: lists?.lists.length }, 'the trusted lists were read')
  return true
}

async function isDue({ db, clock }: UpdateListsDeps): Promise<boolean> {
  const times = await findReadingTimes(db)
  if (times === undefined) return true
  const failed = times.readAt === null || times.readAt < times.checkedAt
  return clock.now().getTime() - times.checkedAt.getTime() >= (failed ? againMs : everyMs)
}

export const updateListsJob = defineJob('verification.update_trusted_lists', z.object({}).loose())

/** Each hour it is looked whether a reading is due: one missed while no worker lived is made up for. */
export const trustedListCrontab = `23 * * * * ${updateListsJob.name}`

export function updateListsHandler(deps: UpdateListsDeps): JobHandler {
  return handle(updateListsJob, async (_payload, { signal }) => {
    await updateTrustedLists(deps, { signal })
  })
}
