import type { Db, Tx } from '../../../../platform/db/database.ts'
import { missingFor, type Missing, type ProfileValues } from '../../domain/profile.ts'
import { findPerson } from '../people/person-store.ts'
import { findProfile, hasBankAccount } from '../people/profile-store.ts'
import { valuesOf } from './present-profile.ts'

/** As much of an account as whoever pays it has to know (V-45). */
export type Payee = {
  readonly values: ProfileValues
  /** What is still to be given before it can be paid. */
  readonly missing: readonly Missing[]
  readonly email: string
  /** Whether it is in use: neither suspended nor on its way out. */
  readonly open: boolean
}

/** null: there is no such account, or nothing is left of it. */
export async function readPayee(db: Db | Tx, userId: string): Promise<Payee | null> {
  const person = await findPerson(db, userId)
  if (person === null || person.status === 'erased') return null
  const kept = await findProfile(db, userId)
  const values = valuesOf(person, kept)
  const missing = missingFor('payout', { values, owners: kept.owners, hasBankAccount: await hasBankAccount(db, userId) })
  return { values, missing, email: person.email, open: person.status === 'active' }
}
