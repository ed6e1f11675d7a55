/**
 * Who tries each call. A delegate acts in the account of `owner`, who is a member of the group like `member`; so do programs, with his keys:
 * one that has the call's scope and no other, and one that has all others.
 */
export const roles = [
  'anonymous',
  'holder',
  'former_holder',
  'owner',
  'member',
  'manager',
  'legal_owner',
  'delegate_read',
  'delegate_create',
  'delegate_manage',
  'delegate_expired',
  'other',
  'support',
  'verifier',
  'administrator',
  'administrator_one_factor',
  'suspended',
  'key_with_scope',
  'key_without_scope',
] as const
export type Role = (typeof roles)[number]

const keyRoles: readonly Role[] = ['key_with_scope', 'key_without_scope']
/** Whether it is a program's, which calls with a key of the owner's. */
export const isKey = (role: Role): boolean => keyRoles.includes(role)
