/** Whether the books hold: every line is read for it, so not at each scrape. */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import { readInvariants, type Reading } from '../../../modules/billing/server/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { ReadInTime } from './read-in-time.ts'

const lookEveryMs = 15 * 60_000

/** @returns what is called before each scrape: what was seen last is told, and looked at anew where that was long ago. */
export function tellJournal(
  registry: Registry,
  { db, clock, readInTime }: { readonly db: Db; readonly clock: Clock; readonly readInTime: ReadInTime },
): () => Promise<void> {
  const broken = new Gauge({
    name: 'probant_journal_broken',
    help: 'Places in the books where an invariant does not hold, ten at most.',
    labelNames: ['invariant'],
    registers: [registry],
  })
  const age = new Gauge({
    name: 'probant_journal_look_age_seconds',
    help: 'Time since the invariants of the books were last looked at.',
    labelNames: [],
    registers: [registry],
  })
  let looked: { readonly atMs: number; readonly readings: readonly Reading[] } | undefined
  return async () => {
    const now = () => clock.now().getTime()
    if (looked === undefined || now() - looked.atMs >= lookEveryMs)
      // Whoever is not patient enough is told at his next visit.
      await readInTime('journal', async () => {
        looked = { readings: await readInvariants(db), atMs: now() }
      })
    if (looked === undefined) {
      age.remove()
      return
    }
    for (const { name, broken: places } of looked.readings) broken.set({ invariant: name }, places.length)
    age.set((now() - looked.atMs) / 1000)
  }
}
