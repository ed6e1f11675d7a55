import type { Actor } from '../../../../../kernel/actor.ts'
import { DomainError } from '../../../../../kernel/errors.ts'
import type { Locale } from '../../../../../kernel/locale.ts'
import { recordAct } from '../../../../../platform/acts/record-act.ts'
import { readDebitedAccount } from '../../../../account/server/index.ts'
import type { MandateOnTheWire } from '../../../contract/payments.ts'
import { findCustomer, lockCustomer, lockCustomerOf, type Customer } from '../../customer/customer-store.ts'
import type { BankAccount, MandateReading } from '../../provider/port.ts'
import { made, meansUnavailable, newKey, providerOf, type PaymentDeps } from './deps.ts'
import { findKnown, setRenewals } from './customer-store.ts'
import { describePayer, knowCustomer } from './know-customer.ts'
import { changeMandate, findMandate, findMandateById, insertMandate, type Mandate } from './mandate-store.ts'

export function presentMandate(mandate: Mandate | null): MandateOnTheWire | null {
  if (mandate === null || mandate.status === 'begun' || mandate.status === 'ended') return null
  const { id, status, bankReference, redirectUrl } = mandate
  return { id, status, reference: bankReference, redirect_url: status === 'action_required' ? redirectUrl : null }
}

/** @throws DomainError `billing.bank_account_missing`, `billing.bank_account_undebited` */
async function findDebited(deps: PaymentDeps, userId: string): Promise<{ account: BankAccount; owner: string }> {
  const read = await readDebitedAccount(deps, userId)
  if (read === null) throw new DomainError('conflict', 'billing.bank_account_missing')
  const { type, iban, bic, sort_code, account_number, owner_name = '' } = read
  // Nowhere else can a customer be debited.
  if (type === 'IBAN') return { account: { kind: 'iban', iban: iban ?? '', bic: bic ?? null }, owner: owner_name }
  if (type === 'GB')
    return { account: { kind: 'gb', sortCode: sort_code ?? '', number: account_number ?? '' }, owner: owner_name }
  throw new DomainError('conflict', 'billing.bank_account_undebited')
}

/** What the provider says of a mandate, whoever hears of it first. */
export async function noteMandate(deps: PaymentDeps, mandate: Mandate, reading: MandateReading): Promise<void> {
  const { db } = deps
  switch (reading.state) {
    case 'customer_needed':
      return await changeMandate(db, mandate.id, {
        status: 'action_required',
        reference: reading.id,
        redirect_url: reading.address,
      })
    case 'submitted':
    case 'active':
      return await changeMandate(db, mandate.id, {
        status: reading.state,
        reference: reading.id,
        bank_reference: reading.reference,
        redirect_url: null,
      })
    case 'failed':
    case 'expired': {
      const { realm } = providerOf(deps)
      await db.transaction().execute(async (tx) => {
        await lockCustomer(tx, mandate.customerId)
        await changeMandate(tx, mandate.id, { status: 'failed', reference: reading.id, redirect_url: null })
        const known = await findKnown(tx, mandate.customerId, realm)
        if (known?.renewedBy === 'mandate') await setRenewals(tx, mandate.customerId, realm, null)
      })
      return
    }
    default:
      return
  }
}

/**
 * C-52. On the bank account of the profile. It and the keys of both calls are noted before the provider is asked: asked for again, what was
 * begun is gone on with, and what waits for its confirmation is given again.
 */
export async function createMandate(
  deps: PaymentDeps,
  actor: Actor,
  returnTo: string,
): Promise<{ mandate: MandateOnTheWire; test: boolean }> {
  const provider = providerOf(deps)
  const { debits, accounts, realm } = provider
  if (debits === undefined || accounts === undefined) throw meansUnavailable()
  const { db, clock } = deps
  const { account, owner } = await findDebited(deps, actor.accountId)
  const now = clock.now()
  const { customer, begun } = await db.transaction().execute(async (tx) => {
    const held = await lockCustomerOf(tx, actor.accountId, now)
    const before = await findMandate(tx, held.id, realm)
    if (before !== null && before.status !== 'failed') return { customer: held, begun: before }
    const keys = { account: newKey(), mandate: newKey() }
    const fresh = await insertMandate(tx, { customerId: held.id, realm }, keys, now)
    const subject = { type: 'mandate', id: fresh.id }
    await recordAct(tx, now, { action: 'billing.asked_for_mandate', actor, subject })
    return { customer: held, begun: fresh }
  })
  if (begun.status === 'begun') await finishBegun(deps, customer, begun, { account, owner, returnTo })
  const mandate = presentMandate(await findMandateById(db, begun.id))
  if (mandate === null) throw new DomainError('conflict', 'billing.mandate_unusable')
  return { mandate, test: provider.isTest }
}

async function finishBegun(
  deps: PaymentDeps,
  customer: Customer,
  begun: Mandate,
  { account, owner, returnTo }: { readonly account: BankAccount; readonly owner: string; readonly returnTo: string },
): Promise<void> {
  const { debits, accounts } = providerOf(deps)
  if (debits === undefined || accounts === undefined) throw meansUnavailable()
  const { db, publicUrl } = deps
  const known = await knowCustomer(deps, customer)
  const { holder } = await describePayer(db, customer)
  const since = begun.createdAt
  let { accountReference } = begun
  if (accountReference === null) {
    const asked = { key: begun.accountKey, tag: `account ${begun.id}`, since }
    accountReference = made(await accounts.registerAccount(known, { ...holder, name: owner }, account, asked)).id
    await changeMandate(db, begun.id, { account_reference: accountReference })
  }
  const language: Locale = returnTo.startsWith('/fr/') ? 'fr' : 'en'
  const asked = { account: accountReference, language, returnTo: `${publicUrl}${returnTo}` }
  const reading = await debits.createMandate(asked, { key: begun.mandateKey, tag: `mandate ${begun.id}`, since })
  await noteMandate(deps, begun, made(reading))
}

/** Read of the provider where it may have changed: customers come back before anything is told. */
export async function readMandate(deps: PaymentDeps, actor: Pick<Actor, 'accountId'>): Promise<MandateOnTheWire | null> {
  const { provider, db } = deps
  const customer = await findCustomer(db, actor.accountId)
  if (provider === null || customer === null) return null
  const before = await findMandate(db, customer.id, provider.realm)
  if (before !== null && before.reference !== null && before.status !== 'failed') {
    const reading = await provider.debits?.readMandate(before.reference)
    if (reading !== undefined) await noteMandate(deps, before, reading)
  }
  return presentMandate(await findMandate(db, customer.id, provider.realm))
}
