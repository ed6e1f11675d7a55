import { type Html, html } from '../../../../../platform/html/html.ts'
import type { CertificateRenewal, CertificateStamp } from '../page/certificate-facts.ts'
import type { CertificatePage } from '../page/certificate-page.ts'

type Event = { readonly event: string; readonly at: Html | string; readonly source: Html | string }

/** Each instant with whoever says so: no two of these clocks are worth the same. */
export function dated(page: CertificatePage): Html {
  const { t, facts } = page
  const { signer } = facts
  const events: readonly Event[] = [
    { event: t('certificate.received'), at: page.instant(facts.receivedAt).utc, source: t('certificate.received_source') },
    {
      event: t('certificate.signed'),
      at: page.instant(facts.signedAt).utc,
      source: page.sentence('certificate.signed_source', {
        subject: page.text(signer.subject, 120),
        sha256: html`<code>${signer.sha256}</code>`,
      }),
    },
    ...facts.stamps.map((stamp, index) => ({
      event: t('certificate.stamped', { count: facts.stamps.length, number: index + 1 }),
      at: page.instants(stamp.genTime),
      source: stampedBy(page, stamp),
    })),
    ...lastRenewals(page).map((renewal) => ({
      event: t('certificate.renewed', { count: renewal.number }),
      at: page.instants(renewal.genTime),
      source: html`${page.sentence('certificate.renewed_source', {
          authority: page.text(renewal.authority, 120),
          serial: html`<code>${renewal.serial}</code>`,
          file: html`<code>${renewal.file}</code>`,
        })}<br />${qualified(page, renewal)}`,
    })),
    logged(page),
    anchored(page),
  ]
  return html`<section>
    <h2>${t('certificate.when')}</h2>
    <table class="events">
      <thead>
        <tr>
          <th scope="col">${t('certificate.event')}</th>
          <th scope="col">${t('certificate.instant')}</th>
          <th scope="col">${t('certificate.source')}</th>
        </tr>
      </thead>
      <tbody>
        ${events.map(
          ({ event, at, source }) =>
            html`<tr>
              <th scope="row">${event}</th>
              <td>${at}</td>
              <td>${source}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="annex">
      ${
        facts.batch.size === 1
          ? t('certificate.single')
          : page.sentence('certificate.batch', { ...facts.batch, root: html`<code>${facts.root}</code>` })
      }
      ${facts.outsideStamps ? '' : t('certificate.own_only')}
    </p>
  </section>`
}

/** Of each record the last, which carries all before it. */
function lastRenewals({ facts }: CertificatePage): readonly CertificateRenewal[] {
  return [...new Map(facts.renewals.map((renewal) => [renewal.file, renewal])).values()]
}

function stampedBy(page: CertificatePage, stamp: CertificateStamp): Html {
  const said = page.sentence('certificate.stamped_source', {
    authority: page.text(stamp.authority, 120),
    serial: html`<code>${stamp.serial}</code>`,
    file: html`<code>${stamp.file}</code>`,
  })
  return html`${said}<br />${qualified(page, stamp)}`
}

function qualified(page: CertificatePage, stamp: Pick<CertificateStamp, 'qualification' | 'embedded'>): Html {
  const { t } = page
  const { state, source } = stamp.qualification
  return html`<b>${t(`certificate.${state}`)}</b>
    ${source !== null && page.sentence('certificate.trusted_list', { ...source, provider: page.text(source.provider, 120), at: page.day(source.issuedAt) })}
    ${t(state === 'qualified' ? 'certificate.presumed' : 'certificate.admissible')} ${stamp.embedded && t('certificate.embedded')}`
}

function logged(page: CertificatePage): Event {
  const { t, facts } = page
  const event = t('certificate.logged')
  if (facts.log === null) return { event, at: t('certificate.not_logged'), source: '' }
  const { origin, index, logged_at: at } = facts.log
  return {
    event,
    at: page.instant(at).utc,
    source: page.sentence('certificate.logged_source', { origin: page.text(origin, 120), index }),
  }
}

function anchored(page: CertificatePage): Event {
  const { t, facts } = page
  const event = t('certificate.anchored')
  if (facts.anchor === null) return { event, at: t('certificate.anchor_none'), source: '' }
  const { block, network } = facts.anchor
  if (block === null) return { event, at: t('certificate.anchor_waits'), source: t('certificate.anchor_waits_source') }
  const height = String(block.height)
  return {
    event,
    at: page.instants(block.time),
    source: t(network === 'main' ? 'certificate.anchored_source' : 'certificate.anchored_test', { height }),
  }
}
