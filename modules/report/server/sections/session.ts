import { type Html, html } from '../../../../platform/html/html.ts'
import { type CountedInput, countedInputs } from '../pieces/read-timeline.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { wasSteered } from '../content/session-facts.ts'
import { lasting, second, wordsOf } from '../words/session-words.ts'
import { people } from './session-people.ts'

const mostRows = 60

function list<T>(page: ReportPage, items: readonly T[], show: (item: T) => Html): Html {
  return html`<ul class="notes compact">
      ${items.slice(0, mostRows).map((item) => html`<li>${show(item)}</li>`)}
    </ul>
    ${items.length > mostRows && html`<p class="left-out">${page.t('report.more_rows', { count: items.length - mostRows })}</p>`}`
}

function video(page: ReportPage, { facts }: SessionContent): Html {
  const { t } = page
  const { video: recorded } = facts
  if (recorded === null) return html`<p>${t('report.session.video_absent')}</p>`
  const { gaps, sound } = recorded
  return html`${page.facts(
    [t('report.session.file'), page.code(recorded.path)],
    [t('report.session.length'), lasting(page, recorded.duration_ms)],
    [t('report.session.frames'), t('report.session.frames_value', { frames: recorded.frames, dropped: recorded.frames_dropped })],
    [
      t('report.session.size'),
      page.text(
        t('report.session.size_value', {
          width: page.number(recorded.width),
          height: page.number(recorded.height),
          page: page.number(recorded.page_height),
          codec: recorded.codec,
        }),
      ),
    ],
    [
      t('report.session.sound'),
      sound === null ? t('report.session.sound_none') : page.text(t('report.session.sound_value', sound), 100),
    ],
    [t('report.session.gaps'), gaps.length === 0 ? t('report.session.gaps_none') : page.number(gaps.length)],
    [t('report.session.chain'), html`<code class="hash">${page.text(recorded.chain, 80)}</code>`],
  )}
  ${
    gaps.length > 0 &&
    list(
      page,
      gaps,
      ({ from_ms, to_ms, reason }) =>
        html`${page.text(
          t('report.session.gap', {
            from: second(from_ms),
            to: second(to_ms),
            reason: wordsOf(page, 'report.session.gap', reason),
          }),
          200,
        )}`,
    )
  }`
}

const halves = [
  countedInputs.slice(0, Math.ceil(countedInputs.length / 2)),
  countedInputs.slice(Math.ceil(countedInputs.length / 2)),
] as const

