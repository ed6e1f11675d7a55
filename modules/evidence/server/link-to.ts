import { signLink } from '../../../platform/http/signed-link.ts'
import type { EvidenceWebDeps } from './deps.ts'

/** Links outlive a long look at the preview, not the draft. */
const linkLifetimeMs = 6 * 60 * 60 * 1000

export function linkTo(deps: Pick<EvidenceWebDeps, 'secret' | 'clock'>, path: string): string {
  return signLink(deps.secret, path, new Date(deps.clock.now().getTime() + linkLifetimeMs))
}
