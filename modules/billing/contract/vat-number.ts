import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'

/** By it the account is invoiced with VAT or without: a delegate must manage it. */
const managing = { access: ['user'], delegable: 'manage' } as const

export const vatNumber = z.object({
  vat_number: z.string().nullable().describe('With its prefix, without spaces; null: none was given.'),
  status: z
    .enum(['none', 'valid', 'invalid', 'unreachable'])
    .describe('What the register of the European Union says; `unreachable`: nothing yet, it is asked again.'),
  checked_at: z.iso.datetime().nullable().describe('When it was last asked.'),
  consultation: z.string().nullable().describe('Number of the consultation, of the register’s own making.'),
  vat_treatment: z
    .enum(['standard', 'reverse_charge', 'outside', 'wait'])
    .nullable()
    .describe(
      'VAT of what is invoiced to the account: French, reverse charge, or none outside the European Union; `wait`: nothing is invoiced before the register answers. null: the profile names no country.',
    ),
  vat_basis_points: z.int().nonnegative().nullable().describe('Its rate: 2000 is 20 %.'),
})
export type VatNumberOnTheWire = z.infer<typeof vatNumber>

/** H-37. */
export const readVatNumber = endpoint({
  method: 'GET',
  path: '/invoices/vat_number/',
  summary: 'Read the VAT number of the account',
  ...managing,
  response: vatNumber,
})

/**
 * H-37. The register is asked at once; an invalid number is kept and invoiced with French VAT.
 * @throws `billing.vat_number_invalid` with `vat_number_format`, `vat_number_country` or `vat_number_business`, `billing.profile_incomplete`
 */
export const changeVatNumber = endpoint({
  method: 'POST',
  path: '/invoices/vat_number/',
  summary: 'Give the VAT number of the account, or take it back',
  ...managing,
  body: z.object({ vat_number: z.string().trim().min(1).max(40).nullable().describe('null: it has none.') }),
  response: vatNumber,
})
