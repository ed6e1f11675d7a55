import { type Html, html } from '../../../../platform/html/html.ts'
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

export function verify(page: ReportPage): Html {
  const { t, content } = page
  const step = (title: string, command: string): Html =>
    html`<li>
      ${title}
      <pre>${command}</pre>
    </li>`
  return page.section(
    'verify',
    html`<p>${t('report.verify.intro')}</p>`,
    html`<h3>${t('report.verify.offline')}</h3>
      <p>${t('report.verify.offline_text')}</p>`,
    content.siteUrl === null
      ? html`<h3>${t('report.verify.command')}</h3>
          <p>${t('report.verify.command_text')}</p>`
      : html`<h3>${t('report.verify.site')}</h3>
          <p>${t('report.verify.site_text', { url: verifierOf(content.siteUrl, page.locale) })}</p>`,
    html`<h3>${t('report.verify.tools')}</h3>
      <p>${t('report.verify.tools_text')}</p>
      <ol class="commands">
        ${step(t('report.verify.step_pieces', { section: page.sectionNumber('pieces') }), sumsCommand)}
        ${step(t('report.verify.step_signature'), cmsCommand)}
        ${content.seal.timestamps.map((stamp, index) =>
          step(t('report.verify.step_timestamp', { number: index + 1 }), timestampCommand(stamp)),
        )}
        ${
          content.session !== null && [
            step(t('report.verify.step_timeline'), timelineCommand),
            step(t('report.verify.step_head', { section: page.sectionNumber('session') }), headCommand),
            content.session.facts.video !== null && step(t('report.verify.step_video'), videoCommand),
          ]
        }
        ${step(t('report.verify.step_pdf'), pdfCommand(page.locale))}
      </ol>
      <p>${content.preview ? t('report.verify.preview') : t('report.verify.report')}</p>`,
    html`${authorityWords(page)}`,
  )
}

export function glossary(page: ReportPage): Html {
  const { t, content } = page
  const words = content.session === null ? glossaryWords : [...glossaryWords, ...sessionWords]
  return page.section(
    'glossary',
    html`<dl>
      ${words.map(
        (word) =>
          html`<dt>${t(`report.glossary.${word}`)}</dt>
            <dd>${t(`report.glossary.${word}_text`)}</dd>`,
      )}
    </dl>`,
  )
}
