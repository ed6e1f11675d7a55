import type { Actor } from '../../../../kernel/actor.ts'
import { ownBrand } from '../../../../kernel/page-brand.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'
import type { BankAccountSummary, CurrentUser, Profile, ProfileEntry } from '../../contract/profile.ts'
import type { BankAccount } from '../../domain/bank-account.ts'
import type { BeneficialOwner } from '../../domain/beneficial-owners.ts'
import { missingFor, profileFieldNames, type ProfileField, type ProfileValues, type Purpose } from '../../domain/profile.ts'
import { findMembership } from '../sharing/group-store.ts'
import { findPerson, nameOf, type Person, type PersonEntry } from '../people/person-store.ts'
import { findBankAccount, findProfile, type KeptBankAccount, type KeptProfile } from '../people/profile-store.ts'

/** What the vault is told of them. */
const owners = 'account.beneficial_owners'
const bank = 'account.bank_account'

export function sealOwners(vault: Vault, userId: string, list: readonly BeneficialOwner[]): Buffer | null {
  return list.length === 0 ? null : vault.seal(owners, userId, Buffer.from(JSON.stringify(list)))
}

/** Written by this file only, from these types. */
export function openOwners(vault: Vault, userId: string, kept: Pick<KeptProfile, 'sealedOwners'>): BeneficialOwner[] {
  if (kept.sealedOwners === null) return []
  return JSON.parse(vault.open(owners, userId, kept.sealedOwners).toString()) as BeneficialOwner[]
}

export function sealBankAccount(vault: Vault, userId: string, account: BankAccount): Buffer {
  return vault.seal(bank, userId, Buffer.from(JSON.stringify(account)))
}

export function openBankAccount(vault: Vault, userId: string, kept: Pick<KeptBankAccount, 'sealed'>): BankAccount {
  return JSON.parse(vault.open(bank, userId, kept.sealed).toString()) as BankAccount
}

/** Everything of a profile under its wire names, the account's names among it. */
export function valuesOf(person: Pick<Person, 'firstName' | 'lastName'>, kept: Pick<KeptProfile, 'values'>): ProfileValues {
  return { ...kept.values, first_name: person.firstName || null, last_name: person.lastName || null }
}

export function presentBankAccount(vault: Vault, userId: string, kept: KeptBankAccount): BankAccountSummary {
  const account = openBankAccount(vault, userId, kept)
  return {
    type: kept.type,
    ending: kept.ending,
    owner_name: account.owner_name ?? '',
    owner_address: account.owner_address ?? '',
    updated_at: kept.updatedAt.toISOString(),
  }
}

export async function presentProfile(db: Db | Tx, vault: Vault, person: Person): Promise<Profile> {
  const kept = await findProfile(db, person.id)
  const account = await findBankAccount(db, person.id)
  const values = valuesOf(person, kept)
  const completeness = (purpose: Purpose) => {
    const missing = missingFor(purpose, { values, owners: kept.owners, hasBankAccount: account !== null })
    return { complete: missing.length === 0, missing: missing.map((field) => ({ field, code: `${field}_required` })) }
  }
  return {
    ...(values as Pick<Profile, keyof ProfileValues>),
    id: person.id,
    beneficial_owners: openOwners(vault, person.id, kept),
    bank_account: account === null ? null : presentBankAccount(vault, person.id, account),
    completeness: { payment: completeness('payment'), payout: completeness('payout') },
    updated_at: kept.updatedAt?.toISOString() ?? null,
  }
}

/** Whoever manages it for its owner sees all but where money goes to: that is the owner's alone (decision 0250). */
function seenBy(delegation: Actor['delegation'], profile: Profile): Profile {
  if (delegation === null) return profile
  return delegation.scope === 'manage' ? { ...profile, bank_account: null } : withoutPrivate(profile)
}

/** What somebody sees of it who acts in the account without managing it: who that is, and nothing that is private. */
function withoutPrivate(profile: Profile): Profile {
  const hidden = Object.fromEntries(profileFieldNames.filter((field) => !open.has(field)).map((field) => [field, null]))
  return { ...profile, ...hidden, beneficial_owners: [], bank_account: null }
}
const open: ReadonlySet<ProfileField> = new Set(['user_type', 'first_name', 'last_name', 'country', 'company_name'])

/** @param logoText what stands for the logo of a brand in words */
export async function presentCurrentUser(
  db: Db,
  vault: Vault,
  person: Person,
  actor: Actor,
  logoText: (brand: string) => string | null,
): Promise<CurrentUser> {
  const membership = await findMembership(db, person.id)
  const { delegation } = actor
  const user = delegation === null ? null : await findPerson(db, actor.userId)
  const profile = await presentProfile(db, vault, person)
  return {
    ...seenBy(delegation, profile),
    email: person.email,
    locale: person.locale,
    referral_code: person.referralCode,
    company_logo: person.brand === ownBrand ? null : person.brand,
    company_logo_text: person.brand === ownBrand ? null : logoText(person.brand),
    created_at: person.createdAt.toISOString(),
    roles: delegation === null ? [...actor.roles] : [],
    group: membership === null ? null : { id: membership.groupId, name: membership.name, role: membership.role },
    acting:
      delegation === null || user === null
        ? null
        : { delegation_id: delegation.id, scope: delegation.scope, user: { id: user.id, name: nameOf(user) } },
  }
}

export function presentEntry(entry: PersonEntry, ownId: string): ProfileEntry {
  return {
    id: entry.id,
    first_name: entry.firstName,
    last_name: entry.lastName,
    email: entry.email,
    user_type: entry.userType as ProfileEntry['user_type'],
    company_name: entry.companyName,
    group_role: entry.groupRole,
    own: entry.id === ownId,
  }
}
