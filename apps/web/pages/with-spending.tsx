import type { ComponentType } from 'react'
import type { SpendingLimitOnTheWire } from '../../../modules/billing/contract/spending.ts'
import { prices } from '../../../ui/shell/prices.ts'

/** Where something is paid for, whoever may act for another may spend so much: neither accounts nor keys know anything of that. */
export async function withSpending(
  Page: ComponentType<{ Spending?: ComponentType<{ id: string }> }>,
  kind: SpendingLimitOnTheWire['kind'],
): Promise<ComponentType> {
  if (prices === null) return Page
  const { SpendingCeiling } = await import('../../../modules/billing/web/spending/SpendingCeiling.tsx')
  const Spending: ComponentType<{ id: string }> = ({ id }) => <SpendingCeiling kind={kind} id={id} />
  return () => <Page Spending={Spending} />
}
