import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { code, facts, heading, lineBreak, paragraph, strong } from '../../../../platform/print/document/inlines.ts'
import type { LogFacts } from '../../../sealing/server/index.ts'
import type { ReportPage } from '../page/report-page.ts'

const note = (text: Inlines): Block => ({ kind: 'callout', tone: 'note', text })

export function seal(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const record = content.seal
  const { subject, sha256, serial } = record.signer
  return page.section(
    'seal',
    paragraph(t('report.seal.intro')),
    facts(
      [t('report.seal.root'), code(record.root)],
      [t('report.seal.signed_at'), page.instant(record.signed_at).utc],
      [
        t('report.seal.signer'),
        page.say('report.seal.signer_value', {
          subject: page.text(subject),
          sha256: page.code(sha256),
          serial: page.code(serial),
        }),
      ],
      record.message_signers === undefined
        ? null
        : [t('report.seal.messages'), page.text(t('report.seal.messages_value', record.message_signers))],
      record.log === undefined ? null : [t('report.seal.log'), logged(page, record.log)],
    ),
    note(t('report.seal.trust')),
    record.timestamps.map((stamp, index) => {
      const at = page.instant(stamp.gen_time)
      return [
        heading(3, t('report.seal.timestamp', { number: index + 1 })),
        facts(
          [t('report.seal.authority'), page.text(stamp.authority)],
          [t('report.seal.gen_time'), [at.utc, lineBreak, at.paris]],
          [
            t('report.seal.status'),
            [
              strong(stamp.qualified ? t('report.seal.is_qualified') : t('report.seal.not_qualified')),
              lineBreak,
              stamp.embedded ? t('report.seal.embedded') : t('report.seal.independent'),
            ],
          ],
          [t('report.seal.serial'), page.code(stamp.serial)],
          [t('report.seal.file'), page.code(stamp.file)],
        ),
      ]
    }),
    record.outside_stamps === false && note(t('report.seal.own_only')),
    record.pending_authorities.length > 0 &&
      note(
        page.text(
          t('report.seal.pending', { authorities: record.pending_authorities.map(({ authority }) => authority).join(', ') }),
        ),
      ),
  )
}

/** Where the root stands in the public log; the platform's clock dates nothing that it does not sign. */
function logged(page: ReportPage, log: LogFacts | null): Inlines {
  if (log === null) return page.t('report.seal.log_none')
  const { origin, index } = log
  return page.text(page.t('report.seal.log_value', { origin, index, at: page.instant(log.logged_at).utc }))
}
