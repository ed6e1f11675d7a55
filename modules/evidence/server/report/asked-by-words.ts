import { type Html, html } from '../../../../platform/html/html.ts'
import type { AccountAsked, AskedBy } from './report-input.ts'
import type { ReportPage } from './report-page.ts'

/** Longest name printed in full, in characters. */
const nameLimit = 120

function nameOf({ t }: ReportPage, { name }: AccountAsked, longest = nameLimit): string {
  if (name.trim() === '') return t('report.asked_by.nameless')
  const characters = Array.from(name)
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : name
}

/**
 * Who asked for the capture. Names come from outside: their characters are printed as those of a title are.
 * @param longest name printed in full, in characters
 */
export function askedByWords(page: ReportPage, askedBy: AskedBy, longest = nameLimit): Html {
  const { t } = page
  const said = (words: string) => page.text(words, 3 * longest + 200)
  const named = (account: AccountAsked) => nameOf(page, account, longest)
  if (askedBy.kind === 'claimed')
    return said(t('report.asked_by.claimed', { owner: named(askedBy.owner), at: page.instant(askedBy.at).utc }))
  if (askedBy.kind !== 'account') return html`${t(`report.asked_by.${askedBy.kind}`)}`
  return said(
    askedBy.owner == null
      ? t('report.asked_by.account', { name: named(askedBy) })
      : t('report.asked_by.account_for', { name: named(askedBy), owner: named(askedBy.owner) }),
  )
}

/** Whether a name was printed, which is only what the holder of an account says of himself. */
export function namesAccounts(askedBy: AskedBy | null): askedBy is Extract<AskedBy, { kind: 'account' | 'claimed' }> {
  return askedBy?.kind === 'account' || askedBy?.kind === 'claimed'
}

/** What is known of the accounts that were named, and what is not. */
export function whatIsKnownOfAccounts(page: ReportPage, askedBy: Extract<AskedBy, { kind: 'account' | 'claimed' }>): Html {
  const accounts = askedBy.kind === 'claimed' ? [askedBy.owner] : [askedBy, ...(askedBy.owner == null ? [] : [askedBy.owner])]
  const confirmed = accounts.flatMap((account) =>
    account.confirmedAt == null
      ? []
      : [page.t('report.asked_by.confirmed', { name: nameOf(page, account), at: page.instant(account.confirmedAt).utc })],
  )
  return page.text([page.t('report.asked_by.unverified'), ...confirmed].join(' '), 1_000)
}
