import type { ApiScope } from '../../kernel/actor.ts'
import { isKey, roles, type Role } from './roles.ts'

/** What a caller is answered with. */
export type Outcome =
  /** What he asked for. */
  | 'admitted'
  /** As though what he names were not there. */
  | 'missing'
  /** As though the call did not exist. */
  | 'absent'
  /** Nobody is signed in, or no longer. */
  | 'sign_in'
  | 'forbidden'
  /** That very code of an error: he was admitted, and the state of things keeps it back. */
  | `${string}.${string}`

export type Expected = Readonly<Record<Role, Outcome>>

/** Whether an answer is of that kind; a code alone counts when it stands for one of ours. */
export function isOutcome(wanted: Outcome, { status, code }: { readonly status: number; readonly code: string }): boolean {
  switch (wanted) {
    case 'admitted':
      return status >= 200 && status < 300
    case 'missing':
      return status === 404
    case 'absent':
      return status === 404 && code === 'http.not_found'
    case 'sign_in':
      return (
        status === 401 &&
        ['http.sign_in_required', 'http.evidence_token_missing', 'http.session_ended', 'http.key_refused'].includes(code)
      )
    case 'forbidden':
      return status === 403
    default:
      return code === wanted
  }
}

/**
 * Of people: everybody that a call may be made by. Of `expected`, whoever is not named; of keys what their owner is, see
 * {@link expectedOfKey}.
 */
function expected(otherwise: Outcome, named: Partial<Record<Role, Outcome>>): Expected {
  const entries = roles.map((role) => [role, named[isKey(role) ? 'owner' : role] ?? otherwise] as const)
  return Object.fromEntries(entries) as Record<Role, Outcome>
}

type Named = Partial<Record<Role, Outcome>>
const dead: Named = { suspended: 'sign_in', delegate_expired: 'forbidden' }
const nobodySignedIn: Named = { anonymous: 'sign_in', holder: 'sign_in', former_holder: 'sign_in' }
const noDelegate: Named = { delegate_read: 'forbidden', delegate_create: 'forbidden', delegate_manage: 'forbidden' }

/** Which delegates are let through; `outcome` is theirs. */
function delegates(least: 'read' | 'create' | 'manage' | null, outcome: Outcome): Named {
  if (least === null) return noDelegate
  return {
    delegate_read: least === 'read' ? outcome : 'forbidden',
    delegate_create: least === 'manage' ? 'forbidden' : outcome,
    delegate_manage: outcome,
  }
}

/** Anybody; but whoever says that he acts for somebody must be allowed to make that call for him. */
export function anybody(outcome: Outcome = 'admitted', least: 'read' | 'create' | 'manage' | null = null): Expected {
  return expected(outcome, { ...delegates(least, outcome), ...dead })
}

/** Whoever is signed in, of what is his own; and delegates, of the account that they act in. */
export function signedIn(
  outcome: Outcome = 'admitted',
  { least = null, named = {} }: { least?: 'read' | 'create' | 'manage' | null; named?: Named } = {},
): Expected {
  return expected(outcome, { ...nobodySignedIn, ...delegates(least, outcome), ...dead, ...named })
}

/** Whoever reaches the evidence: by its token while it is nobody's; its owner; who manages his group; who acts for him. */
export function reaching(least: 'read' | 'create' | 'manage', outcome: Outcome = 'admitted'): Expected {
  return expected('missing', {
    anonymous: 'sign_in',
    holder: outcome,
    owner: outcome,
    manager: outcome,
    legal_owner: outcome,
    ...delegates(least, outcome),
    ...dead,
  })
}

/** Members of the group as they are named; to others it is not there. */
export function inGroup(named: Named): Expected {
  return expected('missing', { ...nobodySignedIn, ...noDelegate, ...dead, ...named })
}

/** That staff, with a second factor; to anyone else there is no such call. */
export function staffAlone(...staff: readonly Role[]): Expected {
  return expected('absent', { ...Object.fromEntries(staff.map((role) => [role, 'admitted'])), suspended: 'sign_in' })
}

/** The same, where the state of things keeps that staff back. */
export function staffAnswered(outcome: Outcome, ...staff: readonly Role[]): Expected {
  return expected('absent', { ...Object.fromEntries(staff.map((role) => [role, outcome])), suspended: 'sign_in' })
}

/** The token alone opens it, whoever else one is. */
export function tokenAlone(): Expected {
  return expected('sign_in', { holder: 'admitted', former_holder: 'missing' })
}

/** What the link opens does not depend on who follows it. */
export function whoever(outcome: Outcome): Expected {
  return expected(outcome, {})
}

/** What a key is answered with, on a call that is for keys of that scope, or for none. */
export function expectedOfKey(call: string, row: Expected, role: Role, scope: ApiScope | null): Outcome {
  const ofOwner = row.owner
  // There is no such call to whoever is not staff; a token or a link opens it, whoever else one is.
  if (ofOwner === 'absent' || ofOwner === 'sign_in' || /^GET \/(?:files|deposits)\//.test(call)) return ofOwner
  return scope !== null && role === 'key_with_scope' ? ofOwner : 'forbidden'
}

/** The calls that are for keys. Keys open no other, and a program needs no more (decision 0291). */
export const callsForKeys: Readonly<Record<string, ApiScope>> = {
  'POST /evidences/': 'evidences:create',
  'POST /evidences/:id/agree/': 'evidences:create',
  'POST /evidences/:id/retry/': 'evidences:create',
  'GET /evidences/': 'evidences:read',
  'GET /evidences/:id/': 'evidences:read',
  'GET /evidences/:id/status/': 'evidences:read',
  'GET /evidences/:id/proof_health/': 'evidences:read',
  'GET /evidences/:id/pdf_preview/': 'evidences:read',
  'GET /evidences/:id/generate_zip_archive/': 'evidences:read',
  'POST /documents/': 'documents:create',
  'POST /documents/batches/': 'documents:create',
  'GET /documents/': 'documents:read',
  'GET /documents/:id/': 'documents:read',
  'GET /documents/:id/pdf/': 'documents:read',
  'GET /documents/:id/proof_health/': 'documents:read',
  'GET /documents/makers/': 'documents:read',
  'GET /documents/stats/': 'documents:read',
  'POST /documents/proofs/': 'documents:read',
  'GET /documents/copies/': 'documents:read',
  'GET /documents/:id/copy/': 'documents:read',
  'POST /documents/:id/copy/': 'documents:create',
  'POST /documents/:id/copy/parts/:part/': 'documents:create',
  'POST /documents/:id/copy/complete/': 'documents:create',
}
