import { type Html, html } from '../../../../../platform/html/html.ts'
import type { ReportPage } from '../report-page.ts'
import { countWarnings } from './warnings.ts'

export function summary(page: ReportPage): Html {
  const { t, number, content } = page
  const { facts, subject, seal, pieces } = content
  const at = page.instant(facts.navigated_at)
  const resultCount = (result: string): number => facts.checklist.filter((line) => line.result === result).length
  const warnings = countWarnings(facts)
  const lost = facts.completeness.losses.length
  const first = seal.timestamps[0]
  return page.section(
    'summary',
    html`<p class="lead">${t('report.summary.lead', { utc: at.utc, paris: at.paris })}</p>`,
    page.facts(
      [t('report.summary.requested'), page.url(subject.requested_url, 600)],
      [
        t('report.summary.final'),
        subject.final_url === subject.requested_url ? t('report.summary.same') : page.url(subject.final_url, 600),
      ],
      [t('report.summary.page_title'), facts.title.trim() === '' ? t('report.untitled') : page.text(facts.title)],
      [
        t('report.summary.status'),
        facts.http_status === null
          ? t('report.not_measured')
          : t('report.summary.status_value', { status: String(facts.http_status) }),
      ],
      [t('report.summary.server'), facts.server_address === null ? t('report.not_measured') : page.code(facts.server_address)],
      [
        t('report.summary.duration'),
        t('report.summary.duration_value', { start: page.timeUtc(facts.started_at), end: page.timeUtc(facts.finished_at) }),
      ],
      [
        t('report.summary.window'),
        t('report.summary.window_value', {
          width: number(facts.viewport.width),
          height: number(facts.viewport.height),
          scale: number(facts.viewport.device_scale_factor),
        }),
      ],
      [
        t('report.summary.page'),
        t('report.summary.page_value', {
          captured: number(facts.captured_height),
          total: number(facts.page_height),
          percent: page.percent(facts.captured_height, facts.page_height),
        }),
      ],
      [
        t('report.summary.resources'),
        t('report.summary.resources_value', {
          total: facts.resources.total,
          failed: facts.resources.failed,
          blocked: facts.resources.blocked,
          bytes: page.bytes(facts.resources.bytes),
        }),
      ],
      [
        t('report.summary.completeness'),
        facts.completeness.state === 'complete'
          ? t('report.summary.complete')
          : t('report.summary.incomplete', { count: lost, section: page.sectionNumber('warnings') }),
      ],
      [
        t('report.summary.conditions'),
        t('report.summary.conditions_value', {
          pass: resultCount('pass'),
          fail: resultCount('fail'),
          unmeasured: resultCount('not_measured'),
          section: page.sectionNumber('conditions'),
        }),
      ],
      [
        t('report.summary.warnings'),
        t('report.summary.warnings_value', { count: warnings, section: page.sectionNumber('warnings') }),
      ],
      [
        t('report.summary.pieces'),
        t('report.summary.pieces_value', {
          count: pieces.length,
          bytes: page.bytes(pieces.reduce((sum, piece) => sum + piece.bytes, 0)),
        }),
      ],
      [t('report.summary.seal'), html`<code>${seal.root}</code>`],
      first === undefined
        ? null
        : [
            t('report.cover.sealed'),
            html`${page.instant(first.gen_time).utc},
            ${t('report.cover.sealed_by', {
              authority: first.authority,
              status: first.qualified ? t('report.qualified.yes') : t('report.qualified.no'),
            })}`,
          ],
    ),
    html`<div class="scope">
      <h3>${t('report.summary.establishes')}</h3>
      <p>
        ${t('report.summary.establishes_yes')}
        ${seal.timestamps.every((stamp) => stamp.embedded) && t('report.summary.embedded_only')}
      </p>
      <p>${t('report.summary.establishes_no')}</p>
    </div>`,
  )
}
