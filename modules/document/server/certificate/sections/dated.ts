import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { code, heading, lineBreak, paragraph, strong } from '../../../../../platform/print/document/inlines.ts'
import type { CertificateRenewal, CertificateStamp } from '../page/certificate-facts.ts'
import type { CertificatePage } from '../page/certificate-page.ts'

type Event = { readonly event: string; readonly at: Inlines; readonly source: Inlines }

/** Each instant with whoever says so: no two of these clocks are worth the same. */
export function dated(page: CertificatePage): readonly Block[] {
  const { t, facts } = page
  const { signer } = facts
  const events: readonly Event[] = [
    { event: t('certificate.received'), at: page.instant(facts.receivedAt).utc, source: t('certificate.received_source') },
    {
      event: t('certificate.signed'),
      at: page.instant(facts.signedAt).utc,
      source: page.sentence('certificate.signed_source', {
        subject: page.text(signer.subject, 120),
        sha256: code(signer.sha256),
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
      source: [
        page.sentence('certificate.renewed_source', {
          authority: page.text(renewal.authority, 120),
          serial: code(renewal.serial),
          file: code(renewal.file),
        }),
        lineBreak,
        qualified(page, renewal),
      ],
    })),
    logged(page),
    anchored(page),
  ]
  const { batch } = facts
  return [
    heading(2, t('certificate.when')),
    {
      kind: 'table',
      columns: [
        { head: t('certificate.event'), share: 21 },
        { head: t('certificate.instant'), share: 33 },
        { head: t('certificate.source') },
      ],
      rows: events.map(({ event, at, source }) => [strong(event), at, source]),
    },
    paragraph(
      [
        batch.size === 1 ? t('certificate.single') : page.sentence('certificate.batch', { ...batch, root: code(facts.root) }),
        ' ',
        facts.outsideStamps ? '' : t('certificate.own_only'),
      ],
      'annex',
    ),
  ]
}

/** Of each record the last, which carries all before it. */
function lastRenewals({ facts }: CertificatePage): readonly CertificateRenewal[] {
  return [...new Map(facts.renewals.map((renewal) => [renewal.file, renewal])).values()]
}

function stampedBy(page: CertificatePage, stamp: CertificateStamp): Inlines {
  const said = page.sentence('certificate.stamped_source', {
    authority: page.text(stamp.authority, 120),
    serial: code(stamp.serial),
    file: code(stamp.file),
  })
  return [said, lineBreak, qualified(page, stamp)]
}

function qualified(page: CertificatePage, stamp: Pick<CertificateStamp, 'qualification' | 'embedded'>): Inlines {
  const { t } = page
  const { state, source } = stamp.qualification
  return [
    strong(t(`certificate.${state}`)),
    source === null
      ? ''
      : [
          ' ',
          page.sentence('certificate.trusted_list', {
            ...source,
            provider: page.text(source.provider, 120),
            at: page.day(source.issuedAt),
          }),
        ],
    ` ${t(state === 'qualified' ? 'certificate.presumed' : 'certificate.admissible')}`,
    stamp.embedded ? ` ${t('certificate.embedded')}` : '',
  ]
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
