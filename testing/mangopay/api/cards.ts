import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '../world/api-error.ts'
import type { Card, CardRegistration } from '../world/entities.ts'
import { type ResultCode, resultCodes } from '../world/result-codes.ts'
import { isExpired, passesLuhn } from '../world/test-cards.ts'
import type { World } from '../world/world.ts'
import { type Call, formOf, List, param, route } from './route.ts'

function createRegistration(call: Call): CardRegistration {
  const form = formOf(call)
  const UserId = form.text('UserId')
  const Currency = form.currency('Currency')
  const CardType = form.oneOf('CardType', ['CB_VISA_MASTERCARD', 'AMEX', 'MAESTRO', 'BCMC'], 'CB_VISA_MASTERCARD')
  const Tag = form.tag()
  form.check()
  const user = call.world.get('user', UserId)
  const made = call.world.add('cardRegistration', {
    Tag,
    UserId: user.Id,
    Currency,
    CardType,
    AccessKey: randomBytes(12).toString('base64url'),
    PreregistrationData: randomBytes(48).toString('base64url'),
    CardRegistrationURL: `${call.world.origin}/webpayment/getToken`,
    RegistrationData: null,
    CardId: null,
    ResultCode: null,
    ResultMessage: null,
    Status: 'CREATED',
  })
  call.world.hide(`access:${made.AccessKey}`, { registration: made.Id })
  return made
}

/** Errors of the tokenising server, and what the API makes of them. */
const tokenErrors: Readonly<Record<string, ResultCode>> = {
  '02625': '105202',
  '02626': '105203',
  '02627': '105204',
  '02624': '101105',
}

/**
 * What the tokenising server answers to the browser: card data go there and nowhere else. It takes no JSON and says neither more than a
 * token nor more than a number of an error.
 */
export function tokenise(world: World, fields: URLSearchParams): string {
  const hidden = world.hidden(`access:${fields.get('accessKeyRef') ?? ''}`)
  const registration = world.find('cardRegistration', hidden['registration'])
  if (registration?.PreregistrationData !== fields.get('data')) return 'errorCode=09101'
  const number = (fields.get('cardNumber') ?? '').replaceAll(' ', '')
  const expiry = fields.get('cardExpirationDate') ?? ''
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return 'errorCode=02625'
  if (!/^(?:0[1-9]|1[0-2])\d{2}$/.test(expiry)) return 'errorCode=02626'
  if (isExpired(expiry, world.now())) return 'errorCode=02624'
  if (!/^\d{3,4}$/.test(fields.get('cardCvx') ?? '')) return 'errorCode=02627'
  const token = `data=${randomBytes(60).toString('base64url')}`
  world.hide(registration.Id, { token, number, expiry })
  return token
}

function finishRegistration(call: Call): CardRegistration {
  const registration = call.world.get('cardRegistration', param(call, 'id'))
  if (registration.Status !== 'CREATED') {
    throw new ApiError(400, 'cardregistration_already_process', 'the CardRegistration has already been processed.')
  }
  const form = formOf(call)
  const RegistrationData = form.text('RegistrationData', { max: 1000 })
  const CardHolderName = form.optionalText('CardHolderName', { max: 35 })
  form.check()
  registration.RegistrationData = RegistrationData
  const { token, number, expiry } = call.world.hidden(registration.Id)
  if (token === undefined || RegistrationData !== token) {
    const code = tokenErrors[/^errorCode=(\d{5})$/.exec(RegistrationData)?.[1] ?? ''] ?? '105299'
    return Object.assign(registration, { Status: 'ERROR', ResultCode: code, ResultMessage: resultCodes[code] })
  }
  const card = addCard(call.world, registration, String(number), String(expiry), CardHolderName)
  return Object.assign(registration, {
    Status: 'VALIDATED',
    ResultCode: '000000',
    ResultMessage: 'The Card registration was a success',
    CardId: card.Id,
  })
}

export function addCard(
  world: World,
  registration: Pick<CardRegistration, 'UserId' | 'Currency' | 'CardType' | 'Tag'>,
  number: string,
  expiry: string,
  CardHolderName: string | null,
): Card {
  const card = world.add('card', {
    Tag: registration.Tag,
    UserId: registration.UserId,
    ExpirationDate: expiry,
    Alias: number.slice(0, 6) + 'X'.repeat(number.length - 10) + number.slice(-4),
    CardProvider: number.startsWith('3') ? 'AMEX' : number.startsWith('5') ? 'MASTERCARD' : 'VISA',
    CardType: registration.CardType,
    Country: 'FRA',
    Product: 'unknown',
    BankCode: 'unknown',
    Active: true,
    Currency: registration.Currency,
    Validity: 'UNKNOWN',
    Fingerprint: createHash('sha256').update(number).digest('hex').slice(0, 32),
    CardHolderName,
  })
  world.hide(card.Id, { number })
  world.later(86_400, 'card-unused', card.Id)
  return card
}

/** A card by which nobody paid within a day of its registration is of no more use. */
export function loseUnusedCard(world: World, id: string): void {
  const card = world.find('card', id)
  if (card?.Validity === 'UNKNOWN') card.Validity = 'INVALID'
}

export const cardRoutes = [
  route('POST cardregistrations', createRegistration),
  route('GET cardregistrations/:id', (call) => call.world.get('cardRegistration', param(call, 'id'))),
  route('PUT cardregistrations/:id', finishRegistration),
  route('GET cards/fingerprints/:fingerprint', (call) => {
    const wanted = param(call, 'fingerprint')
    return new List(call.world.list('card').filter(({ Fingerprint }) => Fingerprint === wanted))
  }),
  route('GET cards/fingerprints/:fingerprint/transactions', (call) => {
    const cards = call.world.list('card').filter(({ Fingerprint }) => Fingerprint === param(call, 'fingerprint'))
    return new List(call.world.list('transaction').filter((one) => cards.some(({ Id }) => Id === one['CardId'])))
  }),
  route('GET cards/:id', (call) => call.world.get('card', param(call, 'id'))),
  route('PUT cards/:id', (call) => {
    const card = call.world.get('card', param(call, 'id'))
    if (call.body['Active'] === false) card.Active = false
    if (typeof call.body['CardHolderName'] === 'string') card.CardHolderName = call.body['CardHolderName']
    return card
  }),
  route('GET cards/:id/transactions', (call) => {
    const { Id } = call.world.get('card', param(call, 'id'))
    return new List(call.world.list('transaction').filter((one) => one['CardId'] === Id))
  }),
]
