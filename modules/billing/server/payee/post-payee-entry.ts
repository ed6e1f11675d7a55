import type { Tx } from '../../../../platform/db/database.ts'
import * as entries from '../../domain/journal/entry.ts'
import type { Amount, Cents } from '../../domain/money/money.ts'
import { holdNumbers } from '../invoice/number-store.ts'
import { postEntry, type Occasion } from '../journal/journal-store.ts'

/** What happens to the money of those whom we pay. Amounts are never negative. */
export type PayeeEvent =
  | { readonly kind: 'earning' | 'clawback'; readonly source: entries.Source; readonly cents: Cents; readonly invoiceId: string }
  | { readonly kind: 'payout_granted'; readonly cents: Cents }
  | { readonly kind: 'payout' | 'payout_returned'; readonly amount: Amount; readonly through: entries.Channel }

function entryOf(event: PayeeEvent): entries.Entry {
  switch (event.kind) {
    case 'earning':
      return entries.entryOfEarning(event.source, event.cents)
    case 'clawback':
      return entries.entryOfClawback(event.source, event.cents)
    case 'payout_granted':
      return entries.entryOfGrant(event.cents)
    case 'payout':
      return entries.entryOfPayout(event.amount, event.through)
    default:
      return entries.entryOfReturn(event.amount, event.through)
  }
}

/** Its line in the journal, in the transaction in which it happens. */
export async function postPayeeEntry(tx: Tx, event: PayeeEvent, now: Date): Promise<void> {
  await holdNumbers(tx)
  const invoiceId = 'invoiceId' in event ? event.invoiceId : null
  const occasion: Occasion = { kind: event.kind, customerId: null, invoiceId, attemptId: null }
  await postEntry(tx, entryOf(event), occasion, now)
}
