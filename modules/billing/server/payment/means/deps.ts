import { randomUUID } from 'node:crypto'
import type { Vault } from '../../../../../platform/vault/vault.ts'
import type { Log } from '../../../../../platform/log/log.ts'
import { DomainError } from '../../../../../kernel/errors.ts'
import type { Attempt, PaymentProvider } from '../../provider/port.ts'
import type { BillingDeps } from '../../seller/deps.ts'

/** What paying needs besides. */
export type PaymentDeps = BillingDeps & {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** null: nobody moves money for the installation, and customers pay by bank transfer alone. */
  readonly provider: PaymentProvider | null
  /** Opens the bank account of a profile. */
  readonly vault: Vault
  /** Without trailing slash: customers come back from their bank to addresses that start with it. */
  readonly publicUrl: string
}

/** @throws DomainError `billing.means_unavailable` */
export function providerOf({ provider }: Pick<PaymentDeps, 'provider'>): PaymentProvider {
  if (provider === null) throw meansUnavailable()
  return provider
}

export const meansUnavailable = () => new DomainError('conflict', 'billing.means_unavailable')
export const providerUnavailable = () => new DomainError('unavailable', 'billing.provider_unavailable')

export const newKey = (): string => randomUUID()

/** Of something that moves no money, and may be made anew: its key is of this call alone. */
export const attemptAt = (now: Date, tag: string): Attempt => ({ key: newKey(), tag, since: now })

/** @throws DomainError of what was not made: the refusal in its own words, or that the provider does not answer */
export function made<T extends { readonly state: string }>(
  outcome: T,
): Exclude<T, { readonly state: 'refused' | 'unsent' | 'unknown' }> {
  if (outcome.state === 'refused')
    throw new DomainError('conflict', `billing.refusal.${(outcome as unknown as { reason: string }).reason}`)
  if (outcome.state === 'unsent' || outcome.state === 'unknown') throw providerUnavailable()
  return outcome as Exclude<T, { readonly state: 'refused' | 'unsent' | 'unknown' }>
}
