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

/** What an API key may do; each call names at most one that admits keys (decision 0291). */
export const apiScopes = ['documents:create', 'documents:read', 'evidences:create', 'evidences:read'] as const
export type ApiScope = (typeof apiScopes)[number]

/** With which key a program calls. */
export type ApiKey = {
  readonly id: string
  /** As its owner calls it. */
  readonly name: string
  readonly scopes: ReadonlySet<ApiScope>
}

/** Who calls: established from the bearer token before any handler runs. */
export type Actor = {
  readonly userId: string
  /** Whose account the call acts on: the user's own, unless he acts for somebody by delegation. */
  readonly accountId: string
  /** null: in his own account. */
  readonly delegation: { readonly id: string; readonly scope: DelegationScope } | null
  /** Of a program, the id of its key: there is no such session. */
  readonly sessionId: string
  readonly roles: ReadonlySet<StaffRole>
  /** Whether the session was opened with a second factor. */
  readonly secondFactor: boolean
  /** Whether he gave his password, and his second factor where he has one, in that session a short while ago (decision 0245). */
  readonly proven?: boolean
  /** A program calls for the user, with this key; absent: he calls himself. */
  readonly apiKey?: ApiKey
  /** When, at the latest, what admits him ends: his session or key, and the delegation. Absent: not known. */
  readonly until?: Date
  /** Of the user, for whatever is written to him. */
  readonly locale: Locale
}

/** What somebody opened of his account to another. */
export type GrantedAccess = { readonly grantorId: string; readonly scope: DelegationScope; readonly expiresAt: Date }

/** An access that was granted to that user, in force; null when it is not his, was revoked or has expired. */
export type FindDelegation = (id: string, userId: string, now: Date) => Promise<GrantedAccess | null>

/** A program’s key of that user, in force; null when it is not his, was revoked or has expired. */
export type FindKey = (id: string, userId: string, now: Date) => Promise<{ readonly expiresAt: Date } | null>

/** Ids of what an actor's calls hang on: when one of these ends or changes, he is asked anew who he is. */
export function groundsOf(actor: Pick<Actor, 'userId' | 'accountId' | 'delegation' | 'sessionId'>): string[] {
  const { userId, accountId, delegation, sessionId } = actor
  return [...new Set([sessionId, userId, accountId, ...(delegation === null ? [] : [delegation.id])])]
}

/** Whether a call may do the same in the name of either. */
export function mayTheSame(one: Actor, other: Actor): boolean {
  return (
    one.accountId === other.accountId &&
    one.delegation?.scope === other.delegation?.scope &&
    one.secondFactor === other.secondFactor &&
    one.roles.symmetricDifference(other.roles).size === 0
  )
}

export function scopeSuffices(held: DelegationScope, needed: DelegationScope): boolean {
  return delegationScopes.indexOf(held) >= delegationScopes.indexOf(needed)
}
