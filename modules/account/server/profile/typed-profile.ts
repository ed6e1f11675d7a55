import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'
import { ownerFields } from '../../domain/beneficial-owners.ts'
import { profileFieldNames, userTypes } from '../../domain/profile.ts'
import { findPerson } from '../people/person-store.ts'
import { openOwners, valuesOf } from './present-profile.ts'
import { findProfile } from '../people/profile-store.ts'

export type TypedField = { readonly field: string; readonly value: string | null }

/** What somebody says of himself, never of his bank account. */
export type TypedProfile = {
  readonly userType: (typeof userTypes)[number] | null
  /** In the order of the form. */
  readonly fields: readonly TypedField[]
  readonly beneficialOwners: readonly (readonly TypedField[])[]
}

/** For whoever compares it with documents. Empty when there is no such account. */
export async function readTypedProfile(db: Db | Tx, vault: Vault, userId: string): Promise<TypedProfile> {
  const person = await findPerson(db, userId)
  const kept = await findProfile(db, userId)
  const values = valuesOf(person ?? { firstName: '', lastName: '' }, kept)
  return {
    userType: userTypes.find((type) => type === values.user_type) ?? null,
    fields: profileFieldNames.map((field) => ({ field, value: values[field] })),
    beneficialOwners: openOwners(vault, userId, kept).map((owner) => [
      ...ownerFields.map((field) => ({ field, value: owner[field] })),
      { field: 'share_percent', value: String(owner.share_percent) },
    ]),
  }
}
