import { scopeSuffices, type DelegationScope } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Admission } from '../../../../platform/admission/admissions.ts'
import { signLink } from '../../../../platform/http/signed-link.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { isActive } from './people-store.ts'
import { findReachable, type Caller } from './reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'

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
  const holder = actor == null || ownerId === null ? null : { for: actor.userId, ...meansOf(actor) }
  const named = holder === null ? '' : new URLSearchParams(holder).toString()
  return (path) => signLink(deps.secret, `${path}${named === '' ? '' : `${path.includes('?') ? '&' : '?'}${named}`}`, expiresAt)
}

/** By what he acts besides a session: signing out breaks no download, and the rest is asked for when the link is used. */
function meansOf({ delegation, apiKey }: NonNullable<Caller['actor']>): { delegation?: string; key?: string } {
  return { ...(delegation === null ? {} : { delegation: delegation.id }), ...(apiKey === undefined ? {} : { key: apiKey.id }) }
}

/** What a link says of whom it was made for; the signature covers it. */
export type LinkHolder = {
  readonly for?: string | undefined
  readonly delegation?: string | undefined
  readonly key?: string | undefined
}

/** What a link hangs on. */
type Holding = { readonly ids: readonly string[]; readonly until: Date | null; readonly deleted: boolean }

type LinkRights = Pick<EvidenceWebDeps, 'db' | 'clock' | 'findDelegation' | 'findKey'>

const missing = () => new DomainError('not_found', 'evidence.not_found')

/**
 * Asks again, when a link is used, what was asked when it was made: whoever was removed from the group, whose delegation was taken
 * back, whose key was revoked or whose account is not open any more opens nothing with the links he kept.
 * @param least scope of a delegate whom it was made for
 * @throws DomainError `evidence.not_found`
 */
export async function assertLinkHolds(
  deps: LinkRights,
  id: string,
  holder: LinkHolder,
  least: DelegationScope = 'read',
): Promise<Holding> {
  const { for: userId, delegation, key } = holder
  if (userId === undefined) return { ids: [], until: null, deleted: false }
  if (!(await isActive(deps.db, userId))) throw missing()
  const now = deps.clock.now()
  const granted = delegation === undefined ? null : await deps.findDelegation?.(delegation, userId, now)
  if (delegation !== undefined && (granted == null || !scopeSuffices(granted.scope, least))) throw missing()
  const program = key === undefined ? null : await deps.findKey?.(key, userId, now)
  if (key !== undefined && program == null) throw missing()
  const held = granted == null || delegation === undefined ? null : { id: delegation, scope: granted.scope }
  const accountId = granted?.grantorId ?? userId
  const { contentDeletedAt } = await findReachable(deps.db, { actor: { accountId, delegation: held } }, id)
  return {
    ids: [userId, accountId, delegation, key].filter((each) => each !== undefined),
    until: granted?.expiresAt ?? program?.expiresAt ?? null,
    deleted: contentDeletedAt !== null,
  }
}

/**
 * What is sent by a link is sent as long as that holds, and what it is of is there. Its own six hours are those in which it may begin.
 * @throws DomainError `evidence.not_found`
 */
export async function hangOnLink(deps: LinkRights, admission: Admission, id: string, holder: LinkHolder): Promise<void> {
  const { ids, deleted } = await assertLinkHolds(deps, id, holder)
  const ask = async () => {
    const now = await assertLinkHolds(deps, id, holder)
    if (now.deleted && !deleted) throw missing()
    return now.until
  }
  admission.hangOn({ ids: [id, ...ids], ask })
}
