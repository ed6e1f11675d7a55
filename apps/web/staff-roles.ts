import type { StaffRole } from '../../kernel/actor.ts'
import { readCurrentProfile } from '../../modules/account/contract/endpoints.ts'
import { readSecondFactor } from '../../modules/identity/contract/endpoints.ts'
import { ApiError } from '../../ui/api/api-error.ts'
import { call } from '../../ui/api/call.ts'
import { currentSession } from '../../ui/api/session.ts'

let known: { readonly of: string; readonly roles: Promise<readonly StaffRole[]> } | null = null

/** Which roles the user has, asked once in a session; none while he acts for somebody else. @throws ApiError where nothing could be told */
export async function staffRolesHere(): Promise<readonly StaffRole[]> {
  const session = currentSession()
  const of = `${session?.token ?? ''} ${session?.delegation ?? ''}`
  if (known?.of !== of) known = { of, roles: ask() }
  const asked = known
  try {
    return await asked.roles
  } catch (error) {
    if (known === asked) known = null
    throw error
  }
}

async function ask(): Promise<readonly StaffRole[]> {
  try {
    return (await call(readCurrentProfile, {})).roles
  } catch (error) {
    // A session that is over has no roles.
    if (error instanceof ApiError && error.status === 401) return []
    throw error
  }
}

let provenTwice: string | null = null

/** Whether whoever has a role of staff lacks the second factor without which it does not count; asked until he has it. */
export async function lacksSecondFactor(): Promise<boolean> {
  const token = currentSession()?.token ?? ''
  if (provenTwice === token) return false
  try {
    const { required, enabled } = await call(readSecondFactor, {})
    if (enabled) provenTwice = token
    return required && !enabled
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
