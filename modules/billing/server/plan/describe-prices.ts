import type { Clock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { PagePrices } from '../../../../kernel/page-prices.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { standardRate } from '../../domain/invoice/vat.ts'
import { priced, type BasisPoints } from '../../domain/money/money.ts'
import { listPlans } from './set-plan.ts'

/** What stands in the head of every page: what a report and a time stamp cost today to whoever has no plan, with and without VAT. */
export async function describePrices(
  deps: { readonly db: Db; readonly clock: Clock; readonly vatRate?: BasisPoints },
  locale: Locale,
): Promise<PagePrices> {
  const [unit] = (await listPlans(deps)).filter(({ plan }) => plan === 'unit')
  const messages = createMessages(locale)
  const said = (net: number | null | undefined, id: 'billing.price.evidence' | 'billing.price.document'): string => {
    if (net == null) return ''
    const { gross } = priced(net, deps.vatRate ?? standardRate)
    return messages.format(id, { net: net / 100, gross: gross / 100 })
  }
  return {
    evidence: said(unit?.reportCents, 'billing.price.evidence'),
    document: said(unit?.timestampCents, 'billing.price.document'),
    plans: messages.format('billing.price.plans'),
  }
}
