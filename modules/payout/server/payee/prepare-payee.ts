import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { readDebitedAccount, readPayee } from '../../../account/server/index.ts'
import type { BankAccount } from '../../../billing/server/index.ts'
import type { PayeeOnTheWire } from '../../contract/payouts.ts'
import type { PayoutLack } from '../../domain/status.ts'
import { byHand, payingProvider, payingRealm, type Paying, type PayoutDeps } from '../keep/deps.ts'
import { sumEarnings } from '../keep/earning-store.ts'
import { changePayee, findKnownPayee, notePayee, type KnownPayee } from '../keep/payee-store.ts'
import { followIdentity, handOver } from './hand-over.ts'
import { markOf, readLacking } from './read-lacking.ts'

/** The provider forgets a key after a day. */
const keyMs = 22 * 3_600_000
const ofProvider: ReadonlySet<PayoutLack> = new Set(['provider_account', 'provider_identity'])
const kinds = { business: 'business', organization: 'organization', soletrader: 'sole_trader' } as const

type Facts = NonNullable<Awaited<ReturnType<typeof readPayee>>>

function addressOf({ values }: Facts) {
  return {
    line1: values.address ?? '',
    line2: null,
    city: values.city ?? '',
    region: values.region,
    postcode: values.zip ?? '',
    country: values.country ?? '',
  }
}

/** His name there: made known once, by a key that is noted before. */
async function register(deps: PayoutDeps, provider: Paying, before: KnownPayee, facts: Facts): Promise<KnownPayee | null> {
  if (before.reference !== null) return before
  const { db, clock } = deps
  let known = before
  if (clock.now().getTime() - known.askedAt.getTime() > keyMs) {
    const renewed = { customerKey: randomUUID(), askedAt: clock.now() }
    await changePayee(db, known, renewed)
    known = { ...known, ...renewed }
  }
  const { values, email } = facts
  const made = await provider.registerCustomer(
    {
      firstName: values.first_name ?? '',
      lastName: values.last_name ?? '',
      email,
      address: addressOf(facts),
      company:
        values.user_type === 'legal'
          ? {
              name: values.company_name ?? '',
              number: values.company_number ?? '',
              kind: kinds[(values.company_type ?? 'business') as keyof typeof kinds],
            }
          : null,
      civil: {
        birthday: values.birth_date ?? '',
        nationality: values.nationality ?? '',
        residence: values.country ?? '',
      },
    },
    { key: known.customerKey, tag: `payee ${known.userId}`, since: known.askedAt },
  )
  if (made.state === 'refused') throw new DomainError('conflict', 'payout.refused_by_provider')
  if (made.state !== 'made') return null
  await changePayee(db, known, { reference: made.id })
  return { ...known, reference: made.id }
}

type Kept = NonNullable<Awaited<ReturnType<typeof readDebitedAccount>>>

function bankAccountOf(account: Kept, country: string): BankAccount {
  const { type, iban, bic, sort_code, account_number, aba, bank_name, institution_number, branch_code } = account
  const number = account_number ?? ''
  switch (type) {
    case 'IBAN':
      return { kind: 'iban', iban: iban ?? '', bic: bic ?? null }
    case 'GB':
      return { kind: 'gb', sortCode: sort_code ?? '', number }
    case 'US':
      return { kind: 'us', aba: aba ?? '', number }
    case 'CA':
      return { kind: 'ca', bank: bank_name ?? '', institution: institution_number ?? '', branch: branch_code ?? '', number }
    default:
      return { kind: 'other', country, bic: bic ?? '', number }
  }
}

