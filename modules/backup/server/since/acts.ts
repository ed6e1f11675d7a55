/** Acts that take something away which a backup of before would bring back. */
export const takingAway = [
  'account.closed_account',
  'account.kept_account',
  'account.erased_account',
  'account.ended_access',
  'document.copy_deleted',
  'document.restored',
  'document.trashed',
  'document.unshared',
  'evidence.deleted',
  'evidence.restored',
  'evidence.trashed',
  'identity.changed_password',
  'identity.reset_password',
  'identity.revoked_api_key',
  'identity.suspended_account',
] as const

export type TakenAway = {
  readonly number: number
  readonly at: string
  readonly action: string
  readonly subject: string | null
}
