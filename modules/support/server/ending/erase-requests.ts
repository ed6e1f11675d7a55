import { scopeOf } from '../attachments/attachment-key.ts'
import type { SupportDeps, SupportJobDeps } from '../requests/deps.ts'
import { deleteRequest, listRequestsOf, listUntouched } from './ending-store.ts'

type EraseDeps = Pick<SupportDeps, 'db' | 'blobs'>

/** Killed in between it is done again: the files go first, and the row that leads to them after. */
async function erase({ db, blobs }: EraseDeps, id: string): Promise<void> {
  await blobs.scope(scopeOf(id)).clear()
  await deleteRequest(db, id)
}

/** What an account has written to support, and what it was answered (H-38); idempotent. */
export async function eraseOwnedRequests(deps: EraseDeps, userId: string): Promise<void> {
  for (const id of await listRequestsOf(deps.db, userId)) await erase(deps, id)
}

const batch = 100

/** @returns how many went */
export async function deleteOldRequests(deps: Pick<SupportJobDeps, 'db' | 'blobs' | 'clock' | 'supportDays'>): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - deps.supportDays * 86_400_000)
  let deleted = 0
  for (;;) {
    const due = await listUntouched(deps.db, before, batch)
    for (const id of due) await erase(deps, id)
    deleted += due.length
    if (due.length < batch) return deleted
  }
}
