import type { Locale } from './locale.ts'

/** Roles of staff (decision H-20). A group's manager is a manager of that group alone, not one of these. */
export const staffRoles = ['support', 'verifier', 'administrator'] as const
export type StaffRole = (typeof staffRoles)[number]

/** How an account stands; `closing`: its data are erased after a while, until then it can be kept. */
export const accountStatuses = ['unconfirmed', 'active', 'suspended', 'closing', 'erased'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** What a delegate may do in the account that was opened to him, each including the one before (decision H-22). */
export const delegationScopes = ['read', 'create', 'manage'] as const
export type DelegationScope = (typeof delegationScopes)[number]

/** Who calls: established from the bearer token before any handler runs. */
export type Actor = {
  readonly userId: string
  /** Whose account the call acts on: the user's own, unless he acts for somebody by delegation. */
  readonly accountId: string
  /** null: in his own account. */
  readonly delegation: { readonly id: string; readonly scope: DelegationScope } | null
  readonly sessionId: string
  readonly roles: ReadonlySet<StaffRole>
  /** Whether the session was opened with a second factor. */
  readonly secondFactor: boolean
  /** Whether he gave his password, and his second factor where he has one, in that session a short while ago (decision 0270). */
  readonly proven?: boolean
  /** Of the user, for whatever is written to him. */
  readonly locale: Locale
}

export function scopeSuffices(held: DelegationScope, needed: DelegationScope): boolean {
  return delegationScopes.indexOf(held) >= delegationScopes.indexOf(needed)
}
