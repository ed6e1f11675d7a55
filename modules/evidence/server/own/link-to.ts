import type { DelegationScope } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Admission } from '../../../../platform/admission/admissions.ts'
import { signLink } from '../../../../platform/http/answer/signed-link.ts'
import {
  findLinkHolder,
  hangOnHolding,
  holderQuery,
  linkExpiry,
  type Holding,
  type LinkHolder,
  type LinkRights,
} from '../../../../platform/reach/held-link.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { findReachable, type Caller } from './reach-store.ts'

/** Makes a signed link of a path that begins with `/files/`. */
export type LinkTo = (path: string) => string

/** The same all through an hour: what is shown again and again has one address, and is not sent again. */
export function lastingExpiry(clock: Clock): Date {
  const hour = 60 * 60 * 1000
  return new Date(Math.ceil(linkExpiry(clock).getTime() / hour) * hour)
}

/**
 * Links to the files of an evidence for who asks for them. Of what an account owns they name him, and open as long as he reaches it
 * (decision 0267); of what is nobody's they open by themselves, as its token does.
 */
export function linksFor(
  deps: Pick<EvidenceWebDeps, 'secret' | 'clock'>,
  { actor }: Caller,
  { ownerId }: Pick<EvidenceRecord, 'ownerId'>,
  expiresAt: Date = linkExpiry(deps.clock),
): LinkTo {
  const named = actor == null || ownerId === null ? '' : holderQuery(actor)
  return (path) => signLink(deps.secret, `${path}${named === '' ? '' : `${path.includes('?') ? '&' : '?'}${named}`}`, expiresAt)
}

const missing = () => new DomainError('not_found', 'evidence.not_found')

/**
 * Asks again, when a link is used, what was asked when it was made.
 * @param least scope of a delegate whom it was made for
 * @throws DomainError `evidence.not_found`
 */
export async function assertLinkHolds(
  rights: LinkRights,
  id: string,
  holder: LinkHolder,
  least: DelegationScope = 'read',
): Promise<Holding> {
  if (holder.for === undefined) return { ids: [], until: null, deleted: false }
  const held = await findLinkHolder(rights, { ...holder, for: holder.for }, least)
  if (held === null) throw missing()
  const { contentDeletedAt } = await findReachable(rights.db, { actor: held.reacher }, id)
  return { ...held, deleted: contentDeletedAt !== null }
}

/** What is sent by a link is sent as long as that holds (decision 0330). @throws DomainError `evidence.not_found` */
export async function hangOnLink(rights: LinkRights, admission: Admission, id: string, holder: LinkHolder): Promise<void> {
  await hangOnHolding(admission, id, async () => await assertLinkHolds(rights, id, holder), missing)
}
