import type { Inlines } from '../../../../../kernel/document/blocks.ts'
import { lineBreak, soft } from '../../../../../platform/print/document/inlines.ts'
import type { Depositor } from '../page/certificate-facts.ts'
import type { CertificatePage } from '../page/certificate-page.ts'

/** Who deposited it: names as accounts have them, and what is known of each. */
export function depositor(page: CertificatePage): Inlines {
  const { depositor: by, owner, apiKey } = page.facts
  const name = called(page, by)
  const said =
    owner === null
      ? page.sentence('certificate.account', { name })
      : page.sentence('certificate.account_for', { name, owner: called(page, owner) })
  const people = [by, ...(owner === null ? [] : [owner])]
  return [
    said,
    apiKey === null ? [] : [' ', page.sentence('certificate.by_key', { key: page.text(apiKey, 120) })],
    lineBreak,
    soft(people.map((person, index) => [index === 0 ? '' : ' ', known(page, person)])),
  ]
}

function called(page: CertificatePage, { name }: Depositor): Inlines {
  return name.trim() === '' ? page.t('certificate.no_name') : page.text(name, 120)
}

function known(page: CertificatePage, person: Depositor): Inlines {
  const name = called(page, person)
  const { identityVerifiedAt: verified, confirmedAt: confirmed } = person
  const identity =
    verified === null
      ? page.sentence('certificate.unverified', { name })
      : page.sentence('certificate.verified', { name, at: page.instant(verified).utc })
  return confirmed === null
    ? identity
    : [identity, ' ', page.sentence('certificate.confirmed', { name, at: page.instant(confirmed).utc })]
}
