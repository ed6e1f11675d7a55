import { expect, test } from 'vitest'
import { beginCardRegistration, createMandate, endCard, finishCardRegistration, hearNotice } from './payments.ts'
import { listPaymentMethods, payInvoice, readCardRegistration, readMandate, readPayment } from './payments.ts'

const paid = { by: 'transfer', return_to: '/fr/payment/return/', referral_manager: 'none' }
const browser = {
  language: 'fr-FR',
  java_enabled: false,
  color_depth: 24,
  screen_width: 360,
  screen_height: 800,
  time_zone_offset: -60,
}
const faults = (body: object) =>
  payInvoice.body.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

test('V-44 H-24 a payment says who manages the referral, and a card with what browser it is paid', () => {
  expect(faults(paid)).toEqual([])
  expect(faults({ ...paid, referral_manager: undefined })).toEqual(['referral_manager referral_manager_required'])
  expect(faults({ ...paid, by: 'card' })).toEqual(['card card_required', 'browser invalid'])
  expect(faults({ ...paid, by: 'card', card: crypto.randomUUID(), browser })).toEqual([])
})

test('a customer comes back to a page of ours, and to nobody else’s', () => {
  for (const return_to of ['https://elsewhere.example/', '//elsewhere.example/', '/fr/\\elsewhere', '/fr/a b', '/', 'fr/'])
    expect([return_to, createMandate.body.safeParse({ return_to }).success]).toEqual([return_to, false])
  expect(createMandate.body.safeParse({ return_to: '/en/account/subscription/' }).success).toBe(true)
})

test('C-51 E-56 a registration is read by the parameter that is spelt as the provider spells it, and has what the browser needs', () => {
  const id = crypto.randomUUID()
  const { method, path, query, response } = readCardRegistration
  expect(`${method} ${path}`).toBe('GET /payments/card_registration/')
  expect(query.safeParse({ RessourceId: id }).data).toEqual({ RessourceId: id })
  for (const other of [{ ResourceId: id }, { RessourceId: 'none' }, {}]) expect(query.safeParse(other).success).toBe(false)
  const registration = {
    id,
    user_id: 'user_m_1',
    card_registration_url: 'https://cards.example/register',
    access_key: 'key',
    preregistration_data: 'data',
    test: true,
  }
  expect(response.parse(registration)).toEqual(registration)
  for (const name of Object.keys(registration))
    expect(response.safeParse({ ...registration, [name]: undefined }).success, name).toBe(false)
})

test('C-53 of a card nothing comes here but what the provider made of it', () => {
  const taken = (registration_data: string) => finishCardRegistration.body.safeParse({ registration_data }).success
  expect(['data=Zm9v', 'errorCode=02625'].map(taken)).toEqual([true, true])
  expect(['4970107111111119', 'cardNumber=4970107111111119', 'data=', ''].map(taken)).toEqual([false, false, false, false])
})

test('what is paid is paid by the owner and whoever manages his account; the provider alone is let in unsigned', () => {
  const spending = [beginCardRegistration, readCardRegistration, finishCardRegistration, listPaymentMethods, endCard]
  for (const each of [...spending, readMandate, createMandate, payInvoice, readPayment])
    expect([each.path, each.access, each.delegable, each.apiScope]).toEqual([each.path, ['user'], 'manage', null])
  expect([hearNotice.access, hearNotice.delegable]).toEqual([['open'], null])
})
