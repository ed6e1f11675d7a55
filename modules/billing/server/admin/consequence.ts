import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Consequence } from '../../contract/administration.ts'
import type { Books } from './books-of-customer.ts'

const change = <B, A>(before: B, after: A) => ({ before, after })

/** What an act did, by what a customer had before and has after it: whatever the act is. */
export function consequenceOf(before: Books, after: Books): Consequence {
  const earlier = new Map(before.invoices.map((each) => [each.id, each]))
  const isNew = (id: string) => earlier.get(id)?.number == null
  const stood = before.subscription
  const stands = after.subscription
  return {
    credit: change(before.credit, after.credit),
    balance: change(before.balance, after.balance),
    documents: after.invoices.flatMap((each) =>
      each.number === null || !isNew(each.id)
        ? []
        : [{ kind: each.kind, net_cents: each.net, vat_cents: each.vat, gross_cents: each.gross, credits: each.credits }],
    ),
    invoices: after.invoices.flatMap((each) => {
      const was = earlier.get(each.id)
      if (was === undefined || (was.status === each.status && was.left === each.left && was.triedOn === each.triedOn)) return []
      const changed = {
        status: change(was.status, each.status),
        left_cents: change(was.left, each.left),
        tried_on: change(was.triedOn, each.triedOn),
      }
      // A draft has no number until it is done: the next one may be taken by somebody else.
      return [{ id: each.id, number: was.number, ...changed }]
    }),
    refunds: after.refunds.flatMap((each) => {
      const was = before.refunds.find(({ id }) => id === each.id)?.status ?? null
      // One that begins has no name yet: it is another each time that it is shown.
      return was === each.status
        ? []
        : [{ invoice: each.invoice, amount_cents: each.amount, by: each.by, status: change(was, each.status) }]
    }),
    subscription:
      stood === null || stands === null || (stood.status === stands.status && stood.plan === stands.plan)
        ? null
        : { status: change(stood.status, stands.status), plan: change(stood.plan, stands.plan) },
    entries: after.entries.map(({ journal, kind, postings }) => ({ journal, kind, postings: [...postings] })),
  }
}

/** Names what was shown: two that say the same have the same name. */
export function nameOfShown(shown: unknown): string {
  return createHash('sha256')
    .update(canonicalize(shown) ?? '')
    .digest('hex')
}
