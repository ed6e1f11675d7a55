import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Admission } from '../../../../platform/admission/admissions.ts'
import { signLink } from '../../../../platform/http/signed-link.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { isActive } from '../deposit/people-store.ts'
import { findReachable } from '../deposit/reach-store.ts'
import { isShared } from './share-store.ts'

const linkLifetimeMs = 6 * 60 * 60 * 1000

/** Of a deposit's files: see the contract's `downloadProof`. */
export type ProofFile = 'tsr' | 'ers' | 'ots' | 'chainpoint' | 'certificate' | 'proofs' | 'copy'
export type LinkTo = (id: string, file: ProofFile, query?: string) => string

/** Links name whom they are for, and open as long as he reaches the deposit (decision 0267). */
export function linksFor(deps: Pick<DocumentWebDeps, 'secret' | 'clock'>, { userId, delegation, apiKey }: Actor): LinkTo {
  const by = {
    ...(delegation === null ? {} : { delegation: delegation.id }),
    ...(apiKey === undefined ? {} : { key: apiKey.id }),
  }
  return links(deps, new URLSearchParams({ for: userId, ...by }).toString())
}

/** Of a page that is shared: they open for anybody until they are over, as the page does. */
export function sharedLinks(deps: Pick<DocumentWebDeps, 'secret' | 'clock'>): LinkTo {
  return links(deps, '')
}

function links({ secret, clock }: Pick<DocumentWebDeps, 'secret' | 'clock'>, holder: string): LinkTo {
  const expiresAt = new Date(clock.now().getTime() + linkLifetimeMs)
  return (id, file, query = '') => {
    const asked = [query, holder].filter((part) => part !== '').join('&')
    return signLink(secret, `/deposits/${id}/${file}/${asked === '' ? '' : `?${asked}`}`, expiresAt)
  }
}

type LinkHolder = {
  readonly for?: string | undefined
  readonly delegation?: string | undefined
  readonly key?: string | undefined
}
/** What a link hangs on. */
type Holding = { readonly ids: readonly string[]; readonly until: Date | null; readonly deleted: boolean }

const missing = () => new DomainError('not_found', 'document.not_found')

/**
 * Asks again, when a link is used, what was asked when it was made. One of a shared page names nobody, and opens while it is shared.
 * @throws DomainError `document.not_found`
 */
async function assertLinkHolds(deps: DocumentWebDeps, id: string, file: ProofFile, holder: LinkHolder): Promise<Holding> {
  const { for: userId, delegation, key } = holder
  if (userId === undefined) {
    // A shared page shows what proves a file, and never the file.
    if (file === 'copy' || !(await isShared(deps.db, id))) throw missing()
    return { ids: [], until: null, deleted: false }
  }
  if (!(await isActive(deps.db, userId))) throw missing()
  const now = deps.clock.now()
  const granted = delegation === undefined ? null : await deps.findDelegation?.(delegation, userId, now)
  if (delegation !== undefined && granted == null) throw missing()
  const program = key === undefined ? null : await deps.findKey?.(key, userId, now)
  if (key !== undefined && program == null) throw missing()
  const held = granted == null || delegation === undefined ? null : { id: delegation, scope: granted.scope }
  const accountId = granted?.grantorId ?? userId
  const { contentDeletedAt } = await findReachable(deps.db, { accountId, delegation: held }, id)
  return {
    ids: [userId, accountId, delegation, key].filter((each) => each !== undefined),
    until: granted?.expiresAt ?? program?.expiresAt ?? null,
    deleted: contentDeletedAt !== null,
  }
}

/** What is sent by a link is sent as long as that holds, and what it is of is there (decision 0330). @throws DomainError `document.not_found` */
export async function hangOnLink(
  deps: DocumentWebDeps,
  admission: Admission,
  { id, file, holder }: { readonly id: string; readonly file: ProofFile; readonly holder: LinkHolder },
): Promise<void> {
  const { ids, deleted } = await assertLinkHolds(deps, id, file, holder)
  const ask = async () => {
    const now = await assertLinkHolds(deps, id, file, holder)
    if (now.deleted && !deleted) throw missing()
    return now.until
  }
  admission.hangOn({ ids: [id, ...ids], ask })
}
