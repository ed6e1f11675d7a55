import { randomUUID } from 'node:crypto'
import { type RunningMangopay, runMangopay, simulatedClient } from '../../../../../testing/mangopay/run-mangopay.ts'
import type { AccountHolder, Attempt, Browser, Customer, Outcome, PaymentProvider } from '../port.ts'
import { mangopayProvider } from './mangopay-provider.ts'

/** A seller with a wallet at the simulator, and a clock that stands at its time. */
export type Shop = {
  readonly mangopay: RunningMangopay
  readonly provider: PaymentProvider
  readonly seller: { readonly user: string; readonly wallet: string }
  readonly clock: { now(): Date; ahead: number }
}

/** A call of the wire, without the SDK. */
export async function wire<T>(mangopay: RunningMangopay, line: string, body?: unknown): Promise<T> {
  const [method = '', path = ''] = line.split(' ')
  const { clientId, apiKey } = simulatedClient
  const basic = Buffer.from(`${clientId}:${apiKey}`).toString('base64')
  const token = await fetch(`${mangopay.origin}/v2.01/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const answer = await fetch(`${mangopay.origin}/v2.01/${clientId}/${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as T
}

export async function openShop(timeout = 5000): Promise<Shop> {
  const mangopay = await runMangopay()
  const user = await wire<{ Id: string }>(mangopay, 'POST users/legal', {
    UserCategory: 'PAYER',
    LegalPersonType: 'BUSINESS',
    Name: 'Seller',
    Email: 'seller@example.org',
    LegalRepresentativeFirstName: 'Anne',
    LegalRepresentativeLastName: 'Martin',
  })
  const wallet = await wire<{ Id: string }>(mangopay, 'POST wallets', {
    Owners: [user.Id],
    Currency: 'EUR',
    Description: 'Sales',
  })
  const seller = { user: user.Id, wallet: wallet.Id }
  const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) }
  return { mangopay, seller, clock, provider: openProvider(mangopay, seller, clock, timeout) }
}

/** Another process of ours would know no more than this. */
export function openProvider(
  mangopay: Pick<RunningMangopay, 'origin'>,
  seller: Shop['seller'],
  clock: { now(): Date },
  timeout = 5000,
): PaymentProvider {
  return mangopayProvider({ ...simulatedClient, baseUrl: mangopay.origin, timeout, seller }, clock)
}

export function attempt(now = new Date()): Attempt {
  const key = randomUUID()
  return { key, tag: `attempt ${key}`, since: now }
}

export const euros = (cents: number) => ({ cents, currency: 'EUR' }) as const

export const anne: Customer = {
  firstName: 'Anne',
  lastName: 'Martin',
  email: 'anne@example.org',
  address: { line1: '1 rue du Port', line2: null, city: 'Marseille', region: null, postcode: '13002', country: 'FR' },
  company: null,
  civil: null,
}

export const payable: Customer = { ...anne, civil: { birthday: '1980-02-03', nationality: 'FR', residence: 'FR' } }

export const holder: AccountHolder = {
  name: 'Anne Martin',
  address: { line1: '1 rue du Port', line2: null, city: 'Marseille', region: null, postcode: '13002', country: 'FR' },
}

export const browser: Browser = {
  ip: '2001:db8::1',
  accept: 'text/html',
  userAgent: 'Mozilla/5.0',
  language: 'fr-FR',
  javaEnabled: false,
  colorDepth: 24,
  screenWidth: 1440,
  screenHeight: 900,
  timeZoneOffset: -60,
}

export const testCards = {
  accepted: '4970107111111119',
  refused: '4970101111111104',
  stolen: '4970102222222202',
  noMoney: '4970103333333300',
  asks: '4970104444444408',
} as const

export async function customerOf({ provider }: Shop, customer = anne): Promise<string> {
  const made = await provider.registerCustomer(customer, attempt())
  if (made.state !== 'made') throw new Error(JSON.stringify(made))
  return made.id
}

export async function cardOf({ provider, mangopay }: Shop, customer: string, number: string, expiry = '1233'): Promise<string> {
  const begun = await provider.cards?.beginRegistration(customer, attempt())
  if (begun?.state !== 'begun') throw new Error(JSON.stringify(begun))
  const card = await provider.cards?.finishRegistration(begun.id, await mangopay.tokenise(begun, number, expiry))
  if (card?.state !== 'registered') throw new Error(JSON.stringify(card))
  return card.card
}

/** A card is charged with the customer there. */
export async function charge(
  shop: Shop,
  by: { customer: string; card: string },
  cents: number,
  tried: Attempt = attempt(),
  provider = shop.provider,
): Promise<Outcome> {
  if (provider.cards === undefined) throw new Error('no cards')
  const asked = { customer: by.customer, amount: euros(cents), by: { card: by.card }, browser }
  return provider.cards.chargeNow({ ...asked, language: 'fr', returnTo: 'https://shop.example/back', confirm: false }, tried)
}

/** How often the provider took in a call. */
export async function countCalls({ mangopay }: Shop, line: string): Promise<number> {
  return (await mangopay.control<string[]>('GET calls')).filter((one) => one.startsWith(line)).length
}
