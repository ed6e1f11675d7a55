import type { PagePrices } from '../../kernel/page-prices.ts'
import { readHead } from './head-data.ts'

/** What things cost here; null: nothing is paid for, and no page speaks of money. */
export const prices = readHead('prices') as PagePrices | null
