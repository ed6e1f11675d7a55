import { describe, expect, test } from 'vitest'
import { locales } from '../../../kernel/locale.ts'
import { describeSite } from './structured-data.ts'

const publicUrl = 'https://probant.example'
const paid = { publicUrl, operator: 'Example SARL\n1 rue Neuve, Paris', prices: { report: 9900, timeStamp: 500 } }

describe.each(locales)('in %s', (locale) => {
  test('K-05 K-12 what a report and a time stamp cost is said to programs, and who runs the service by the first line of what he stated', () => {
    const [operator, site, software] = describeSite(paid, locale) as Record<string, unknown>[]
    expect(operator).toMatchObject({ '@type': 'Organization', name: 'Example SARL' })
    expect(site).toMatchObject({ '@type': 'WebSite', inLanguage: locale, publisher: { '@id': operator?.['@id'] } })
    const offers = software?.['offers'] as Record<string, unknown>[]
    expect(offers.map(({ price, priceCurrency, name }) => [price, priceCurrency, typeof name])).toEqual([
      ['99.00', 'EUR', 'string'],
      ['5.00', 'EUR', 'string'],
    ])
    for (const { priceSpecification } of offers) expect(priceSpecification).toMatchObject({ valueAddedTaxIncluded: false })
  })

  test('what is not stated, or not paid for, is not there', () => {
    const said = describeSite({ publicUrl, operator: null, prices: null }, locale) as Record<string, unknown>[]
    expect(said.map((each) => each['@type'])).toEqual(['WebSite', 'SoftwareApplication'])
    expect(JSON.stringify(said)).not.toMatch(/offers|publisher|provider|null/)
    const [, , free] = describeSite({ ...paid, prices: { report: 9900, timeStamp: null } }, locale) as Record<string, unknown>[]
    expect(free?.['offers']).toHaveLength(1)
  })
})
