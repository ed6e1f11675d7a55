import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { array, assert as check, asyncProperty, boolean, constantFrom, nat, record } from '../../../../../testing/fast-check.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followNotice } from '../follow-notice.ts'
import { parseNotice } from './notices.ts'
import { attempt, cardOf, charge, customerOf, euros, openShop, type Shop, testCards, wire } from './shop.test-data.ts'

let shop: Shop
let customer: string
let receiver: Server
let address: string
/** What is known by hooks alone: what each that came made us read. */
let known = new Map<string, unknown>()

const events = [
  'PAYIN_NORMAL_CREATED',
  'PAYIN_NORMAL_SUCCEEDED',
  'PAYIN_NORMAL_FAILED',
  'PAYIN_REFUND_SUCCEEDED',
  'DISPUTE_CREATED',
  'DISPUTE_CLOSED',
]

beforeAll(async () => {
  shop = await openShop()
  customer = await customerOf(shop)
  receiver = createServer((request, response) => {
    void hear(new URL(request.url ?? '/', 'http://receiver').searchParams).then(() => response.writeHead(200).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  for (const EventType of events) await wire(shop.mangopay, 'POST hooks', { EventType, Url: address })
})
afterAll(async () => {
  receiver.close()
  await shop.mangopay.stop()
})

async function hear(query: URLSearchParams): Promise<void> {
  const named = shop.provider.notices?.parse(query) ?? null
  const followed = named === null ? null : await followNotice(shop.provider, named)
  if (followed !== null) known.set(`${followed.kind} ${followed.id}`, followed.reading)
}

type Held = { readonly id: number }
const held = (): Promise<Held[]> => shop.mangopay.control<Held[]>('GET hooks')
const hold = (copies: number): Promise<unknown> => shop.mangopay.control('POST hooks', { hold: true, copies })
const release = (order?: readonly number[]): Promise<unknown> =>
  shop.mangopay.control('POST hooks/release', order === undefined ? {} : { order })

const deeds = ['pays', 'is refused', 'confirms', 'refuses', 'leaves', 'disputes', 'is refunded'] as const

async function act(deed: (typeof deeds)[number]): Promise<void> {
  const number =
    deed === 'is refused' ? testCards.refused : /confirms|refuses|leaves/.test(deed) ? testCards.asks : testCards.accepted
  const outcome = await charge(shop, { customer, card: await cardOf(shop, customer, number) }, 1000)
  if (outcome.state === 'customer_needed' && deed !== 'leaves')
    await shop.mangopay.answer(outcome.address, deed === 'confirms' ? 'agree' : 'refuse')
  if (outcome.state !== 'succeeded') return
  if (deed === 'disputes') await shop.mangopay.control(`POST pay-ins/${outcome.payment}/dispute`, { reason: 'FRAUD' })
  if (deed === 'is refunded')
    await shop.provider.refunds?.refund({ customer, payment: outcome.payment, amount: euros(1000) }, attempt())
}

/** What the provider itself answers of everything that hooks told of. */
async function truth(): Promise<Map<string, unknown>> {
  const read = new Map<string, unknown>()
  for (const key of known.keys()) {
    const [kind, id = ''] = key.split(' ')
    const followed = await followNotice(shop.provider, { kind: kind as 'payment', id })
    read.set(key, followed?.reading)
  }
  return read
}

describe('hooks', () => {
  it('lead to the same state in every order, however often they come, with forged ones among them', async () => {
    const step = record({ deed: constantFrom(...deeds), copies: nat({ max: 2 }), early: array(nat(), { maxLength: 3 }) })
    let compared = 0
    await check(
      asyncProperty(
        array(step, { minLength: 1, maxLength: 4 }),
        array(nat(), { maxLength: 12 }),
        boolean(),
        async (steps, order, forge) => {
          known = new Map()
          for (const { deed, copies, early } of steps) {
            await hold(copies + 1)
            await act(deed)
            const waiting = await held()
            // Some come while others are still on their way.
            await release(early.map((at) => waiting[at % Math.max(1, waiting.length)]?.id ?? 0))
            if (forge) await forged()
          }
          const rest = (await held()).map(({ id }) => id)
          await release(order.map((at) => rest[at % Math.max(1, rest.length)] ?? 0))
          await release()
          expect(known.size).toBeGreaterThanOrEqual(steps.length)
          const told = await truth()
          expect(new Map(known)).toEqual(told)
          compared += told.size
        },
      ),
      { numRuns: 25 },
    )
    expect(compared).toBeGreaterThan(25)
  })

  /** Somebody says that payments succeeded which he knows of, or made up. */
  async function forged(): Promise<void> {
    const [any] = [...known.keys()].filter((key) => key.startsWith('payment '))
    for (const RessourceId of [any?.split(' ')[1] ?? 'payin_m_none', 'payin_m_none'])
      for (const EventType of ['PAYIN_NORMAL_SUCCEEDED', 'PAYIN_NORMAL_FAILED']) {
        const lie = new URLSearchParams({ EventType, RessourceId, Date: '1' })
        await (await fetch(`${address}?${lie.toString()}`)).text()
      }
  }

  it('that never come are made up for by the provider’s own record of what changed', async () => {
    known = new Map()
    await hold(1)
    const since = new Date(Date.now() - 1000)
    for (const deed of ['pays', 'disputes', 'confirms'] as const) await act(deed)
    expect(known.size).toBe(0)
    const changed = await shop.provider.notices?.changedSince(since)
    if (changed === undefined || changed === 'unknown') throw new Error('nothing is known')
    for (const named of changed) {
      const followed = await followNotice(shop.provider, named)
      if (followed !== null) known.set(`${followed.kind} ${followed.id}`, followed.reading)
    }
    expect(known.size).toBeGreaterThanOrEqual(3)
    const states = [...known.values()].map((reading) => (reading as { state: string }).state)
    expect(states).toEqual(expect.arrayContaining(['succeeded', 'reversed']))
    expect(new Map(known)).toEqual(await truth())
    await release()
  })

  it('are believed nothing: what they name may not be there, and then nothing of ours changes', async () => {
    known = new Map()
    await hear(new URLSearchParams({ EventType: 'PAYIN_NORMAL_SUCCEEDED', RessourceId: 'payin_m_made-up', Date: '1' }))
    expect(known.get('payment payin_m_made-up')).toMatchObject({ state: 'refused', reason: 'invalid' })
  })

  it.each([
    ['EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=payin_m_1&Date=1', { kind: 'payment', id: 'payin_m_1' }],
    ['EventType=PAYIN_REFUND_FAILED&RessourceId=refund_m_1', { kind: 'refund', id: 'refund_m_1' }],
    ['EventType=KYC_OUTDATED&RessourceId=1234', { kind: 'document', id: '1234' }],
    ['EventType=RECURRING_REGISTRATION_AUTH_NEEDED&RessourceId=r1', { kind: 'series', id: 'r1' }],
    ['EventType=DISPUTE_DOCUMENT_CREATED&RessourceId=d1', null],
    ['EventType=SOMETHING_ELSE&RessourceId=1', null],
    ['EventType=PAYIN_NORMAL_SUCCEEDED', null],
    ['EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=', null],
    ['EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=../users/1', null],
    ['EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=1&RessourceId=2', null],
    ['EventType=PAYIN_NORMAL_SUCCEEDED&EventType=MANDATE_CREATED&RessourceId=1', null],
    [`EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=${'1'.repeat(129)}`, null],
    ['EventType=payin_normal_succeeded&RessourceId=1', null],
    ['', null],
  ])('name what to read, or nothing: %s', (query, named) => {
    expect(parseNotice(new URLSearchParams(query))).toEqual(named)
  })
})
