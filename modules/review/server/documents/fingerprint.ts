import { createHmac } from 'node:crypto'
import type { TypedProfile } from '../../../account/server/index.ts'

/**
 * What somebody typed, by field, as keyed hashes: tells at the decision whether it is still what was sent, and nothing to whoever has a copy of the
 * database alone.
 */
export function fingerprintsOf(secret: string, userId: string, profile: TypedProfile): Record<string, string> {
  const hash = (field: string, value: unknown) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['review', 'typed', userId, field, value]))
      .digest('base64url')
  return Object.fromEntries([
    ...profile.fields.map(({ field, value }) => [field, hash(field, value)]),
    ['beneficial_owners', hash('beneficial_owners', profile.beneficialOwners)],
  ]) as Record<string, string>
}

/** Fields whose value is another than at the sending, in the order of the form. */
export function changedSince(sent: Readonly<Record<string, string>> | null, now: Readonly<Record<string, string>>): string[] {
  return sent === null ? [] : Object.keys(now).filter((field) => now[field] !== sent[field])
}
