import { Counter, type Registry } from 'prom-client'
import type { Log } from '../../../platform/log/log.ts'

/** Less than the ten seconds that Prometheus waits by itself. */
const patienceMs = 5_000

export type ReadInTime = (fact: string, read: () => Promise<void>) => Promise<void>

/** Reads what a scrape tells; what fails, or takes too long, is counted, and hinders nothing else. */
export function createReadInTime(registry: Registry, log: Log): ReadInTime {
  const failures = new Counter({
    name: 'probant_facts_failures_total',
    help: 'Facts that could not be read for a scrape, by which.',
    labelNames: ['fact'],
    registers: [registry],
  })
  const under = new Map<string, Promise<void>>()
  return async (fact, read) => {
    failures.inc({ fact }, 0)
    // One that hangs is not asked a second time beside.
    const reading = under.get(fact) ?? read().finally(() => under.delete(fact))
    under.set(fact, reading)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs)
    try {
      await Promise.race([reading, late.promise])
    } catch (error) {
      failures.inc({ fact })
      log.warn({ err: error, fact }, 'a fact was not read for a scrape')
    } finally {
      clearTimeout(timer)
    }
  }
}
