import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Db } from '../../../../platform/db/database.ts'
import { emptyBooks } from '../billing.test-data.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { openShop, type Shop } from '../provider/mangopay/shop.test-data.ts'
import { compareTotals } from './payments.test-data.ts'

/**
 * For a file of tests: a provider that is a process, there once its tests run, and books that are empty as each begins and keep every invariant as it
 * ends. `before` is what the provider kept for the seller as the test began.
 */
export function withShop(database: { readonly db: Db }): { readonly shop: Shop; readonly before: () => number } {
  const shop = {} as Shop
  let kept = 0
  beforeAll(async () => {
    Object.assign(shop, await openShop())
  })
  afterAll(async () => await shop.mangopay.stop())
  beforeEach(async () => {
    await emptyBooks(database)
    kept = (await compareTotals(database.db, shop)).theirs
  })
  afterEach(async () => {
    await shop.mangopay.control('DELETE faults')
    expect(await findBroken(database.db)).toEqual([])
  })
  return { shop, before: () => kept }
}
