import type { Clock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'
import { isTestRealm, type PaymentProvider, type Seller } from '../../../billing/server/index.ts'

export type PayoutRules = {
  /** Who pays: the provider where he pays out, or the operator by his own bank. */
  readonly by: 'provider' | 'transfer'
  /** How long what was paid may still go back before anybody is paid of it. */
  readonly delayDays: number
  /** H-48: less than this waits for another month. */
  readonly minimumCents: number
}

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type PayoutDeps = {
  readonly db: Db
  /** Where what proved an identity is kept. */
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly rules: PayoutRules
  /** Marks which bank account the provider was told of, without saying which it is. */
  readonly secret: string
  /** Opens the bank account of a profile. */
  readonly vault: Vault
  /** null, or one that does not pay out: the operator pays by his own bank. */
  readonly provider: PaymentProvider | null
  readonly publicUrl: string
  /** Who pays, and makes out the invoices of those whom he pays. */
  readonly seller: Seller
}

/** Paid by the operator's own bank. */
export const byHand = 'transfer'

export type Paying = PaymentProvider & Required<Pick<PaymentProvider, 'payouts' | 'identity'>>

/** Who pays out, or did and is asked how that ended; null: nobody but the operator. */
export function payingProvider({ provider }: Pick<PayoutDeps, 'provider'>): Paying | null {
  return provider?.payouts === undefined || provider.identity === undefined ? null : (provider as Paying)
}

/** Whether no money moves by a payout: its provider moved none, or what it was earned by was paid so. */
export const isTest = ({ provider }: Pick<PayoutDeps, 'provider'>, { realm }: { readonly realm: string }): boolean =>
  isTestRealm(realm) || (provider?.isTest ?? false)

/** Who moves the money of what begins now: the provider where he can and is to, else the operator. */
export function payingRealm(deps: Pick<PayoutDeps, 'provider' | 'rules'>): string {
  return deps.rules.by === 'transfer' ? byHand : (payingProvider(deps)?.realm ?? byHand)
}
