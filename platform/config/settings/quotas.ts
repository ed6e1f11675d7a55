/** Who may ask for how much, and how long the queue is. */
import { integer } from './parsers.ts'
import { setting } from './setting.ts'

export const quotas = {
  freePreviews: setting({
    name: 'PROBANT_PREVIEWS_FREE',
    ...integer(0, 1_000_000),
    fallback: 3,
    fallbackText: '`3`',
    meaning:
      'Previews that visitors without account of one block of addresses (IPv4 /24, IPv6 /56) may ask for in 24 hours, one at a time, without more ado. Each further one costs their machine a proof of work, which grows.',
  }),
  mostPreviews: setting({
    name: 'PROBANT_PREVIEWS_MOST',
    ...integer(1, 1_000_000),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'Previews that such visitors may ask for in 24 hours at all, those that cost work included.',
  }),
  draftsPerAccount: setting({
    name: 'PROBANT_DRAFTS_PER_ACCOUNT',
    ...integer(0, 1_000_000),
    fallback: 5,
    fallbackText: '`5`',
    meaning: 'Drafts of reports that one account may have at a time, being made or waiting for its decision; `0`: any number.',
  }),
  reportsPerMonth: setting({
    name: 'PROBANT_REPORTS_PER_MONTH',
    ...integer(0, 1_000_000),
    fallback: 0,
    fallbackText: '`0`: any number',
    meaning: 'Reports that one account may make in a calendar month (UTC), its drafts counted; `0`: any number.',
  }),
  queueLength: setting({
    name: 'PROBANT_QUEUE_LENGTH',
    ...integer(2, 1_000_000),
    fallback: 1000,
    fallbackText: '`1000`',
    meaning:
      'Captures that may wait in all, half of them of visitors without account at most; whoever asks for one more is told to come back.',
  }),
  targetAtOnce: setting({
    name: 'PROBANT_TARGET_AT_ONCE',
    ...integer(0, 1_000),
    fallback: 4,
    fallbackText: '`4`',
    meaning:
      'Captures of one host that run at a time, over all servers; others of it wait, and let those behind them pass. `0`: any number.',
  }),
  targetPerMinute: setting({
    name: 'PROBANT_TARGET_PER_MINUTE',
    ...integer(0, 100_000),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'Captures of one host that are begun in a minute, over all servers; others of it wait. `0`: any number.',
  }),
} as const
