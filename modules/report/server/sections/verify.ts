import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { facts, heading, paragraph } from '../../../../platform/print/document/inlines.ts'
import {
  cmsCommand,
  headCommand,
  pdfCommand,
  sumsCommand,
  timelineCommand,
  timestampCommand,
  videoCommand,
} from '../instructions/verify-commands.ts'
import { verifierOf } from '../instructions/site-pages.ts'
import { authorityWords } from './authority.ts'
import type { ReportPage } from '../page/report-page.ts'

const glossaryWords = [
  'sha256',
  'merkle',
  'seal',
  'timestamp',
  'qualified',
  'certificate',
  'tunnel',
  'rolling_hash',
  'preflight',
  'exchange',
  'har',
  'wacz',
  'pcap',
  'dom',
  'utc',
  'unseen',
] as const

const sessionWords = ['live_session', 'timeline', 'chain', 'witness'] as const

export function verify(page: ReportPage): readonly Block[] {
  const { t, say, content, toSection } = page
  const { seal, session, siteUrl } = content
  const step = (title: Inlines, command: string): readonly Block[] => [paragraph(title), { kind: 'lines', text: command }]
  const ofSession = [
    step(t('report.verify.step_timeline'), timelineCommand),
    step(say('report.verify.step_head', { section: toSection('session') }), headCommand),
    ...(session?.facts.video == null ? [] : [step(t('report.verify.step_video'), videoCommand)]),
  ]
  return page.section(
    'verify',
    paragraph(t('report.verify.intro')),
    heading(3, t('report.verify.offline')),
    paragraph(t('report.verify.offline_text')),
    siteUrl === null
      ? [heading(3, t('report.verify.command')), paragraph(t('report.verify.command_text'))]
      : [heading(3, t('report.verify.site')), paragraph(t('report.verify.site_text', { url: verifierOf(siteUrl, page.locale) }))],
    heading(3, t('report.verify.tools')),
    paragraph(t('report.verify.tools_text')),
    {
      kind: 'list',
      ordered: true,
      items: [
        step(say('report.verify.step_pieces', { section: toSection('pieces') }), sumsCommand),
        step(t('report.verify.step_signature'), cmsCommand),
        ...seal.timestamps.map((stamp, index) =>
          step(t('report.verify.step_timestamp', { number: index + 1 }), timestampCommand(stamp)),
        ),
        ...(session === null ? [] : ofSession),
        step(t('report.verify.step_pdf'), pdfCommand(page.locale)),
      ],
    },
    paragraph(content.preview ? t('report.verify.preview') : t('report.verify.report')),
    authorityWords(page),
  )
}

export function glossary(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const words = content.session === null ? glossaryWords : [...glossaryWords, ...sessionWords]
  return page.section(
    'glossary',
    facts(...words.map((word) => [t(`report.glossary.${word}`), t(`report.glossary.${word}_text`)] as const)),
  )
}
