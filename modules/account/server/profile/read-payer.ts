import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { missingFor, type Missing, type ProfileValues } from '../../domain/profile.ts'
import { findPerson, listPersons, type Person } from '../people/person-store.ts'
import { findProfile, listProfiles, type KeptProfile } from '../people/profile-store.ts'
import { valuesOf } from './present-profile.ts'

/** As much of an account as an invoice needs (V-45, H-33). */
export type Payer = {
  readonly values: ProfileValues
  /** What is still to be given before it can be invoiced. */
  readonly missing: readonly Missing[]
  readonly locale: Locale
  /** Where he is written to: his primary address. */
  readonly email: string
}

/** null: there is no such account, or it is on its way out. */
export async function readPayer(db: Db | Tx, userId: string): Promise<Payer | null> {
  const person = await findPerson(db, userId)
  return person === null ? null : payerOf(person, await findProfile(db, userId))
}

/** Several at once; those that are no more, or on their way out, are left out, and those who said nothing. */
export async function readPayers(db: Db | Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, Payer>> {
  if (userIds.length === 0) return new Map()
  const profiles = await listProfiles(db, userIds)
  const payers = (await listPersons(db, userIds)).flatMap((person) => {
    const kept = profiles.get(person.id)
    const payer = kept === undefined ? null : payerOf(person, kept)
    return payer === null ? [] : [[person.id, payer] as const]
  })
  return new Map(payers)
}

function payerOf(person: Person, kept: KeptProfile): Payer | null {
  if (person.status === 'closing' || person.status === 'erased') return null
  const values = valuesOf(person, kept)
  const missing = missingFor('payment', { values, owners: kept.owners, hasBankAccount: false })
  return { values, missing, locale: person.locale, email: person.email }
}
