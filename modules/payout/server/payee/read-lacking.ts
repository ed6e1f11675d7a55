import { createHmac } from 'node:crypto'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { namingOf, readDebitedAccount, readPayee } from '../../../account/server/index.ts'
import { changedSinceSent, hasEnded, identityStatusOf } from '../../../review/server/index.ts'
import type { PayoutLack } from '../../domain/status.ts'
import { isBillable } from '../bill/read-party.ts'
import { byHand, payingRealm, type PayoutDeps } from '../keep/deps.ts'
import { findKnownPayee, type KnownPayee } from '../keep/payee-store.ts'

type Deps = Pick<PayoutDeps, 'vault' | 'secret' | 'rules' | 'provider' | 'clock' | 'seller'>

/** Which bank account it is, for whoever has the secret alone: one that changed is told to the provider anew. */
export function markOf(secret: string, userId: string, account: Readonly<Record<string, unknown>>): Buffer {
  const said = JSON.stringify([userId, ...Object.entries(account).toSorted(([a], [b]) => (a < b ? -1 : 1))])
  return createHmac('sha256', secret).update('payout account ').update(said).digest()
}

const localTypes: ReadonlySet<string> = new Set(['GB', 'US', 'CA'])

/** S-19: whether the provider may pay that account, as far as he said. */
function lacksAtProvider(known: KnownPayee | null, mark: Buffer | null): PayoutLack[] {
  const lacks: PayoutLack[] = []
  const isTold = known?.accountState === 'usable' && mark !== null && known.accountMark?.equals(mark) === true
  if (!isTold) lacks.push('provider_account')
  if (known?.identityState !== 'verified') lacks.push('provider_identity')
  return lacks
}

/**
 * What keeps somebody from being paid, in the order in which it is best done; identity and bank account are asked for only where there is something
 * to pay (journey f). Empty: he is.
 */
export async function readLacking(db: Db | Tx, deps: Deps, userId: string, owedCents: number): Promise<readonly PayoutLack[]> {
  if (owedCents < deps.rules.minimumCents) return ['minimum']
  const payee = await readPayee(db, userId)
  if (payee === null || !payee.open) return ['account_not_open']
  const lacks: PayoutLack[] = []
  if (payee.missing.some((each) => each !== 'bank_account')) lacks.push('profile')
  const { state, expiresOn } = await identityStatusOf(db, userId)
  const today = deps.clock.now().toISOString().slice(0, 10)
  if (state !== 'success') lacks.push('identity')
  else if (hasEnded(expiresOn, today)) lacks.push('identity_expired')
  else if ((await changedSinceSent({ db, secret: deps.secret }, userId, namingOf(payee.values))).length > 0)
    lacks.push('identity_changed')
  if (lacks.length === 0 && !(await isBillable(db, deps, userId, owedCents))) lacks.push('invoice')
  const account = await readDebitedAccount({ db, vault: deps.vault }, userId)
  if (account === null) lacks.push('bank_account')
  // By their local numbers they take their own currency alone: no euros reach them without the code of their bank.
  else if (localTypes.has(account.type)) lacks.push('account_currency')
  const realm = payingRealm(deps)
  // By his own bank the operator pays accounts that a transfer in euros reaches.
  if (realm === byHand) return account?.type === 'other' ? [...lacks, 'provider_account'] : lacks
  if (lacks.length > 0) return lacks
  const mark = account === null ? null : markOf(deps.secret, userId, account)
  return lacksAtProvider(await findKnownPayee(db, userId, realm), mark)
}
