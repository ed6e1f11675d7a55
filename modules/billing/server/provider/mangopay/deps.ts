import type { Clock } from '../../../../../kernel/clock.ts'
import type { Sdk } from './sdk.ts'

/** What every part of the adapter is given. */
export type MangopayDeps = {
  readonly sdk: Sdk
  readonly clock: Clock
  /** Who sells: what customers pay is credited to this wallet, and what they earn comes from it. */
  readonly seller: { readonly user: string; readonly wallet: string }
}

export const euros = (cents: number): { Currency: 'EUR'; Amount: number } => ({ Currency: 'EUR', Amount: cents })
export const noFees = euros(0)
