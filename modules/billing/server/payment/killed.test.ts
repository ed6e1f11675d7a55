import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { below, seed, share } from '../../../../testing/sweep.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { openShop, testCards, type Shop } from '../provider/mangopay/shop.test-data.ts'
import { askAfterAll } from './attempt/ask-after.ts'
import type { Order } from './pay-killed.test-program.ts'
import { compareTotals, openPayments } from './payments.test-data.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'probant-killed-'))
const program = join(folder, 'pay-killed.js')
const database = withDatabase()
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  // In one file it starts in a third of the processor time that its 700 modules take: it is started for each kill.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const ssr = fileURLToPath(new URL('pay-killed.test-program.ts', import.meta.url))
  const rolldownOptions = { output: { entryFileNames: 'pay-killed.js' } }
  await build({ configFile: false, logLevel: 'warn', root, build: { ssr, outDir: folder, emptyOutDir: false, rolldownOptions } })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await shop.mangopay.stop()
  rmSync(folder, { recursive: true, force: true })
})

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

const kills = 200
const stops = ['after', 'after', 'before', 'nowhere'] as const

test(
  '13 15 killed between the call of the provider and our commit, or anywhere: nobody pays twice, and nothing that was paid is lost',
  { timeout: 3_600_000 },
  async () => {
    const draw = below()
    const payments = await openPayments(database, shop)
    const rounds = Array.from({ length: share(kills) }, () => ({
      renews: draw(3) === 0,
      delay: draw(400),
      later: draw(3),
      stop: draw(4),
    }))
    for (const { renews } of rounds) {
      if (!renews) continue
      const { userId, invoiceId } = await payments.buyer()
      await payments.pay(userId, invoiceId, { card: await payments.card(userId, testCards.accepted) })
    }
    await payments.later(31)
    await payments.books.run()
    const came: Record<string, number> = {}
    const children = [prepare()]
    for (const { renews, delay, later, stop } of rounds) {
      const buyer = renews ? null : await payments.buyer()
      const pay = buyer === null ? null : { ...buyer, card: await payments.card(buyer.userId, testCards.accepted) }
      const child = await children.pop()
      if (child === undefined) throw new Error('there is nobody to be killed')
      children.push(prepare())
      const given = {
        url: database.url,
        origin: shop.mangopay.origin,
        shop: shop.seller,
        now: payments.books.now().toISOString(),
      }
      const said = await kill(child, { ...given, stop: stops[stop] ?? 'after', pay }, delay)
      came[said] = (came[said] ?? 0) + 1
      // The worker finds what was left, at once or when it is up again.
      await payments.later([2 / 1440, 1 / 24, 3 / 24][later] ?? 1)
      await askAfterAll(payments.deps())
      const left = buyer === null ? [] : (await payments.instalments(buyer.customerId)).filter((status) => status !== 'paid')
      if (buyer === null || pay === null || left.length === 0) continue
      // Nobody was asked, and he is told so: he pays again.
      expect([said, left]).toEqual([expect.stringMatching(/nothing|before/), ['due']])
      expect(await payments.pay(buyer.userId, buyer.invoiceId, { card: pay.card })).toMatchObject({ status: 'success' })
    }
    for (const child of children) (await child).kill('SIGKILL')
    await payments.run()
    process.stdout.write(`payments killed: ${String(share(kills))} kills, ${JSON.stringify(came)}; seed ${String(seed)}\n`)
    const { ours, theirs, twice, unknown } = await compareTotals(database.db, shop)
    expect({ ours, twice, unknown }).toEqual({ ours: theirs, twice: [], unknown: [] })
    expect(await findBroken(database.db)).toEqual([])
    const open = await database.db.selectFrom('instalment').select('id').where('status', '<>', 'paid').execute()
    expect(open).toEqual([])
  },
)