/** Where he is paid to, told to the provider anew whenever it changed; he confirms it on a page of his. */
async function registerAccount(
  deps: PayoutDeps,
  provider: Paying,
  known: KnownPayee,
  facts: Facts,
  returnTo: string,
): Promise<void> {
  const { db, clock } = deps
  const account = await readDebitedAccount(deps, known.userId)
  if (account === null || known.reference === null) return
  const mark = markOf(deps.secret, known.userId, account)
  const isSame = known.accountMark?.equals(mark) === true
  const isAsked = known.accountState === 'customer_needed' || known.accountState === 'usable'
  if (isSame && isAsked && known.accountReference !== null)
    return await noteAccount(deps, known, await provider.payouts.readPayee(known.accountReference, returnTo))
  const accountKey = randomUUID()
  await changePayee(db, known, {
    accountKey,
    accountMark: mark,
    accountReference: null,
    accountState: 'none',
    accountAddress: null,
  })
  const address = addressOf(facts)
  const holder = { name: account.owner_name ?? '', address }
  const attempt = { key: accountKey, tag: `payee account ${known.userId}`, since: clock.now() }
  const reading = await provider.payouts.registerPayee(
    known.reference,
    holder,
    bankAccountOf(account, address.country),
    returnTo,
    attempt,
  )
  await noteAccount(deps, known, reading)
}

export async function noteAccount(
  { db }: Pick<PayoutDeps, 'db'>,
  known: Pick<KnownPayee, 'userId' | 'realm'>,
  reading: Awaited<ReturnType<Paying['payouts']['readPayee']>>,
): Promise<void> {
  switch (reading.state) {
    case 'customer_needed':
      return await changePayee(db, known, {
        accountState: 'customer_needed',
        accountReference: reading.id,
        accountAddress: reading.address,
      })
    case 'usable':
    case 'ended':
      return await changePayee(db, known, { accountState: reading.state, accountReference: reading.id, accountAddress: null })
    case 'refused':
      return await changePayee(db, known, { accountState: 'refused', accountAddress: null })
    default:
  }
}

export function presentPayee(known: KnownPayee | null): PayeeOnTheWire {
  return {
    account: known?.accountState ?? 'none',
    account_address: known?.accountAddress ?? null,
    identity: known?.identityState ?? 'none',
    identity_address: known?.identityAddress ?? null,
    refusal: (known?.identityRefusal ?? null) as PayeeOnTheWire['refusal'],
  }
}

/**
 * Makes somebody known to whoever pays him: himself, his bank account, and what proves who he is. Each step is noted before it is asked for; asked for
 * again, it goes on where it stood.
 * @throws DomainError `payout.not_ready`: with what is missing; `payout.by_hand`, `payout.refused_by_provider`, `payout.provider_unavailable`
 */
export async function preparePayee(deps: PayoutDeps, actor: Actor, returnTo: string): Promise<PayeeOnTheWire> {
  const provider = payingProvider(deps)
  if (provider === null || payingRealm(deps) === byHand) throw new DomainError('conflict', 'payout.by_hand')
  const { db, clock } = deps
  const userId = actor.accountId
  const { owed } = await sumEarnings(db, userId)
  const lacks = (await readLacking(db, deps, userId, owed)).filter((each) => !ofProvider.has(each))
  const facts = await readPayee(db, userId)
  if (lacks.length > 0 || facts === null) throw new DomainError('conflict', 'payout.not_ready', { lacks: lacks.join(', ') })
  const keys = { userId, realm: provider.realm, customerKey: randomUUID(), accountKey: randomUUID() }
  const noted = await db.transaction().execute(async (tx) => {
    const before = await findKnownPayee(tx, userId, provider.realm)
    if (before !== null) return before
    const subject = { type: 'payee', id: userId }
    const fresh = await notePayee(tx, keys, clock.now())
    await recordAct(tx, clock.now(), { action: 'payout.prepared', actor, subject })
    return fresh
  })
  const known = await register(deps, provider, noted, facts)
  if (known === null) throw new DomainError('unavailable', 'payout.provider_unavailable')
  const home = `${deps.publicUrl}${returnTo}`
  await registerAccount(deps, provider, known, facts, home)
  await handOver(deps, provider, known, home)
  await followIdentity(deps, provider, known)
  return presentPayee(await findKnownPayee(db, userId, provider.realm))
}
