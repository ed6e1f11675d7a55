import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { registrationAnswer, registrationBody } from './identity.ts'

/**
 * C-32: an account, to which the draft goes that the token holds, once its address is confirmed. The answer is the same for every
 * address, as that of `POST /rest-auth/registration/` is.
 * @throws what that call does; `evidence.not_found`, `evidence.already_claimed`
 */
export const registerWithEvidence = endpoint({
  method: 'POST',
  path: '/evidences/:evidence_token/user_registration/',
  summary: 'Register, and take over a draft with that',
  access: ['open'],
  params: z.object({ evidence_token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
  body: registrationBody,
  response: registrationAnswer,
  status: 201,
})
