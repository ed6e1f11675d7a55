import { ApiError } from '../../../../ui/api/api-error.ts'
import { call, silent } from '../../../../ui/api/call.ts'
import { beginCardRegistration, finishCardRegistration, type CardOnTheWire } from '../../contract/payments.ts'
import { digitsOf, expiryOf, type CardFields } from './card-rule.ts'

/**
 * Hands a card to the provider, from this browser and to nobody else; what comes back stands for it.
 * @throws ApiError `billing.refusal.card_data` and others; `billing.card_unreachable` where the provider could not be reached
 */
export async function registerCard({ number, expiry, cvc }: CardFields): Promise<CardOnTheWire> {
  const begun = await call(beginCardRegistration, {})
  const answer = await post(begun.card_registration_url, {
    accessKeyRef: begun.access_key,
    data: begun.preregistration_data,
    cardNumber: digitsOf(number),
    cardExpirationDate: expiryOf(expiry) ?? '',
    cardCvx: cvc.trim(),
  })
  return await call(finishCardRegistration, { params: { id: begun.id }, body: { registration_data: answer.trim() } })
}

async function post(address: string, fields: Readonly<Record<string, string>>): Promise<string> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams(fields),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    })
    return await response.text()
  } catch (cause) {
    throw new ApiError(0, silent('billing.card_unreachable', ''), cause)
  }
}
