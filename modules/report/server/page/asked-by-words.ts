import { type Html, html } from '../../../../platform/html/html.ts'
import type { AccountAsked, AskedBy } from '../content/report-content.ts'
import type { ReportPage } from './report-page.ts'
import type { ReportMessageId } from '../words/report-words.ts'

/** Longest name printed in full, in characters. */
const nameLimit = 120

/** Characters of private use that hold the place of a name until the sentence is there: no text of ours has them. */
const places = { name: '\uE000', owner: '\uE001' } as const

type Page = Pick<ReportPage, 't' | 'text' | 'instant'>
type Accounts = { readonly [place in keyof typeof places]?: AccountAsked }

/** A sentence with names from outside in it: each is printed as a title is, and none turns the sentence round it. */
function sentence(page: Page, id: ReportMessageId, accounts: Accounts, { longest = nameLimit, at = '' } = {}): Html {
  const nameOf = (account: AccountAsked | undefined) =>
    account === undefined || account.name.trim() === '' ? page.t('report.asked_by.nameless') : page.text(account.name, longest)
  const words = page.t(id, { ...places, ...(at === '' ? {} : { at: page.instant(at).utc }) })
  const parts = words
    .split(/([\uE000\uE001])/)
    .map((part) => (part === places.name ? nameOf(accounts.name) : part === places.owner ? nameOf(accounts.owner) : part))
  return html`${parts}`
}

/**
 * Who asked for the capture.
 * @param longest name printed in full, in characters
 */
export function askedByWords(page: Page, askedBy: AskedBy, longest = nameLimit): Html {
  if (askedBy.kind === 'claimed')
    return sentence(page, 'report.asked_by.claimed', { owner: askedBy.owner }, { longest, at: askedBy.at })
  if (askedBy.kind !== 'account') return html`${page.t(`report.asked_by.${askedBy.kind}`)}`
  return askedBy.owner == null
    ? sentence(page, 'report.asked_by.account', { name: askedBy }, { longest })
    : sentence(page, 'report.asked_by.account_for', { name: askedBy, owner: askedBy.owner }, { longest })
}

/** Whether a name was printed, which is only what the holder of an account says of himself. */
export function namesAccounts(askedBy: AskedBy | null): askedBy is Extract<AskedBy, { kind: 'account' | 'claimed' }> {
  return askedBy?.kind === 'account' || askedBy?.kind === 'claimed'
}

/** What is known of the accounts that were named, and what is not. */
export function whatIsKnownOfAccounts(page: Page, askedBy: Extract<AskedBy, { kind: 'account' | 'claimed' }>): Html {
  const accounts = askedBy.kind === 'claimed' ? [askedBy.owner] : [askedBy, ...(askedBy.owner == null ? [] : [askedBy.owner])]
  const confirmed = accounts.flatMap((account) =>
    account.confirmedAt == null
      ? []
      : [html` ${sentence(page, 'report.asked_by.confirmed', { name: account }, { at: account.confirmedAt })}`],
  )
  return html`${page.t('report.asked_by.unverified')}${confirmed}`
}
