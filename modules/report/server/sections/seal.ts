import { type Html, html } from '../../../../platform/html/html.ts'
import type { LogFacts } from '../../../sealing/server/index.ts'
import type { ReportPage } from '../page/report-page.ts'

export function seal(page: ReportPage): Html {
  const { t, content } = page
  const record = content.seal
  return page.section(
    'seal',
    html`<p>${t('report.seal.intro')}</p>`,
    page.facts(
      [t('report.seal.root'), html`<code class="hash">${record.root}</code>`],
      [t('report.seal.signed_at'), page.instant(record.signed_at).utc],
      [
        t('report.seal.signer'),
        page.text(
          t('report.seal.signer_value', {
            subject: record.signer.subject,
            sha256: record.signer.sha256,
            serial: record.signer.serial,
          }),
        ),
      ],
      ...(record.message_signers === undefined
        ? []
        : [[t('report.seal.messages'), page.text(t('report.seal.messages_value', record.message_signers))] as const]),
      ...(record.log === undefined ? [] : [[t('report.seal.log'), logged(page, record.log)] as const]),
    ),
    html`<p class="note">${t('report.seal.trust')}</p>`,
    ...record.timestamps.map((stamp, index) => {
      const at = page.instant(stamp.gen_time)
      return html`<h3>${t('report.seal.timestamp', { number: index + 1 })}</h3>
        ${page.facts(
          [t('report.seal.authority'), page.text(stamp.authority)],
          [t('report.seal.gen_time'), html`${at.utc}<br />${at.paris}`],
          [
            t('report.seal.status'),
            html`<b>${stamp.qualified ? t('report.seal.is_qualified') : t('report.seal.not_qualified')}</b><br />${
                stamp.embedded ? t('report.seal.embedded') : t('report.seal.independent')
              }`,
          ],
          [t('report.seal.serial'), page.code(stamp.serial)],
          [t('report.seal.file'), page.code(stamp.file)],
        )}`
    }),
    html`${record.outside_stamps === false && html`<p class="note">${t('report.seal.own_only')}</p>`}`,
    html`${
      record.pending_authorities.length > 0 &&
      html`<p class="note">
        ${page.text(t('report.seal.pending', { authorities: record.pending_authorities.map((one) => one.authority).join(', ') }))}
      </p>`
    }`,
  )
}

/** Where the root stands in the public log; the platform's clock dates nothing that it does not sign. */
function logged(page: ReportPage, log: LogFacts | null): Html {
  if (log === null) return page.text(page.t('report.seal.log_none'))
  const { origin, index } = log
  return page.text(page.t('report.seal.log_value', { origin, index, at: page.instant(log.logged_at).utc }))
}
