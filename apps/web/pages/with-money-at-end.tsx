import type { ComponentType, ReactNode } from 'react'
import { prices } from '../../../ui/shell/prices.ts'

/** Where something is paid for, whoever closes his account sees first what becomes of it: accounts know nothing of money. */
export async function withMoneyAtEnd(Page: ComponentType<{ money?: ReactNode }>): Promise<ComponentType> {
  if (prices === null) return Page
  const { MoneyAtEnd } = await import('../../../modules/billing/web/ending/MoneyAtEnd.tsx')
  const { EarningsAtEnd } = await import('../../../modules/payout/web/EarningsAtEnd.tsx')
  const money = (
    <>
      <MoneyAtEnd />
      <EarningsAtEnd />
    </>
  )
  return () => <Page money={money} />
}
