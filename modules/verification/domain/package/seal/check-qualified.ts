import type { Check } from '../../report/package-report.ts'
import { ownAuthority, qualifiedStatus } from '../../trusted-list/qualified-status.ts'
import type { TrustedLists } from '../../known/trusted-lists.ts'
import type { TokenChain } from './verify-timestamp.ts'

/** A token of the seal whose signature, chain and imprint hold. */
export type HeldToken = TokenChain & { readonly file: string; readonly gen_time: string; readonly embedded: boolean }

/**
 * Of each time stamp, whether it was qualified at its instant, by the trusted lists: supplementary, because one that is not proves
 * its date all the same (article 41(1) of Regulation (EU) No 910/2014). Nothing is said when no list was consulted.
 */
export function qualifiedChecks(tokens: readonly HeldToken[], lists: TrustedLists | undefined): Check[] {
  if (lists === undefined) return []
  return tokens.map(({ file, gen_time, embedded, signer, issuers }) => {
    const { status, reason, list, service, period } = embedded
      ? ownAuthority
      : qualifiedStatus(signer, issuers, new Date(gen_time), lists)
    const said = {
      territory: list?.territory ?? '',
      number: list?.sequence_number ?? 0,
      listed_at: list?.issued_at ?? '',
      provider: service?.provider ?? '',
      service: service?.name ?? '',
      listed_since: period?.since ?? '',
    }
    const base = { id: 'qualified', subject: file } as const
    return status === 'qualified'
      ? { ...base, status: 'passed', data: said }
      : { ...base, status: 'indeterminate', supplementary: true, data: { ...said, reason: `qualified_${reason}` } }
  })
}
