import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { changeDisputePack } from '../../contract/packs.ts'
import type { DisputeDeps } from './deps.ts'
import { ownReport } from './own-report.ts'
import { keepPack } from './pack-store.ts'

/** @throws DomainError `dispute.report_unknown`, `dispute.not_final` */
export async function changePack(
  deps: Pick<DisputeDeps, 'db' | 'clock'>,
  actor: Actor,
  id: string,
  locale: Locale,
  body: BodyOf<typeof changeDisputePack>,
): Promise<void> {
  await ownReport(deps.db, actor, id)
  const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  // Nobody sends a letter in which nothing stands.
  if (change['letter'] === '') change['letter'] = null
  await keepPack(deps.db, { evidenceId: id, accountId: actor.accountId }, locale, change, deps.clock.now())
}
