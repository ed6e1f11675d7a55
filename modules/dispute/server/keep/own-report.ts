import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { findSoldReport, type SealTold, type SoldReport } from '../../../evidence/server/index.ts'

export type OwnReport = SoldReport & { readonly seal: SealTold }

/**
 * Whoever gives notice is he whose report it is, since he has proven who he is: what is another's and what is not there look alike (P-16).
 * @throws DomainError `dispute.report_unknown`, `dispute.not_final`
 */
export async function ownReport(db: Db, actor: Pick<Actor, 'accountId'>, id: string): Promise<OwnReport> {
  const report = await findSoldReport(db, id)
  if (report === null || report.ownerId !== actor.accountId) throw new DomainError('not_found', 'dispute.report_unknown')
  const { seal } = report
  if (!report.final || report.trashed || seal === null) throw new DomainError('conflict', 'dispute.not_final')
  return { ...report, seal }
}
