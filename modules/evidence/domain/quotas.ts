/** What may be asked for (decisions 0336, 0337). */
export type Quotas = {
  /** Previews of 24 hours that a block of addresses has without proof of work, one at a time. */
  readonly freePreviews: number
  /** Previews of 24 hours that it has at all. */
  readonly mostPreviews: number
  /** Drafts that an account may have at a time; 0: any number. */
  readonly draftsPerAccount: number
  /** Reports that it may make in a month; 0: any number. */
  readonly reportsPerMonth: number
  /** Captures that wait, in all; half of it for those of strangers. */
  readonly queueLength: number
}
