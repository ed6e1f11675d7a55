import type { SubscriptionOnTheWire } from '../../contract/subscriptions.ts'

export type MoneyDialog = 'suspended' | 'upgrade' | 'seats'

/** What a subscription asks to be told of (E-48, S-10, S-11). */
export function dialogOf({ suspended, upgrade_required }: Pick<SubscriptionOnTheWire, 'suspended' | 'upgrade_required'>) {
  return suspended ? ('suspended' as const) : upgrade_required ? ('upgrade' as const) : null
}

/** Refusals that it explains, whoever was refused what. */
const refusals: Readonly<Record<string, MoneyDialog>> = {
  'billing.suspended': 'suspended',
  'billing.upgrade_required': 'upgrade',
  'account.seats_full': 'seats',
}
export const dialogFor = (code: string): MoneyDialog | null => refusals[code] ?? null

const key = 'probant.money-dialog'
/** Pages that speak of it themselves. */
const ofMoney = /^\/(?:en|fr)\/(?:account\/(?:subscription|invoice|payment-methods)|payment|plans)(?:\/|$)/

/** Once in a tab for each time that it comes to that; never over the pages that say so already. */
export function wasShown(
  dialog: MoneyDialog,
  { id, quota }: Pick<SubscriptionOnTheWire, 'id' | 'quota'>,
  pathname: string,
): boolean {
  if (ofMoney.test(pathname)) return true
  const now = `${dialog} ${id} ${dialog === 'upgrade' ? (quota?.from ?? '') : ''}`
  try {
    if (sessionStorage.getItem(key) === now) return true
    sessionStorage.setItem(key, now)
  } catch {
    // Where storage is refused it is shown at each visit.
  }
  return false
}
