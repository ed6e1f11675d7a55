import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { missingFor, type Missing, type ProfileValues } from '../../domain/profile.ts'
import { findPerson } from '../people/person-store.ts'
import { findProfile } from '../people/profile-store.ts'
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
  if (person === null || person.status === 'closing' || person.status === 'erased') return null
  const kept = await findProfile(db, userId)
  const values = valuesOf(person, kept)
  const missing = missingFor('payment', { values, owners: kept.owners, hasBankAccount: false })
  return { values, missing, locale: person.locale, email: person.email }
}
