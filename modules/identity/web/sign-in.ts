import { beginSession, currentSession, endSession } from '../../../ui/api/session.ts'
import { call } from '../../../ui/api/call.ts'
import { login, logout } from '../contract/endpoints.ts'
import type { LoginAnswer } from '../contract/identity.ts'

/** By which door: the partner's has its own sign and no referral button (decision H-07). */
export type Brand = 'partner' | null

export type SignIn = { readonly email: string; readonly password: string; readonly code?: string; readonly remember: boolean }

/** C-01, S-01, S-03. @throws ApiError */
export async function signIn({ remember, ...given }: SignIn, brand: Brand): Promise<LoginAnswer['user']> {
  const { access_token, user } = await call(login, { body: { ...given, remember_me: remember }, anonymous: true })
  beginSession({ token: access_token, userId: user.pk, brand }, remember)
  return user
}

/** S-02: this browser forgets at once, whether or not the server can be told. */
export async function signOut(): Promise<void> {
  const session = currentSession()
  if (session === null) return
  const told = call(logout, {}).catch(() => undefined)
  // The call has its token by now.
  endSession(session.token)
  await told
}
