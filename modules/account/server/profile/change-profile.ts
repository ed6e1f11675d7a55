import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Profile, ProfileChangeBody } from '../../contract/profile.ts'
import { readOwners } from '../../domain/beneficial-owners.ts'
import { changeProfile as applyChange } from '../../domain/profile.ts'
import type { AccountDeps } from '../people/deps.ts'
import { lockPerson, renamePerson, type Person } from '../people/person-store.ts'
import { openOwners, presentProfile, sealOwners, valuesOf } from './present-profile.ts'
import { findProfile, saveProfile } from '../people/profile-store.ts'

/** The account that the caller acts in, and no other: anybody else's looks as if it did not exist. Held until the transaction ends. */
export async function lockOwn(tx: Tx, actor: Actor, id: string): Promise<Person> {
  const person = id === actor.accountId ? await lockPerson(tx, id) : null
  if (person === null || person.status !== 'active') throw new DomainError('not_found', 'account.profile_not_found')
  return person
}

/**
 * Saves fields of a profile as they are typed: all that are sent, or, when one is wrong, none.
 * @throws DomainError `account.profile_invalid` with codes by field; `account.changed_meanwhile` with the fields that somebody saved since the sender saw them
 */
export async function changeProfile(deps: AccountDeps, actor: Actor, id: string, body: ProfileChangeBody): Promise<Profile> {
  const now = deps.clock.now()
  const today = now.toISOString().slice(0, 10)
  const { beneficial_owners: typedOwners, before: seen = {}, ...fields } = body
  return await deps.db.transaction().execute(async (tx) => {
    const person = await lockOwn(tx, actor, id)
    const kept = await findProfile(tx, id)
    const keptValues = valuesOf(person, kept)
    const { values, faults, changed } = applyChange(keptValues, fields, today)
    const before = openOwners(deps.vault, id, kept)
    let owners = before
    let ownersFaults: Readonly<Record<string, readonly string[]>> = {}
    if (typedOwners !== undefined) {
      const read = readOwners(typedOwners, today)
      if ('faults' in read) ownersFaults = read.faults
      else if (read.owners.length > 0 && values.user_type !== 'legal')
        ownersFaults = { beneficial_owners: ['owners_of_companies'] }
      else owners = [...read.owners]
    }
    const wrong = { ...faults, ...ownersFaults }
    if (Object.keys(wrong).length > 0) throw new DomainError('invalid', 'account.profile_invalid', {}, { fields: wrong })

    const stale = changed.filter((field) => Object.hasOwn(seen, field) && (seen[field] || null) !== (keptValues[field] ?? null))
    if (stale.length > 0) {
      const codes = Object.fromEntries(stale.map((field) => [field, ['changed_meanwhile']]))
      throw new DomainError('conflict', 'account.changed_meanwhile', {}, { fields: codes })
    }

    const ownersChanged = JSON.stringify(owners) !== JSON.stringify(before)
    const names = [...changed, ...(ownersChanged ? ['beneficial_owners'] : [])]
    const after = { ...person, firstName: values.first_name ?? '', lastName: values.last_name ?? '' }
    if (names.length > 0) {
      if (changed.includes('first_name') || changed.includes('last_name'))
        await renamePerson(tx, id, after.firstName, after.lastName)
      const sealedOwners = ownersChanged ? sealOwners(deps.vault, id, owners) : kept.sealedOwners
      await saveProfile(tx, id, { values, sealedOwners, owners: owners.length }, now)
    }
    const answer = await presentProfile(tx, deps.vault, after)
    if (names.length > 0) {
      const data = { fields: names.join(' ') }
      await recordAct(tx, now, { action: 'account.saved_profile', actor, subject: { type: 'user', id }, data })
    }
    return answer
  })
}
