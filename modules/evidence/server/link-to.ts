import { DomainError } from '../../../kernel/errors.ts'
import { signLink } from '../../../platform/http/signed-link.ts'
import type { EvidenceWebDeps } from './deps.ts'
import { isActive } from './people-store.ts'
import { findReachable, type Caller } from './reach-store.ts'
import type { EvidenceRecord } from './store.ts'

/** Links outlive a long look at the preview, not the draft. */
const linkLifetimeMs = 6 * 60 * 60 * 1000

/** Makes a signed link of a path that begins with `/files/`. */
export type LinkTo = (path: string) => string

/**
 * Links to the files of an evidence for who asks for them. Of what an account owns they name him, and open as long as he reaches it
 * (decision 0267); of what is nobody's they open by themselves, as its token does.
 */
export function linksFor(
  deps: Pick<EvidenceWebDeps, 'secret' | 'clock'>,
  { actor }: Caller,
  { ownerId }: Pick<EvidenceRecord, 'ownerId'>,
): LinkTo {
  const expiresAt = new Date(deps.clock.now().getTime() + linkLifetimeMs)
  const holder = actor == null || ownerId === null ? null : { for: actor.userId, ...delegationOf(actor) }
  const named = holder === null ? '' : new URLSearchParams(holder).toString()
  return (path) => signLink(deps.secret, `${path}${named === '' ? '' : `${path.includes('?') ? '&' : '?'}${named}`}`, expiresAt)
}

function delegationOf({ delegation }: NonNullable<Caller['actor']>): { delegation?: string } {
  return delegation === null ? {} : { delegation: delegation.id }
}

/** What a link says of whom it was made for; the signature covers it. */
export type LinkHolder = { readonly for?: string | undefined; readonly delegation?: string | undefined }

/**
 * Asks again, when a link is used, what was asked when it was made: whoever was removed from the group, whose delegation was taken
 * back or whose account is not open any more opens nothing with the links he kept.
 * @throws DomainError `evidence.not_found`
 */
export async function assertLinkHolds(deps: EvidenceWebDeps, id: string, holder: LinkHolder): Promise<void> {
  const { for: userId, delegation } = holder
  if (userId === undefined) return
  const missing = () => new DomainError('not_found', 'evidence.not_found')
  if (!(await isActive(deps.db, userId))) throw missing()
  const granted = delegation === undefined ? null : await deps.findDelegation?.(delegation, userId, deps.clock.now())
  if (delegation !== undefined && granted == null) throw missing()
  const held = granted == null || delegation === undefined ? null : { id: delegation, scope: granted.scope }
  await findReachable(deps.db, { actor: { accountId: granted?.grantorId ?? userId, delegation: held } }, id)
}
