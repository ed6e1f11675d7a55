import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { holdStaff, leavesAdministrator } from './standing-store.ts'
import { rolesOf } from '../people/user-store.ts'

/**
 * Who takes an account away asks this first, before he holds any row: an installation without administrator could only be
 * entered again at the command line. @throws DomainError `identity.last_administrator`
 */
export async function keepAdministrator(tx: Tx, without: string): Promise<void> {
  if (!(await rolesOf(tx, without)).includes('administrator')) return
  await holdStaff(tx)
  if (!(await leavesAdministrator(tx, without))) throw new DomainError('conflict', 'identity.last_administrator')
}
