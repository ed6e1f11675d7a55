import { endpoint } from '../../../kernel/endpoint.ts'
import { licenseRequest } from '../../../kernel/license-request.ts'
import { registrationAnswer, registrationBody } from './identity.ts'

/**
 * C-49: an account, and with it a licence that is asked for, which is paid once the address is confirmed. The answer is the same for every
 * address, as that of `POST /rest-auth/registration/` is.
 * @throws what that call does; `licensing.sale_unknown`, `licensing.sale_stopped`, `licensing.sold_out`
 */
export const registerWithLicense = endpoint({
  method: 'POST',
  path: '/licenses/create_with_user_registration/',
  summary: 'Register, and ask for a licence with that',
  access: ['open'],
  body: registrationBody.safeExtend(licenseRequest),
  response: registrationAnswer,
  status: 201,
})
