import type { Actor } from '../../../../kernel/actor.ts'
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
} from '../../../../platform/reach/held-link.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findReachable } from '../deposit/reach-store.ts'
import { isShared } from './share-store.ts'

/** Of a deposit's files: see the contract's `downloadProof`. */
export type ProofFile = 'tsr' | 'ers' | 'ots' | 'chainpoint' | 'certificate' | 'proofs' | 'copy'
export type LinkTo = (id: string, file: ProofFile, query?: string) => string

/** Links for who asks for them, as long as he reaches the deposit (decision 0267). */
export function linksFor(deps: Pick<DocumentWebDeps, 'secret' | 'clock'>, actor: Actor): LinkTo {
  return links(deps, holderQuery(actor))
}

/** Of a page that is shared: they open for anybody until they are over, as the page does. */
export function sharedLinks(deps: Pick<DocumentWebDeps, 'secret' | 'clock'>): LinkTo {
  return links(deps, '')
}

function links({ secret, clock }: Pick<DocumentWebDeps, 'secret' | 'clock'>, holder: string): LinkTo {
  const expiresAt = linkExpiry(clock)
  return (id, file, query = '') => {
    const asked = [query, holder].filter((part) => part !== '').join('&')
    return signLink(secret, `/deposits/${id}/${file}/${asked === '' ? '' : `?${asked}`}`, expiresAt)
  }
}

const missing = () => new DomainError('not_found', 'document.not_found')

/** One of a shared page names nobody, and opens while it is shared. @throws DomainError `document.not_found` */
async function assertLinkHolds(deps: DocumentWebDeps, id: string, file: ProofFile, holder: LinkHolder): Promise<Holding> {
  if (holder.for === undefined) {
    // A shared page shows what proves a file, and never the file.
    if (file === 'copy' || !(await isShared(deps.db, id))) throw missing()
    return { ids: [], until: null, deleted: false }
  }
  const held = await findLinkHolder(deps, { ...holder, for: holder.for })
  if (held === null) throw missing()
  const { contentDeletedAt } = await findReachable(deps.db, held.reacher, id)
  return { ...held, deleted: contentDeletedAt !== null }
}

/** What is sent by a link is sent as long as that holds (decision 0330). @throws DomainError `document.not_found` */
export async function hangOnLink(
  deps: DocumentWebDeps,
  admission: Admission,
  { id, file, holder }: { readonly id: string; readonly file: ProofFile; readonly holder: LinkHolder },
): Promise<void> {
  await hangOnHolding(admission, id, async () => await assertLinkHolds(deps, id, file, holder), missing)
}
