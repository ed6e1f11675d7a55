/**
 * What a page carries in its head where reports are paid for, as JSON in a `<meta name="prices">`: made by the server, read by the page, so
 * that a price stands there from the first moment. Where nothing is paid for there is none, and no page speaks of money.
 */
export type PagePrices = {
  /** What a report costs, in words of the page's language. */
  readonly evidence: string
  /** What a time stamp costs, likewise. */
  readonly document: string
  /** What the link to all plans is called. */
  readonly plans: string
}

/** Stand in the pages that the build draws, for the server to put the prices of the day in their place. */
export const markedPrices: PagePrices = {
  evidence: '__PRICE_EVIDENCE__',
  document: '__PRICE_DOCUMENT__',
  plans: '__PRICE_PLANS__',
}

/** @param html of a page that was drawn with {@link markedPrices} @param prices as they may stand in HTML */
export function withPrices(html: string, prices: PagePrices): string {
  return Object.entries(markedPrices).reduce(
    (text, [name, mark]) => text.replaceAll(mark, () => prices[name as keyof PagePrices]),
    html,
  )
}
