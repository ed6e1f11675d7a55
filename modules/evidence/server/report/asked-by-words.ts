import { type Html, html } from '../../../../platform/html/html.ts'
import type { AccountAsked, AskedBy } from './report-input.ts'
import type { ReportPage } from './report-page.ts'

/** Longest name printed in full, in characters. */
const nameLimit = 120

function nameOf({ t }: ReportPage, { name }: AccountAsked): string {
  if (name.trim() === '') return t('report.asked_by.nameless')
  const characters = Array.from(name)
  return characters.length > nameLimit ? `${characters.slice(0, nameLimit).join('')}…` : name
}

/** Who asked for the capture. Names come from outside: their characters are printed as those of a title are. */
export function askedByWords(page: ReportPage, askedBy: AskedBy): Html {
  const { t } = page
  const said = (words: string) => page.text(words, 3 * nameLimit + 200)
  if (askedBy.kind === 'claimed')
    return said(t('report.asked_by.claimed', { owner: nameOf(page, askedBy.owner), at: page.instant(askedBy.at).utc }))
  if (askedBy.kind !== 'account') return html`${t(`report.asked_by.${askedBy.kind}`)}`
  return said(
    askedBy.owner == null
      ? t('report.asked_by.account', { name: nameOf(page, askedBy) })
      : t('report.asked_by.account_for', { name: nameOf(page, askedBy), owner: nameOf(page, askedBy.owner) }),
  )
}

/** What is known of the accounts that were named, and what is not. */
export function whatIsKnownOfAccounts(page: ReportPage, askedBy: AskedBy): Html | null {
  if (askedBy.kind === 'without_account' || askedBy.kind === 'command_line') return null
  const accounts = askedBy.kind === 'claimed' ? [askedBy.owner] : [askedBy, ...(askedBy.owner == null ? [] : [askedBy.owner])]
  const confirmed = accounts.flatMap((account) =>
    account.confirmedAt == null
      ? []
      : [page.t('report.asked_by.confirmed', { name: nameOf(page, account), at: page.instant(account.confirmedAt).utc })],
  )
  return page.text([page.t('report.asked_by.unverified'), ...confirmed].join(' '), 1_000)
}
