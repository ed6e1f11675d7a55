import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'

/** What is spent is spent in the owner's name: a delegate must manage his account. */
const spending = { access: ['user'], delegable: 'manage' } as const

/** Whether no money moves: every screen that speaks of a payment says so. */
const test = z.boolean().describe('Whether these are test payments: no money moves.')

/** E-56. What the browser needs to hand a card to the provider, which is the only one to see it. */
export const cardRegistration = z.object({
  id: z.uuid().describe('Id of the registration, by which it is finished.'),
  user_id: z.string().describe('The customer, as the provider names him.'),
  card_registration_url: z
    .url()
    .describe(
      'Where the browser posts the fields `accessKeyRef`, `data`, `cardNumber`, `cardExpirationDate` (MMYY) and `cardCvx`.',
    ),
  access_key: z.string().describe('Value of `accessKeyRef`.'),
  preregistration_data: z.string().describe('Value of `data`.'),
  test,
})
export type CardRegistrationOnTheWire = z.infer<typeof cardRegistration>

/** @throws `billing.profile_incomplete` (V-45), `billing.means_unavailable`, `billing.provider_unavailable` */
export const beginCardRegistration = endpoint({
  method: 'POST',
  path: '/payments/card_registration/',
  summary: 'Begin the registration of a card',
  ...spending,
  response: cardRegistration,
  status: 201,
})

/** C-51. The parameter is spelt as the provider spells it. @throws `billing.card_unknown` */
export const readCardRegistration = endpoint({
  method: 'GET',
  path: '/payments/card_registration/',
  summary: 'Read a registration of a card that is not finished',
  ...spending,
  query: z.object({ RessourceId: z.uuid().describe('Id of the registration.') }),
  response: cardRegistration,
})

export const card = z.object({
  id: z.uuid(),
  alias: z.string().describe('Its number as it may be shown: the last four digits are its own.'),
  last_digits: z.string().describe('Its last four digits.'),
  expires_on: z.iso.date().describe('First day on which it no longer holds.'),
  expired: z.boolean(),
})
export type CardOnTheWire = z.infer<typeof card>

const byId = z.object({ id: z.uuid().describe('Id of the card.') })

/**
 * C-53: what the provider answered to the browser goes back to him; card data never come here.
 * @throws `billing.card_unknown`, `billing.refusal.card_data` and the other refusals, `billing.provider_unavailable`
 */
export const finishCardRegistration = endpoint({
  method: 'PATCH',
  path: '/payments/card_registration/:id/',
  summary: 'Finish the registration of a card',
  ...spending,
  params: z.object({ id: z.uuid().describe('Id of the registration.') }),
  body: z.object({
    registration_data: z
      .string()
      .regex(/^(?:data=|errorCode=)[\w=+/%.-]{1,1000}$/)
      .describe('The whole text that the provider answered to the browser: `data=…` or `errorCode=…`.')
      .meta({ examples: ['data=Zm9yIG9uZSB1c2U'] }),
  }),
  response: card.extend({ test }),
})

/** D-09: whoever changes his bank account is told that this ends. */
export const mandate = z.object({
  id: z.uuid(),
  status: z
    .enum(['action_required', 'submitted', 'active', 'failed'])
    .describe('`action_required`: the customer has to confirm it; `submitted` and `active`: it can be paid by.'),
  reference: z.string().nullable().describe('As the bank statement of the customer shows it.'),
  redirect_url: z.url().nullable().describe('Where the customer confirms it.'),
})
export type MandateOnTheWire = z.infer<typeof mandate>

/** How this customer may pay, and what his renewals are charged to. */
export const listPaymentMethods = endpoint({
  method: 'GET',
  path: '/payments/methods/',
  summary: 'List the cards and the mandate that may be paid by',
  ...spending,
  response: z.object({
    cards: z.array(card),
    mandate: mandate.nullable(),
    renewals: z
      .object({ by: z.enum(['card', 'mandate']), card: z.uuid().nullable() })
      .nullable()
      .describe('What later invoices of the subscription are charged to; null: to nothing, they are paid one by one.'),
    by: z.array(z.enum(['card', 'mandate', 'transfer'])).describe('What this installation takes.'),
    referred: z.boolean().describe('Whether it is known who referred the account (H-24).'),
    test,
  }),
})

/** Of no more use: renewals that it paid are paid by hand. @throws `billing.card_unknown`, `billing.payment_processing` */
export const endCard = endpoint({
  method: 'DELETE',
  path: '/payments/cards/:id/',
  summary: 'Remove a card',
  ...spending,
  params: byId,
  response: z.object({ status: z.literal('done') }),
})

const returnTo = z
  .string()
  .max(1000)
  .regex(/^\/(?:en|fr)\/[^\\\s]*$/)
  .describe('Path to which the customer comes back from his bank, with the language: `/fr/payment/return/?invoice=…`.')

