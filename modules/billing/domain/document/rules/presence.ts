/** What has to be there: BR-01 and those that follow it (EN 16931-1:2017 §6.4.1), as far as the type of a document leaves them open. */
import type { Period } from '../invoice-document.ts'
import { isDay, isSaid, type Rule } from './rule.ts'

const inOrder = (period: Period | null): boolean => period === null || period.from <= period.to
const country = /^[A-Z]{2}$/

export const presenceRules: readonly Rule[] = [
  ['BR-02', ({ number }) => isSaid(number)],
  ['BR-03', ({ issuedOn }) => isDay(issuedOn)],
  ['BR-06', ({ seller }) => isSaid(seller.name)],
  ['BR-07', ({ buyer }) => isSaid(buyer.name)],
  ['BR-08', ({ seller }) => seller.address.lines.some(isSaid) && isSaid(seller.address.city)],
  ['BR-09', ({ seller }) => country.test(seller.address.country)],
  ['BR-10', ({ buyer }) => buyer.address.lines.some(isSaid) && isSaid(buyer.address.city)],
  ['BR-11', ({ buyer }) => country.test(buyer.address.country)],
  ['BR-16', ({ lines }) => lines.length > 0],
  ['BR-21', ({ lines }) => lines.every(({ id }) => isSaid(id)) && new Set(lines.map(({ id }) => id)).size === lines.length],
  ['BR-22', ({ lines }) => lines.every(({ quantity }) => Number.isSafeInteger(quantity) && quantity > 0)],
  ['BR-25', ({ lines }) => lines.every(({ name }) => isSaid(name))],
  ['BR-27', ({ lines }) => lines.every(({ unitPrice }) => unitPrice >= 0)],
  ['BR-29', ({ period }) => inOrder(period)],
  ['BR-30', ({ lines }) => lines.every(({ period }) => inOrder(period))],
  ['BR-33', ({ allowances }) => allowances.every(({ reason }) => isSaid(reason))],
  ['BR-50', ({ means }) => means?.kind !== 'transfer' || isSaid(means.iban)],
  ['BR-51', ({ means }) => means?.kind !== 'card' || /^\d{4}$/.test(means.lastDigits)],
  ['BR-55', ({ preceding }) => preceding.every(({ number }) => isSaid(number))],
]
