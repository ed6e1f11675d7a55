import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { postPayeeEntry } from '../../../billing/server/index.ts'
import { failureOf } from '../../domain/status.ts'
import { findLocale } from '../bill/bill-store.ts'
import { byHand, type PayoutDeps } from '../keep/deps.ts'
import { holdPayee } from '../keep/earning-store.ts'
import { mailPayoutJob, makePapersJob } from '../keep/jobs.ts'
import { wishPaper } from '../keep/paper-store.ts'
import { changePayout, findPayout, notePayout, type Payout, type PayoutNews } from '../keep/payout-store.ts'
import { stillToGrant, type Heard } from './ask-provider.ts'

type Deps = Pick<PayoutDeps, 'db' | 'clock' | 'log'>

const minute = 60_000
const day = 24 * 60 * minute
/** A bank may send money back weeks later: so long is it asked. */
const returnedDays = 60

/** Sooner while it has only just been asked, rarely where banks take days. */
function askAt({ asked }: Payout, state: Heard['outcome']['state'], now: Date): Date {
  const doubling = Math.min(day / 24, minute * 2 ** Math.min(asked, 10))
  return new Date(now.getTime() + (state === 'processing' ? 12 * 60 * minute : doubling))
}

const amountOfPayout = ({ netCents: net, vatCents: vat, grossCents: gross }: Payout) => ({ net, vat, gross })
const throughOf = ({ realm }: Payout) => (realm === byHand ? 'bank' : 'provider')

async function tell(tx: Tx, { id }: Payout, occasion: 'success' | 'failed' | 'returned'): Promise<void> {
  await enqueue(tx, mailPayoutJob, { payout_id: id, occasion }, { key: `payout:${id}:${occasion}` })
}

/** It reached his bank: into the journal, and he is written to. */
export async function succeed(tx: Tx, { clock }: Pick<Deps, 'clock'>, payout: Payout, told: PayoutNews): Promise<void> {
  const now = clock.now()
  const askLater = payout.realm === byHand ? null : new Date(now.getTime() + day)
  await changePayout(tx, payout, 'success', { ...told, askAt: askLater }, now)
  await postPayeeEntry(tx, { kind: 'payout', amount: amountOfPayout(payout), through: throughOf(payout) }, now)
  await wishPaper(tx, { payoutId: payout.id, kind: 'statement', locale: await findLocale(tx, payout.userId) }, now)
  await tell(tx, payout, 'success')
}

/** S-21: what was reserved is his again, and is tried anew next month, under another key. */
export async function fail(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  payout: Payout,
  why: string,
  code: string | null,
): Promise<void> {
  const told = { failure: failureOf(why), failureCode: code?.slice(0, 200) ?? null, askAt: null }
  await changePayout(tx, payout, 'failed', told, clock.now())
  await tell(tx, payout, 'failed')
}

/** His bank sent it back: it is owed again. */
export async function takeBack(tx: Tx, { clock }: Pick<Deps, 'clock'>, payout: Payout): Promise<void> {
  const now = clock.now()
  await changePayout(tx, payout, 'returned', {}, now)
  await postPayeeEntry(tx, { kind: 'payout_returned', amount: amountOfPayout(payout), through: throughOf(payout) }, now)
  await enqueue(tx, makePapersJob, {}, { key: makePapersJob.name })
  await tell(tx, payout, 'returned')
}

async function note(tx: Tx, deps: Deps, id: string, { step, outcome }: Heard): Promise<void> {
  const before = await findPayout(tx, id)
  if (before === null) return
  await holdPayee(tx, before.userId)
  const payout = await findPayout(tx, id)
  if (payout === null || payout.status === 'failed' || payout.status === 'returned') return
  const now = deps.clock.now()
  const payment = 'payment' in outcome && outcome.payment !== null ? outcome.payment : undefined
  if (payout.status === 'success') {
    if (outcome.state === 'reversed') return await takeBack(tx, deps, payout)
    const isOver = now.getTime() - (payout.settledAt ?? now).getTime() > returnedDays * day
    return await notePayout(tx, id, { askAt: isOver ? null : new Date(now.getTime() + day) })
  }
  if (step === 'grant') {
    if (payout.grantReference !== null) return
    if (outcome.state === 'succeeded') {
      const grantedCents = stillToGrant(payout)
      await notePayout(tx, id, { grantReference: payment, grantedCents, askAt: now })
      return await postPayeeEntry(tx, { kind: 'payout_granted', cents: grantedCents }, now)
    }
  }
  switch (outcome.state) {
    case 'succeeded':
      return await succeed(tx, deps, payout, { reference: payment })
    case 'refused':
      return await fail(tx, deps, payout, outcome.reason, outcome.code)
    case 'withdrawn':
      return await fail(tx, deps, payout, 'not_sent', null)
    case 'reversed':
      // He succeeded and was sent back before anybody looked.
      await succeed(tx, deps, payout, { reference: payment })
      return await takeBack(tx, deps, { ...payout, status: 'success' })
    default:
      return await notePayout(tx, id, {
        reference: step === 'payout' ? payment : undefined,
        askAt: askAt(payout, outcome.state, now),
      })
  }
}

/** What was heard of a payout, from whomever, goes into the books, once. Heard again, late or in another order, it changes nothing. */
export async function noteOutcome(deps: Deps, id: string, heard: Heard): Promise<void> {
  await deps.db.transaction().execute(async (tx) => await note(tx, deps, id, heard))
}
