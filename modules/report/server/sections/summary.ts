import { type Html, html } from '../../../../platform/html/html.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { wasSteered } from '../content/session-facts.ts'
import { lasting } from '../words/session-words.ts'
import { askedByWords, namesAccounts } from '../page/asked-by-words.ts'
import { thumbnail } from './cover.ts'
import { placeOf } from './place.ts'
import { titleOfLine } from './conditions.ts'
import { countWarnings } from './warnings.ts'

/** Conditions named on the page; the others are counted. */
const namedConditions = 6

/** Longest name on the page; the cover has longer ones. */
const summaryName = 40

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
    <h3>${t(content.session === null ? 'report.summary.quality' : 'report.session.quality')}</h3>
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

/** What was automatic, and what a person did. */
function leadOf({ t, instant, sectionNumber, content }: ReportPage): string {
  const { facts, session } = content
  if (session === null) return t('report.summary.lead', instant(facts.navigated_at))
  const at = instant(session.facts.began_at)
  const { video } = session.facts
  if (!wasSteered(session.facts)) return t('report.session.lead_unsteered', { ...at, section: sectionNumber('session') })
  return video !== null && video.sound !== null && video.gaps.length === 0
    ? t('report.session.lead', at)
    : t('report.session.lead_silent', { ...at, section: sectionNumber('session') })
}

function sessionRows(page: ReportPage, { facts }: SessionContent): readonly (readonly [string, string])[] {
  const { t } = page
  const { video, screenshots } = facts
  const automatic = screenshots.filter((shot) => shot.automatic).length
  const recorded =
    video === null
      ? t('report.session.video_none')
      : t('report.session.video_value', {
          duration: lasting(page, video.duration_ms),
          frames: video.frames,
          gaps: video.gaps.length,
          sound: video.sound === null ? 'no' : 'yes',
        })
  return [
    [
      t('report.session.visit'),
      t('report.session.visit_value', {
        duration: lasting(page, facts.duration_ms),
        ended: t(`report.session.over.${facts.ended_by}`),
        pages: facts.navigations.length,
        section: page.sectionNumber('path'),
      }),
    ],
    [
      t('report.session.recorded'),
      [t('report.session.images_value', { asked: screenshots.length - automatic, automatic }), recorded].join(
        `${t('report.separator')} `,
      ),
    ],
  ]
}

/** One page that a judge may read alone: what, when, where, what was seen, what it is worth, how to check. */
export function summary(page: ReportPage): Html {
  const { t, number, content } = page
  const { facts, subject, pieces, askedBy, session } = content
  const place = facts.server
  // A session has more to say on its page: two lines for an address, with the words that say that it is cut.
  const address = (url: string): Html => page.url(url, session === null ? 110 : url.length <= 92 ? 92 : 60)
  return page.section(
    'summary',
    html`<p class="lead">${leadOf(page)}</p>`,
    html`<div class="glance">
      <div>
        ${page.facts(
          [t('report.summary.requested'), address(subject.requested_url)],
          [
            t(session === null ? 'report.summary.final' : 'report.session.last_address'),
            subject.final_url === subject.requested_url ? t('report.summary.same') : address(subject.final_url),
          ],
          [
            t(session === null ? 'report.summary.page_title' : 'report.session.last_title'),
            facts.title.trim() === '' ? t('report.untitled') : page.text(facts.title, 90),
          ],
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
      askedBy === null
        ? null
        : [
            t('report.cover.asked_by'),
            html`${askedByWords(page, askedBy, summaryName)} ${namesAccounts(askedBy) && t('report.asked_by.unverified_short')}`,
          ],
      [
        t('report.summary.where'),
        place === null
          ? html`${page.text(facts.machine.hostname, 80)} (${t('report.summary.unregistered')})`
          : html`${page.text(place.name, 80)} (${t('report.summary.place')} ${placeOf(page, place)})`,
      ],
      ...(session === null
        ? [
            [
              t('report.summary.duration'),
              t('report.summary.duration_value', { start: page.timeUtc(facts.started_at), end: page.timeUtc(facts.finished_at) }),
            ] as const,
          ]
        : sessionRows(page, session)),
      [
        t(session === null ? 'report.summary.page' : 'report.session.last_page'),
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
      <p>
        ${t(session === null || !wasSteered(session.facts) ? 'report.summary.establishes_yes' : 'report.session.establishes_yes')}
      </p>
      <p>${t(session === null ? 'report.summary.establishes_no' : 'report.session.establishes_no')}</p>
    </div>`,
  )
}
