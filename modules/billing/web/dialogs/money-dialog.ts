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

type Told = Pick<SubscriptionOnTheWire, 'id' | 'quota' | 'suspended' | 'upgrade_required'>

/** The time that it came to what is told now. */
const timeOf = (dialog: MoneyDialog, { id, quota }: Told) => `${dialog} ${id} ${dialog === 'upgrade' ? (quota?.from ?? '') : ''}`

/** What a visitor is to be told of by itself: until he closed it in this tab, for each time that it comes to that; never over the pages that say so already. */
export function dueDialog(held: Told, pathname: string): MoneyDialog | null {
  const dialog = dialogOf(held)
  if (dialog === null || ofMoney.test(pathname)) return null
  try {
    return sessionStorage.getItem(key) === timeOf(dialog, held) ? null : dialog
  } catch {
    // Where storage is refused it is shown at each visit.
    return dialog
  }
}

/** He has seen it: one that went with its page, before he could answer, is shown again. */
export function noteClosed(dialog: MoneyDialog, held: Told): void {
  if (dialog !== dialogOf(held)) return
  try {
    sessionStorage.setItem(key, timeOf(dialog, held))
  } catch {
    // As above.
  }
}
