import type { Locale } from '../../../kernel/locale.ts'
import { actFor } from '../../../ui/api/session.ts'

/** Into the account of somebody else, or (null) back into one's own: the page begins anew, and keeps nothing of the one before. */
export function switchAccount(delegation: string | null, locale: Locale): void {
  actFor(delegation)
  location.assign(`/${locale}/evidences/pending/`)
}
