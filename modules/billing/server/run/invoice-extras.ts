import { DomainError } from '../../../../kernel/errors.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { dayOf, monthOf } from '../../domain/calendar/calendar.ts'
import { listToInvoice } from '../extras/extra-store.ts'
import { issueExtras } from '../extras/issue-extras.ts'
import { InvoiceBreaksRules } from '../issue/assert-issuable.ts'
import type { BillingDeps } from '../seller/deps.ts'

const atATime = 100

/**
 * On the first of a month the invoice of what was bought beyond plans in the month before; before that, of whose plan or mandate ended. Each
 * customer in a transaction of his own: one who cannot be invoiced holds up no other, and is tried again.
 * @returns how many invoices were issued
 */
export async function invoiceExtras(
  deps: BillingDeps & { readonly log: Pick<Log, 'warn' | 'error'> },
  signal?: AbortSignal,
): Promise<number> {
  let issued = 0
  for (let after = ''; ;) {
    const month = monthOf(dayOf(deps.clock.now())).from
    const customers = await listToInvoice(deps.db, month, after, atATime)
    for (const id of customers) {
      if (signal?.aborted === true) return issued
      after = id
      try {
        issued += await deps.db.transaction().execute(async (tx) => await issueExtras(tx, deps, id, month))
      } catch (error) {
        if (error instanceof InvoiceBreaksRules)
          deps.log.error({ customer_id: id, rules: error.rules }, 'the invoice of a month breaks rules: tried again')
        else if (error instanceof DomainError)
          deps.log.warn({ customer_id: id, code: error.code }, 'a month could not be invoiced: tried again')
        else throw error
      }
    }
    if (customers.length < atATime) return issued
  }
}
