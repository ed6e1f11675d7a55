import type { Db } from '../../../../platform/db/database.ts'
import { presentRequest } from '../requests/present-request.ts'
import { findRequest } from '../requests/request-store.ts'
import { listRequestsOf } from './ending-store.ts'

/** What is held of an account's requests, for its export (GDPR, article 15). */
export async function* exportOwnedRequests(db: Db, userId: string): AsyncGenerator<unknown> {
  for (const id of await listRequestsOf(db, userId)) {
    const request = await findRequest(db, id, { userId })
    if (request === null) continue
    const { name, email } = request
    yield { ...(await presentRequest(db, request)), name, email }
  }
}
