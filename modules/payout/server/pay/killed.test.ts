import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { below, seed, share } from '../../../../testing/sweep.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import {
  cardOf,
  charge,
  customerOf,
  openShop,
  type Shop,
  testCards,
  wire,
} from '../../../billing/server/provider/mangopay/shop.test-data.ts'
import { never } from '../payouts.test-data.ts'
import { askPayouts } from './ask-payouts.ts'
import { earner, openPaying } from './paying.test-data.ts'
import type { Order } from './run-killed.test-program.ts'

const program = fileURLToPath(new URL('run-killed.test-program.ts', import.meta.url))
const database = withDatabase()
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  const payer = await customerOf(shop)
  await charge(shop, { customer: payer, card: await cardOf(shop, payer, testCards.accepted) }, 1_000_000)
})
afterAll(async () => await shop.mangopay.stop())

/** Ready to be told what to do. */
async function prepare(): Promise<ChildProcess> {
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  return child
}

/** Obeys until it stands still, or for so many milliseconds, and is killed. @returns how far it came */
async function kill(child: ChildProcess, order: Order, milliseconds: number): Promise<string> {
  let said = 'nothing'
  const reached = Promise.withResolvers<void>()
  child.on('message', (word: string) => {
    said = word
    if (word === order.stop || word === 'done') reached.resolve()
  })
  const ended = once(child, 'exit')
  child.send(order)
  await (order.stop === 'nowhere' ? wait(milliseconds) : Promise.race([reached.promise, ended]))
  child.kill('SIGKILL')
  await ended
  return said
}

const kills = 100
const stops = ['before grant', 'after grant', 'before payout', 'after payout', 'nowhere'] as const

test(
  '11 13 killed anywhere on the first of a month: no payout is made twice, and none is lost',
  { timeout: 3_600_000 },
  async () => {
    const draw = below()
    const payouts = await openPaying(database, shop, 0)
    const { userId } = await earner(payouts)
    await payouts.run()
    const known = await payouts.prepared(userId)
    const came: Record<string, number> = {}
    const rounds = share(kills)
    const children = [prepare()]
    for (let round = 0; round < rounds; round += 1) {
      await payouts.referee(userId)
      await payouts.accrue()
      await payouts.toFirst()
      const child = await children.pop()
      if (child === undefined) throw new Error('there is nobody to be killed')
      children.push(prepare())
      const order: Order = {
        url: database.url,
        origin: shop.mangopay.origin,
        shop: shop.seller,
        now: payouts.books.now().toISOString(),
        stop: stops[draw(stops.length)] ?? 'nowhere',
      }
      const said = await kill(child, order, draw(300))
      came[said] = (came[said] ?? 0) + 1
      // A worker finds what was left: soon, or when the provider has forgotten the keys.
      await payouts.later([2 / 1440, 1 / 24, 25 / 24][draw(3)] ?? 1)
      for (let look = 0; look < 3; look += 1) {
        await payouts.run()
        await askPayouts(payouts.deps(), never)
        await payouts.later(1)
      }
      const sums = await payouts.sums(userId)
      expect(sums.paid + sums.reserved + sums.owed).toBe(3990 * (round + 2))
    }
    for (const child of children) (await child).kill('SIGKILL')
    await payouts.toFirst()
    await payouts.run()
    await payouts.later(3)
    await askPayouts(payouts.deps(), never)
    process.stdout.write(`payouts killed: ${String(rounds)} kills, ${JSON.stringify(came)}; seed ${String(seed)}\n`)
    const { paid, owed, reserved } = await payouts.sums(userId)
    expect({ paid, owed, reserved }).toEqual({ paid: 3990 * (rounds + 1), owed: 0, reserved: 0 })
    // What the provider says: nothing is left in the purse, and as much went in and out as our books have.
    const [wallet] = await wire<{ Id: string; Balance: { Amount: number } }[]>(
      shop.mangopay,
      `GET users/${known?.reference ?? ''}/wallets`,
    )
    expect(wallet?.Balance.Amount).toBe(0)
    type Moved = { Type: string; Status: string; DebitedFunds: { Amount: number } }
    const moved: Moved[] = []
    for (let page = 1; moved.length === (page - 1) * 100; page += 1)
      moved.push(
        ...(await wire<Moved[]>(
          shop.mangopay,
          `GET wallets/${wallet?.Id ?? ''}/transactions?page=${String(page)}&per_page=100&Status=SUCCEEDED`,
        )),
      )
    const sum = (type: string) =>
      moved.filter((each) => each.Type === type).reduce((cents, { DebitedFunds }) => cents + DebitedFunds.Amount, 0)
    expect([sum('TRANSFER'), sum('PAYOUT')]).toEqual([paid, paid])
    expect(await findBroken(database.db)).toEqual([])
    payouts.remove()
  },
)
