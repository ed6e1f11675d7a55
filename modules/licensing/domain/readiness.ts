/** What keeps an offer back from being opened, each of it the seller's to do (P-12, H-18). */
export const lacks = [
  'not_own',
  'not_final',
  'in_trash',
  'files_not_kept',
  'identity',
  'identity_expired',
  'identity_changed',
  'bank_account',
  'personal_data',
] as const
export type Lack = (typeof lacks)[number]

export type SellerFacts = {
  readonly identity: 'verified' | 'changed' | 'expired' | 'not_verified'
  readonly hasBankAccount: boolean
}
export type ReportFacts = {
  readonly own: boolean
  readonly final: boolean
  readonly trashed: boolean
  /** Whether its files stay (E-24). */
  readonly stored: boolean
}

const lackOfIdentity = { not_verified: 'identity', expired: 'identity_expired', changed: 'identity_changed' } as const

/** In the order in which they are best done; empty: it can be opened. */
export function lackingOf(seller: SellerFacts, reports: readonly ReportFacts[], personalDataReviewed: boolean): readonly Lack[] {
  const found: Lack[] = []
  const any = (of: (report: ReportFacts) => boolean) => reports.some(of)
  if (any(({ own }) => !own)) found.push('not_own')
  if (any(({ final }) => !final)) found.push('not_final')
  if (any(({ trashed }) => trashed)) found.push('in_trash')
  if (any(({ stored }) => !stored)) found.push('files_not_kept')
  if (seller.identity !== 'verified') found.push(lackOfIdentity[seller.identity])
  if (!seller.hasBankAccount) found.push('bank_account')
  if (!personalDataReviewed) found.push('personal_data')
  return found
}
