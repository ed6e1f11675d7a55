import { type Locale, locales } from '../../../../kernel/locale.ts'
import type { SealSummary } from '../../../sealing/server/index.ts'
import type { Subject } from '../../../verification/server/index.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import { reportWords } from '../words/report-words.ts'
import { groupDigest, keysPageOf, verifierOf } from './site-pages.ts'
import {
  authorityCommand,
  checkSumsCommand,
  cmsCommand,
  coverCommand,
  keysCommand,
  logEntryCommand,
  pdfCommand,
  timelineCommand,
  timestampCommand,
  videoCommand,
} from './verify-commands.ts'

export type ReadmeInput = {
  readonly subject: Subject
  readonly seal: SealSummary
  readonly facts: Pick<CaptureFacts, 'operator'>
  /** Where readers elsewhere reach this installation; null when they cannot. */
  readonly siteUrl: string | null
}

/** Longest address that is printed whole, in characters. */
const urlLimit = 2000

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}

function readmeIn(locale: Locale, { subject, seal, facts, siteUrl }: ReadmeInput): string {
  const words = reportWords(locale)
  const { t } = words
  const heading = (text: string): string => `${text}\n${'-'.repeat(Array.from(text).length)}`
  const title = t('report.readme.title', { id: subject.evidence_id })
  const [what = '', ...nature] = t('report.readme.what').split('\n\n')
  const operator =
    facts.operator === undefined || facts.operator === null
      ? t('report.not_stated')
      : `${plainText(facts.operator, 300)} (${t('report.operator.stated')})`
  const stamps = seal.timestamps.map((stamp) => `${words.instant(stamp.gen_time).utc} – ${stamp.authority}`)
  return [
    `${title}\n${'='.repeat(Array.from(title).length)}`,
    heading(what),
    ...nature,
    [
      `${t('report.readme.address')}\n${indent(plainText(subject.requested_url, urlLimit))}`,
      `${t('report.readme.final')}\n${indent(plainText(subject.final_url, urlLimit))}`,
      `${t('report.readme.when')}\n${indent(words.instant(subject.started_at).utc)}`,
      `${t('report.operator')}${t('report.readme.colon')}\n${indent(operator)}`,
      `${t('report.readme.root')}\n${indent(seal.root)}`,
      ...(stamps.length === 0 ? [] : [`${t('report.readme.stamped')}\n${indent(stamps.join('\n'))}`]),
    ].join('\n'),
    seal.timestamps.some((stamp) => !stamp.qualified) ? t('report.readme.qualified_no') : '',
    heading(t('report.readme.files')),
    (['report', 'verify', 'manifest', 'seal', 'capture', 'meta'] as const)
      .map((name) => t(`report.readme.file_${name}`))
      .join('\n'),
    heading(t('report.readme.how')),
    `${t('report.readme.unzip')}\n\n${indent(`unzip ${t('report.readme.package_zip')} -d package && cd package`)}`,
    `${t('report.readme.expect_sums')}\n\n${indent(checkSumsCommand)}`,
    `${t('report.readme.expect_cms')}\n\n${indent(cmsCommand)}`,
    ...(siteUrl === null ? [] : [t('report.verify.site_text', { url: verifierOf(siteUrl, locale) })]),
    `${t('report.readme.expect_authority')}\n\n${indent(authorityCommand)}`,
    ...(seal.authority === undefined
      ? []
      : [
          `${t('report.readme.authority')}\n${indent(groupDigest(seal.authority.sha256))}`,
          siteUrl === null
            ? t('report.verify.authority_elsewhere')
            : t('report.verify.authority_page', { url: keysPageOf(siteUrl, locale) }),
        ]),
    ...seal.timestamps.map(
      (stamp, index) => `${t('report.readme.expect_ts', { number: index + 1 })}\n\n${indent(timestampCommand(stamp))}`,
    ),
    `${t('report.readme.expect_pdf')}\n\n${indent(pdfCommand(locale))}`,
    ...(seal.message_signers === undefined ? [] : [`${t('report.readme.expect_keys')}\n\n${indent(keysCommand)}`]),
    ...(seal.log == null ? [] : [`${t('report.readme.expect_log', { index: seal.log.index })}\n\n${indent(logEntryCommand)}`]),
    ...(subject.kind === 'interactive'
      ? [
          `${t('report.readme.expect_timeline')}\n\n${indent(timelineCommand)}`,
          `${t('report.readme.expect_video')}\n\n${indent(videoCommand)}`,
        ]
      : []),
    `${t('report.readme.expect_cover')}\n\n${indent(coverCommand)}`,
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}

/** README.txt: UTF-8, English then French. */
export function makeReadme(input: ReadmeInput): Uint8Array {
  return Buffer.from(`${locales.map((locale) => readmeIn(locale, input)).join(`\n\n\n${'*'.repeat(72)}\n\n\n`)}\n`, 'utf8')
}
