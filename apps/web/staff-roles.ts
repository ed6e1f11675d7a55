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
    const roles = await asked.roles
    // A second factor that is set up meanwhile gives some to the same session.
    if (roles.length === 0 && known === asked) known = null
    return roles
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

/** Whether he has a role of staff that counts once a second factor is set up: nobody else is told that there is anything. */
export async function lacksSecondFactor(): Promise<boolean> {
  try {
    const { required, enabled } = await call(readSecondFactor, {})
    return required && !enabled
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
