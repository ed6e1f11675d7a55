import type { Actor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { signLink } from '../../../platform/http/signed-link.ts'
import type { DocumentWebDeps } from './deps.ts'
import { isActive } from './people-store.ts'
import { findReachable } from './reach-store.ts'

const linkLifetimeMs = 6 * 60 * 60 * 1000

/** Of a deposit's files: see the contract's `downloadProof`. */
export type ProofFile = 'tsr' | 'ers' | 'ots' | 'chainpoint' | 'certificate' | 'proofs' | 'copy'
export type LinkTo = (id: string, file: ProofFile, query?: string) => string

/** Links name whom they are for, and open as long as he reaches the deposit (decision 0267). */
export function linksFor(deps: Pick<DocumentWebDeps, 'secret' | 'clock'>, { userId, delegation }: Actor): LinkTo {
  const holder = new URLSearchParams({ for: userId, ...(delegation === null ? {} : { delegation: delegation.id }) }).toString()
  return links(deps, holder)
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

/**
 * Asks again, when a link is used, what was asked when it was made. One of a shared page names nobody, and opens while it is shared.
 * @throws DomainError `document.not_found`
 */
export async function assertLinkHolds(
  deps: DocumentWebDeps,
  id: string,
  file: ProofFile,
  { for: userId, delegation }: { readonly for?: string | undefined; readonly delegation?: string | undefined },
): Promise<void> {
  const missing = () => new DomainError('not_found', 'document.not_found')
  if (userId === undefined) {
    // A shared page shows what proves a file, and never the file.
    if (file === 'copy') throw missing()
    const shared = await deps.db
      .selectFrom('document')
      .select('id')
      .where('id', '=', id)
      .where('share_hash', 'is not', null)
      .executeTakeFirst()
    if (shared === undefined) throw missing()
    return
  }
  if (!(await isActive(deps.db, userId))) throw missing()
  if (delegation === undefined) {
    await findReachable(deps.db, { accountId: userId, delegation: null }, id)
    return
  }
  const granted = await deps.findDelegation?.(delegation, userId, deps.clock.now())
  if (granted == null) throw missing()
  await findReachable(deps.db, { accountId: granted.grantorId, delegation: { id: delegation, scope: granted.scope } }, id)
}
