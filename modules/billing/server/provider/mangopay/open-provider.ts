import type { Clock } from '../../../../../kernel/clock.ts'
import { mangopayProvider } from './mangopay-provider.ts'
import type { MangopaySettings } from './sdk.ts'
import type { PaymentProvider } from '../port.ts'

/** An answer that takes longer is taken for none: the attempt is asked after later. */
export const answerWithin = 15_000

export type AccountSettings = Omit<MangopaySettings, 'timeout'> & {
  readonly seller: { readonly user: string; readonly wallet: string }
}

/** Who moves money for the installation. null: nobody does, and customers pay by bank transfer alone. */
export function openProvider(settings: AccountSettings | null, clock: Clock): PaymentProvider | null {
  return settings === null ? null : mangopayProvider({ ...settings, timeout: answerWithin }, clock)
}
