/** What is said when a licence is asked for: by a user, or by whoever registers with that. */
import { z } from 'zod'
import { personNameFault } from './person-name.ts'

export const saleToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .describe('Token of the offer, as it stands in the address of its page.')

const nameField = (required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .superRefine((name, context) => {
      const fault = name === '' ? null : personNameFault(name)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    })

/** E-45: whose right it is. */
export const beneficiary = z.object({
  email: z
    .string({ error: 'email_required' })
    .trim()
    .min(1, { error: 'email_required' })
    .max(254, { error: 'email_invalid' })
    .regex(/^[^\s@<>"'\p{C}]+@[^\s@<>"'\p{C}]+\.[^\s@<>"'\p{C}]+$/u, { error: 'email_invalid' }),
  first_name: nameField('first_name_required'),
  last_name: nameField('last_name_required'),
  company: z
    .string()
    .trim()
    .max(200, { error: 'too_long' })
    .regex(/^[^\p{C}\p{Zl}\p{Zp}<>]*$/u, { error: 'characters' })
    .default(''),
})
export type Beneficiary = z.infer<typeof beneficiary>

export const licenseRequest = {
  sale_token: saleToken,
  beneficiary,
  /**
   * The text of the licence was read and accepted, and it is wished at once, whereby the right to withdraw is lost (C. conso., art.
   * L221-28, 13°): both must be true.
   */
  terms_accepted: z.boolean({ error: 'license_terms_required' }).refine((said) => said, { error: 'license_terms_required' }),
  withdrawal_waived: z.boolean({ error: 'waiver_required' }).refine((said) => said, { error: 'waiver_required' }),
}
