import { type Html, html } from '../../../../../platform/html/html.ts'
import type { ReportPage } from '../report-page.ts'
import { askedByWords, thumbnail } from './cover.ts'
import { titleOfLine } from './conditions.ts'
import { countWarnings } from './warnings.ts'

/** Conditions named on the page; the others are counted. */
const namedConditions = 6

function conditionsBox(page: ReportPage): Html {
  const { t, content } = page
  const lines = content.facts.checklist
  const count = (result: string): number => lines.filter((line) => line.result === result).length
  const missed = lines.filter((line) => line.result === 'fail')
  return html`<div class="box">
    <h3>${t('report.summary.conditions')}</h3>
    <p>
      ${t('report.summary.conditions_value', {
        pass: count('pass'),
        fail: count('fail'),
        unmeasured: count('not_measured'),
        section: page.sectionNumber('conditions'),
      })}
    </p>
    ${
      missed.length > 0 &&
      html`<p>
        ${t('report.summary.not_met')}
        ${missed.slice(0, namedConditions).map((line, index) => html`${index > 0 && `${t('report.separator')} `}<b>${page.text(titleOfLine(page, line), 45)}</b>`)}
        ${missed.length > namedConditions && t('report.more_rows', { count: missed.length - namedConditions })}
      </p>`
    }
  </div>`
}

function qualityBox(page: ReportPage): Html {
  const { t, content } = page
  const { quality, completeness } = content.facts
  const { coverage } = quality
  return html`<div class="box">
    <h3>${t('report.summary.quality')}</h3>
    <p class="verdict ${quality.verdict}">
      <b>${t(`report.quality.${quality.verdict}`, { section: page.sectionNumber('warnings') })}</b>
    </p>
    <p>
      ${t('report.quality.coverage', { percent: coverage.percent, height: coverage.page_height })}
      ${t('report.quality.images', { missing: coverage.missing_images, images: coverage.images })}
    </p>
    <p>
      ${
        completeness.state === 'complete'
          ? t('report.summary.complete')
          : t('report.summary.incomplete', { count: completeness.losses.length, section: page.sectionNumber('warnings') })
      }
    </p>
    <p>${t('report.summary.warnings_value', { count: countWarnings(content.facts), section: page.sectionNumber('warnings') })}</p>
  </div>`
}

function sealBox(page: ReportPage): Html {
  const { t, content } = page
  const { seal } = content
  const first = seal.timestamps[0]
  return html`<div class="box">
    <h3>${t('report.summary.seal')}</h3>
    <p><code class="hash">${seal.root}</code></p>
    ${
      first !== undefined &&
      html`<p>
        ${page.instant(first.gen_time).utc},
        ${page.text(
          t('report.cover.sealed_by', {
            authority: first.authority,
            status: first.qualified ? t('report.qualified.yes') : t('report.qualified.no'),
          }),
          200,
        )}
      </p>`
    }
    ${seal.timestamps.every((stamp) => stamp.embedded) && html`<p>${t('report.summary.embedded_only')}</p>`}
  </div>`
}

function checkBox(page: ReportPage): Html {
  const { t } = page
  return html`<div class="box">
    <h3>${t('report.summary.check')}</h3>
    <ol>
      <li>${t('report.summary.check_1')}</li>
      <li>${t('report.summary.check_2')}</li>
      <li>${t('report.summary.check_3')}</li>
    </ol>
    <p>${t('report.summary.check_more', { section: page.sectionNumber('verify') })}</p>
  </div>`
}

/** One page that a judge may read alone: what, when, where, what was seen, what it is worth, how to check. */
export function summary(page: ReportPage): Html {
  const { t, number, content } = page
  const { facts, subject, pieces, askedBy } = content
  const at = page.instant(facts.navigated_at)
  const place = facts.server
  return page.section(
    'summary',
    html`<p class="lead">${t('report.summary.lead', { utc: at.utc, paris: at.paris })}</p>`,
    html`<div class="glance">
      <div>
        ${page.facts(
          [t('report.summary.requested'), page.url(subject.requested_url, 110)],
          [
            t('report.summary.final'),
            subject.final_url === subject.requested_url ? t('report.summary.same') : page.url(subject.final_url, 110),
          ],
          [t('report.summary.page_title'), facts.title.trim() === '' ? t('report.untitled') : page.text(facts.title, 90)],
          [
            t('report.summary.status'),
            facts.http_status === null
              ? t('report.not_measured')
              : t('report.summary.status_value', { status: String(facts.http_status) }),
          ],
          [
            t('report.summary.server'),
            facts.server_address === null ? t('report.not_measured') : page.code(facts.server_address),
          ],
        )}
      </div>
      <div>${thumbnail(page)}</div>
    </div>`,
    page.facts(
      askedBy === null ? null : [t('report.cover.asked_by'), askedByWords(page, askedBy)],
      [
        t('report.summary.where'),
        place === null
          ? html`${page.text(facts.machine.hostname, 80)} (${t('report.summary.unregistered')})`
          : html`${page.text(place.name, 80)}${place.city !== null && html`, ${page.text(place.city, 60)}`},
            ${place.country === null ? t('report.summary.country_unknown') : page.country(place.country)}`,
      ],
      [
        t('report.summary.duration'),
        t('report.summary.duration_value', { start: page.timeUtc(facts.started_at), end: page.timeUtc(facts.finished_at) }),
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
        t('report.summary.pieces'),
        t('report.summary.pieces_value', {
          count: pieces.length,
          bytes: page.bytes(pieces.reduce((sum, piece) => sum + piece.bytes, 0)),
        }),
      ],
    ),
    html`<div class="boxes">${conditionsBox(page)} ${qualityBox(page)} ${sealBox(page)} ${checkBox(page)}</div>`,
    html`<div class="box scope">
      <h3>${t('report.summary.establishes')}</h3>
      <p>${t('report.summary.establishes_yes')}</p>
      <p>${t('report.summary.establishes_no')}</p>
    </div>`,
  )
}
