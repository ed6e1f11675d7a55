import { type Html, html } from '../../../../../platform/html/html.ts'
import type { Depositor } from '../page/certificate-facts.ts'
import type { CertificatePage } from '../page/certificate-page.ts'

/** Who deposited it: names as accounts have them, and what is known of each. */
export function depositor(page: CertificatePage): Html {
  const { depositor: by, owner, apiKey } = page.facts
  const name = called(page, by)
  const said =
    owner === null
      ? page.sentence('certificate.account', { name })
      : page.sentence('certificate.account_for', { name, owner: called(page, owner) })
  return html`${said}${apiKey !== null && html` ${page.sentence('certificate.by_key', { key: page.text(apiKey, 120) })}`}<br />
    <span class="annex">${[by, ...(owner === null ? [] : [owner])].map((person) => html`${known(page, person)} `)}</span>`
}

function called(page: CertificatePage, { name }: Depositor): Html {
  return name.trim() === '' ? html`${page.t('certificate.no_name')}` : page.text(name, 120)
}

function known(page: CertificatePage, person: Depositor): Html {
  const name = called(page, person)
  const { identityVerifiedAt: verified, confirmedAt: confirmed } = person
  const identity =
    verified === null
      ? page.sentence('certificate.unverified', { name })
      : page.sentence('certificate.verified', { name, at: page.instant(verified).utc })
  return html`${identity}${
    confirmed !== null && html` ${page.sentence('certificate.confirmed', { name, at: page.instant(confirmed).utc })}`
  }`
}