/** C-52, read. */
export const readMandate = endpoint({
  method: 'GET',
  path: '/payments/mandate_creation/',
  summary: 'Read the mandate for direct debits',
  ...spending,
  response: z.object({ mandate: mandate.nullable(), test }),
})

/**
 * C-52. On the bank account of the profile; one that waits for its confirmation is given again.
 * @throws `billing.profile_incomplete`, `billing.bank_account_missing`, `billing.bank_account_undebited`, `billing.means_unavailable`,
 * `billing.provider_unavailable`
 */
export const createMandate = endpoint({
  method: 'POST',
  path: '/payments/mandate_creation/',
  summary: 'Create a mandate for direct debits',
  ...spending,
  body: z.object({ return_to: returnTo.meta({ examples: ['/en/account/payment-methods/'] }) }),
  response: z.object({ mandate, test }),
  status: 201,
})

/** What the cardholder's bank wants to know of the browser; what its requests say already is taken from them. */
export const browser = z.object({
  language: z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/),
  java_enabled: z.boolean(),
  color_depth: z.int().min(1).max(64),
  screen_width: z.int().min(1).max(100_000),
  screen_height: z.int().min(1).max(100_000),
  time_zone_offset: z.int().min(-1000).max(1000).describe('Minutes, as `Date.getTimezoneOffset` tells them.'),
})

/** S-04, S-05 and what lies between. */
export const payment = z.object({
  invoice_id: z.uuid(),
  status: z
    .enum(['none', 'processing', 'action_required', 'success', 'failed'])
    .describe(
      '`none`: nobody was asked yet; `action_required`: go to `redirect_url`; `processing`: it is known later, nothing is to be done but a transfer; `failed`: see `failure`.',
    ),
  amount_cents: z.int().nonnegative(),
  by: z.enum(['card', 'mandate', 'transfer']).nullable(),
  redirect_url: z.url().nullable().describe('Where the customer confirms the payment.'),
  expected_on: z.iso.date().nullable().describe('Day on which the outcome is expected, where it is known.'),
  transfer: z
    .object({
      holder: z.string(),
      iban: z.string(),
      bic: z.string().nullable(),
      reference: z.string().describe('To be given with the transfer: it is recognised by this alone.'),
      amount_cents: z.int().positive(),
      received_cents: z.int().nonnegative(),
    })
    .nullable(),
  failure: z.string().nullable().describe('Key of the message that says why: `billing.refusal.…`.'),
  retry_on: z.iso.date().nullable().describe('Day on which it is tried again by itself.'),
  test,
})
export type PaymentOnTheWire = z.infer<typeof payment>

const ofInvoice = z.object({ id: z.uuid().describe('Id of the invoice.') })

/**
 * C-41. Asked again while a payment is under way, it answers where that stands and asks for no other.
 * @throws `billing.invoice_unknown`, `billing.nothing_due`, `billing.payment_processing`, `billing.amount_changed`, `billing.card_unknown`,
 * `billing.mandate_unusable`, `billing.means_unavailable`, `billing.profile_incomplete` (V-45), `billing.provider_unavailable`
 */
export const payInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/pay/',
  summary: 'Pay an invoice',
  ...spending,
  params: ofInvoice,
  body: z
    .object({
      by: z.enum(['card', 'mandate', 'transfer']),
      card: z.uuid().optional().describe('Id of the card; with `by: card`.'),
      browser: browser.optional().describe('With `by: card`.'),
      return_to: returnTo.meta({ examples: ['/en/account/invoice/'] }),
      /** V-44, H-24. */
      referral_manager: z
        .enum(['none', 'referrer'], { error: 'referral_manager_required' })
        .describe('Whether whoever referred the account looks after this purchase.'),
      accepted_cents: z
        .int()
        .nonnegative()
        .optional()
        .describe('What one was shown as to be paid: if it is another by now, nothing is paid.'),
    })
    .refine((body) => body.by !== 'card' || body.card !== undefined, { error: 'card_required', path: ['card'] })
    .refine((body) => body.by !== 'card' || body.browser !== undefined, { error: 'invalid', path: ['browser'] }),
  response: payment,
})

/** Where the payment of an invoice stands; the provider is asked where that may have changed. @throws `billing.invoice_unknown` */
export const readPayment = endpoint({
  method: 'GET',
  path: '/invoices/:id/payment/',
  summary: 'Read where the payment of an invoice stands',
  ...spending,
  params: ofInvoice,
  response: payment,
})

/** What the provider tells of: unsigned, so that it only names what is to be read of him again. */
export const hearNotice = endpoint({
  method: 'GET',
  path: '/payments/hooks/',
  summary: 'Hear that something changed at the payment provider',
  access: ['open'],
  query: z.looseObject({}),
  response: z.object({ status: z.literal('done') }),
})
