import type { Locale } from '../../../kernel/locale.ts'
import { createMessages } from '../../../platform/messages/messages.ts'

export type SiteFacts = {
  /** Without trailing slash. */
  readonly publicUrl: string
  /** Who the operator has said he is; null: he has not. */
  readonly operator: string | null
  /** What one report and one time stamp cost whoever has no plan, in cents without VAT; null: nothing is paid for. */
  readonly prices: { readonly report: number | null; readonly timeStamp: number | null } | null
}

/** schema.org writes a price with a point, without its currency. */
const decimal = (cents: number): string => (cents / 100).toFixed(2)

/** What the home page says of the service to programs (schema.org): who runs it, what it is, what it costs. What nobody has stated is not there. */
export function describeSite({ publicUrl, operator, prices }: SiteFacts, locale: Locale): object[] {
  const messages = createMessages(locale)
  const product = messages.format('ui.product')
  const site = `${publicUrl}/#site`
  // The operator states name and address in lines of his own choosing: the first is his name.
  const name = operator?.split('\n', 1)[0]?.trim() ?? ''
  const runs = name === '' ? null : { '@type': 'Organization', '@id': `${publicUrl}/#operator`, name, url: publicUrl }
  const offer = (id: 'site.offer.report' | 'site.offer.time_stamp', cents: number | null | undefined) =>
    cents == null
      ? []
      : [
          {
            '@type': 'Offer',
            name: messages.format(id),
            price: decimal(cents),
            priceCurrency: 'EUR',
            priceSpecification: {
              '@type': 'UnitPriceSpecification',
              price: decimal(cents),
              priceCurrency: 'EUR',
              valueAddedTaxIncluded: false,
            },
            url: `${publicUrl}/${locale}/plans/`,
          },
        ]
  const offers = [...offer('site.offer.report', prices?.report), ...offer('site.offer.time_stamp', prices?.timeStamp)]
  return [
    ...(runs === null ? [] : [runs]),
    {
      '@type': 'WebSite',
      '@id': site,
      name: product,
      url: `${publicUrl}/${locale}/`,
      inLanguage: locale,
      ...(runs === null ? {} : { publisher: { '@id': runs['@id'] } }),
    },
    {
      '@type': 'SoftwareApplication',
      name: product,
      url: `${publicUrl}/${locale}/`,
      description: messages.format('site.home.description'),
      applicationCategory: 'BusinessApplication',
      operatingSystem: 'Web',
      inLanguage: ['en', 'fr'],
      isPartOf: { '@id': site },
      ...(runs === null ? {} : { provider: { '@id': runs['@id'] } }),
      ...(offers.length === 0 ? {} : { offers }),
    },
  ]
}
