import type { Inlines } from '../../../../kernel/document/blocks.ts'
import type { AccountAsked, AskedBy } from '../content/report-content.ts'
import type { ReportPage } from './report-page.ts'

/** Longest name printed in full, in characters. */
const nameLimit = 120

type Page = Pick<ReportPage, 't' | 'say' | 'text' | 'instant'>

/** As its holder gave it: printed as a title is, so that it turns no sentence. */
const nameOf = ({ t, text }: Page, { name }: AccountAsked, longest: number): Inlines =>
  name.trim() === '' ? t('report.asked_by.nameless') : text(name, longest)

/**
 * Who asked for the capture.
 * @param longest name printed in full, in characters
 */
export function askedByWords(page: Page, askedBy: AskedBy, longest = nameLimit): Inlines {
  if (askedBy.kind === 'claimed')
    return page.say('report.asked_by.claimed', {
      owner: nameOf(page, askedBy.owner, longest),
      at: page.instant(askedBy.at).utc,
    })
  if (askedBy.kind !== 'account') return page.t(`report.asked_by.${askedBy.kind}`)
  const name = nameOf(page, askedBy, longest)
  return askedBy.owner == null
    ? page.say('report.asked_by.account', { name })
    : page.say('report.asked_by.account_for', { name, owner: nameOf(page, askedBy.owner, longest) })
}

/** Whether a name was printed, which is only what the holder of an account says of himself. */
export function namesAccounts(askedBy: AskedBy | null): askedBy is Extract<AskedBy, { kind: 'account' | 'claimed' }> {
  return askedBy?.kind === 'account' || askedBy?.kind === 'claimed'
}

/** What is known of the accounts that were named, and what is not. */
export function whatIsKnownOfAccounts(page: Page, askedBy: Extract<AskedBy, { kind: 'account' | 'claimed' }>): Inlines {
  const accounts = askedBy.kind === 'claimed' ? [askedBy.owner] : [askedBy, ...(askedBy.owner == null ? [] : [askedBy.owner])]
  const confirmed = accounts.flatMap((account) =>
    account.confirmedAt == null
      ? []
      : [
          ' ',
          page.say('report.asked_by.confirmed', {
            name: nameOf(page, account, nameLimit),
            at: page.instant(account.confirmedAt).utc,
          }),
        ],
  )
  return [page.t('report.asked_by.unverified'), ...confirmed]
}