/** The counts stand in two tables beside each other. */
function countTable(page: ReportPage, names: readonly CountedInput[], counts: Readonly<Record<CountedInput, number>>): Html {
  const { t } = page
  return html`<table class="counts">
    <thead>
      <tr>
        <th scope="col">${t('report.session.count')}</th>
        <th scope="col" class="figure">${t('report.session.times')}</th>
      </tr>
    </thead>
    <tbody>
      ${names.map(
        (name) =>
          html`<tr>
            <th scope="row">${t(`report.session.count.${name}`)}</th>
            <td class="figure">${page.number(counts[name])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function timelineFacts(page: ReportPage, { facts, timeline }: SessionContent): Html {
  const { t } = page
  const counted = timeline.state === 'read' ? timeline : null
  return html`${page.facts(
      [t('report.session.timeline'), t('report.session.timeline_value', facts.timeline)],
      [t('report.session.head'), html`<code class="hash">${page.text(facts.timeline.head, 80)}</code>`],
    )}
    <p>${t('report.session.timeline_text', { section: page.sectionNumber('verify') })}</p>
    ${
      counted === null
        ? html`<p>${t('report.session.counts_absent')}</p>`
        : html`<div class="count-grid">${halves.map((half) => countTable(page, half, counted.counts))}</div>`
    }
    ${counted !== null && counted.leftOut > 0 && html`<p class="alert">${t('report.session.left_out', { count: counted.leftOut })}</p>`}
    ${counted !== null && counted.unread > 0 && html`<p class="alert">${t('report.session.unread', { count: counted.unread })}</p>`}`
}

function files(page: ReportPage, { facts }: SessionContent): Html {
  const { t } = page
  const { downloads, uploads } = facts
  if (downloads.length + uploads.length === 0) return html`<p>${t('report.session.files_none')}</p>`
  const about = (kind: string, one: { readonly ms: number; readonly name: string; readonly url: string; bytes: number }): Html =>
    html`<b>${kind}</b> <span class="time">${second(one.ms)}</span> ${page.text(one.name, 160)}, ${page.bytes(one.bytes)}<br />${page.url(one.url, 300)}`
  const hash = (sha256: string | null): Html =>
    html`${sha256 !== null && html`<br />SHA-256 <code class="hash">${page.text(sha256, 80)}</code>`}`
  return html`${
    downloads.length > 0 &&
    list(
      page,
      downloads,
      (one) =>
        html`${about(t('report.session.download'), one)}<br />${
            one.path !== null
              ? page.text(t('report.session.kept', { path: one.path }), 300)
              : one.refused === null
                ? t('report.session.not_kept')
                : page.text(t('report.session.refused', { reason: wordsOf(page, 'report.session.refused', one.refused) }), 200)
          }${hash(one.sha256)}`,
    )
  }
  ${uploads.length > 0 && list(page, uploads, (one) => html`${about(t('report.session.upload'), one)}${hash(one.sha256)}`)}`
}

function masked(page: ReportPage, { facts }: SessionContent): Html {
  const { t, content } = page
  const { secrets } = facts
  const withheld = facts.withheld ?? []
  if (secrets.length + withheld.length === 0) return html`<p>${t('report.session.masked_none')}</p>`
  const record = content.pieces.find((piece) => piece.path === maskingPath)
  return html`<p>${t('report.session.masked_intro')}</p>
    ${record !== undefined && html`<p class="annex">${t('report.conditions.annex', { path: record.path })}</p>`}
    ${list(
      page,
      secrets,
      ({ ms, kind, url, masked_in: where }) =>
        html`<b>${t(`report.session.secret.${kind}`)}</b> <span class="time">${second(ms)}</span><br />${page.url(url, 300)}
          ${
            where.length === 0
              ? html`<br />${t('report.session.masked_nowhere')}`
              : where
                  .slice(0, mostRows)
                  .map(({ path, times }) => html`<br />${page.text(t('report.session.masked_in', { path, times }), 300)}`)
          }
          ${where.length > mostRows && html`<br />${t('report.more_rows', { count: where.length - mostRows })}`}`,
    )}
    ${facts.tls_keys !== undefined && html`<p class="note">${t('report.session.keys', facts.tls_keys)}</p>`}
    ${
      withheld.length > 0 &&
      html`<p class="note">${t('report.session.withheld')}</p>
        ${list(
          page,
          withheld,
          ({ path, sha256, bytes }) =>
            html`${page.code(path)}, ${page.bytes(bytes)}<br />SHA-256 <code class="hash">${page.text(sha256, 80)}</code>`,
        )}`
    }`
}

/** What the masking was, of each secret. */
const maskingPath = 'environment/masking.json'

function failures(page: ReportPage, { facts }: SessionContent): Html {
  const { t } = page
  return facts.crashes.length === 0
    ? html`<p>${t('report.session.crashes_none')}</p>`
    : list(
        page,
        facts.crashes,
        ({ ms, what, recovered }) =>
          html`${t('report.session.crash', {
            at: second(ms),
            what: t(`report.session.crash.${what}`),
            recovered: recovered ? 'yes' : 'no',
          })}`,
      )
}

/** How a live session was held: by what, for how long, what was recorded of it, and who was there. */
export function session(page: ReportPage, held: SessionContent): Html {
  const { t } = page
  const { facts } = held
  const { device } = facts
  return page.section(
    'session',
    html`<p>${t(wasSteered(facts) ? 'report.session.intro' : 'report.session.intro_unsteered')}</p>`,
    page.facts(
      [t('report.session.began'), html`${page.instant(facts.began_at).utc}<br />${page.instant(facts.began_at).paris}`],
      [t('report.session.lasted'), lasting(page, facts.duration_ms)],
      [t('report.session.ended'), t(`report.session.ended.${facts.ended_by}`)],
      [
        t('report.session.device'),
        device.kind === 'desktop'
          ? t('report.session.desktop')
          : page.text(
              t('report.session.mobile', {
                name: device.name,
                width: page.number(device.width),
                height: page.number(device.height),
              }),
              200,
            ),
      ],
    ),
    html`<h3>${t('report.session.video_title')}</h3>
      ${video(page, held)}`,
    html`<h3>${t('report.session.timeline_title')}</h3>
      ${timelineFacts(page, held)}`,
    html`<h3>${t('report.session.people_title')}</h3>
      ${people(page, held)}`,
    html`<h3>${t('report.session.masked_title')}</h3>
      ${masked(page, held)}`,
    html`<h3>${t('report.session.files_title')}</h3>
      ${files(page, held)}`,
    html`<h3>${t('report.session.crashes')}</h3>
      ${failures(page, held)}`,
  )
}
