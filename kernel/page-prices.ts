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
