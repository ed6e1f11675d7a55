import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { assignToUser } from '../../contract/account-endpoints.ts'
import { heldEvidences, letGoKey } from './held-evidences.ts'

/**
 * H-26: what was asked for in this browser without an account goes to the account that signed in: the first who asks has it. The
 * key is let go once it opens nothing by itself any more; one that could not be sent now is tried when the next page is opened.
 */
export async function assignHeld(): Promise<{ assigned: number; elsewhere: number }> {
  let assigned = 0
  let elsewhere = 0
  for (const token of new Set(heldEvidences().flatMap((held) => (held.removed === true ? [] : [held.token])))) {
    try {
      assigned += (await call(assignToUser, { params: { evidence_token: token } })).evidences.length
      letGoKey(token)
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) continue
      if (error.status === 409) elsewhere += 1
      letGoKey(token)
    }
  }
  return { assigned, elsewhere }
}
