import type { LicensingDeps } from '../keep/deps.ts'
import { listLeftBy } from './left-store.ts'

export type EraseUnsoldDeps = {
  /** Erases what an account that is no more has made, but for what is for sale or licensed. May be repeated. */
  readonly eraseReports: (accountId: string) => Promise<void>
}

/**
 * Reports of sellers who are no more, kept because somebody was paying for a licence of them or had one: once nobody does, they go as the rest of
 * the account went. @returns of how many sellers
 */
export async function eraseUnsold(
  { db, eraseReports }: Pick<LicensingDeps, 'db'> & EraseUnsoldDeps,
  signal: AbortSignal,
): Promise<number> {
  let erased = 0
  for (const sellerId of await listLeftBy(db)) {
    if (signal.aborted) break
    await eraseReports(sellerId)
    erased += 1
  }
  return erased
}
