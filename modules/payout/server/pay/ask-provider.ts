import type { Attempt, Outcome } from '../../../billing/server/index.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import { findKnownPayee } from '../keep/payee-store.ts'
import type { Payout } from '../keep/payout-store.ts'

/** As long as the provider remembers keys, and an hour less: the same call may be sent again until then. */
const keyMs = 22 * 3_600_000

/** What was heard, and of which of the two steps. */
export type Heard = {
  readonly step: 'grant' | 'payout'
  /** `withdrawn`: it is certain that it was not taken in, and it is not sent again. */
  readonly outcome: Outcome | { readonly state: 'withdrawn' }
}

export const stillToGrant = ({ grossCents, heldCents }: Pick<Payout, 'grossCents' | 'heldCents'>): number =>
  grossCents - heldCents

/**
 * Asks for the step that is next, or what became of it: first what is granted to the payee's purse, then what leaves that for his bank. By the name that
 * the provider gave it; without one by the same key, and once that may be forgotten by its tag. A new key is never taken.
 */
export async function askProvider(deps: PayoutDeps, payout: Payout): Promise<Heard> {
  const { db, provider, clock } = deps
  const step = payout.grantReference === null && stillToGrant(payout) > 0 ? 'grant' : 'payout'
  const payouts = provider?.payouts
  if (payouts === undefined || provider?.realm !== payout.realm) return { step, outcome: { state: 'unknown' } }
  if (payout.reference !== null) return { step: 'payout', outcome: await payouts.readPayOut(payout.reference) }
  const known = await findKnownPayee(db, payout.userId, payout.realm)
  if (known?.reference == null || known.accountReference === null) return { step, outcome: { state: 'withdrawn' } }
  const { reference: customer, accountReference: payee } = known
  const attempt: Attempt = {
    key: step === 'grant' ? payout.grantKey : payout.payoutKey,
    tag: `${step} ${payout.id}`,
    // Of the second step the key was sent later at the earliest.
    since: payout.createdAt,
  }
  const isRemembered = clock.now().getTime() - payout.createdAt.getTime() < keyMs
  if (isRemembered) {
    const cents = step === 'grant' ? stillToGrant(payout) : payout.grossCents
    const amount = { cents, currency: 'EUR' } as const
    const outcome =
      step === 'grant'
        ? await payouts.grant({ customer, amount }, attempt)
        : await payouts.payOut({ customer, payee, amount, reference: payout.referenceText }, attempt)
    return { step, outcome }
  }
  const search = { customer, attempt }
  const found = step === 'grant' ? await payouts.findGrant(search) : await payouts.findPayOut(search)
  return { step, outcome: found.state === 'absent' ? { state: 'withdrawn' } : found }
}
