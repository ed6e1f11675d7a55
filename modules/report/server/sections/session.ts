import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import {
  type Blocks,
  code,
  facts as rows,
  heading,
  lineBreak,
  paragraph,
  soft,
  strong,
} from '../../../../platform/print/document/inlines.ts'
import { type CountedInput, countedInputs } from '../pieces/read-timeline.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { wasSteered } from '../content/session-facts.ts'
import { lasting, second, wordsOf } from '../words/session-words.ts'
import { people } from './session-people.ts'

const mostRows = 60

function list<T>(page: ReportPage, items: readonly T[], show: (item: T) => Inlines): Blocks {
  return [
    { kind: 'list', ordered: false, size: 'small', items: items.slice(0, mostRows).map((item) => [paragraph(show(item))]) },
    page.more(items.length - mostRows),
  ]
}

function video(page: ReportPage, { facts }: SessionContent): Blocks {
  const { t } = page
  const { video: recorded } = facts
  if (recorded === null) return paragraph(t('report.session.video_absent'))
  const { gaps, sound } = recorded
  const size = t('report.session.size_value', {
    width: page.number(recorded.width),
    height: page.number(recorded.height),
    page: page.number(recorded.page_height),
    codec: recorded.codec,
  })
  return [
    rows(
      [t('report.session.file'), page.code(recorded.path)],
      [t('report.session.length'), lasting(page, recorded.duration_ms)],
      [
        t('report.session.frames'),
        t('report.session.frames_value', { frames: recorded.frames, dropped: recorded.frames_dropped }),
      ],
      [t('report.session.size'), page.text(size)],
      [
        t('report.session.sound'),
        sound === null ? t('report.session.sound_none') : page.text(t('report.session.sound_value', sound), 100),
      ],
      [t('report.session.gaps'), gaps.length === 0 ? t('report.session.gaps_none') : page.number(gaps.length)],
      [t('report.session.chain'), code(recorded.chain.slice(0, 80))],
    ),
    gaps.length > 0 &&
      list(page, gaps, ({ from_ms: from, to_ms: to, reason }) =>
        page.text(
          t('report.session.gap', {
            from: second(from),
            to: second(to),
            reason: wordsOf(page, 'report.session.gap', reason),
          }),
          200,
        ),
      ),
  ]
}

/** The counts stand in two tables beside each other. */
function countTable(
  { t, number }: ReportPage,
  names: readonly CountedInput[],
  counts: Readonly<Record<CountedInput, number>>,
): Block {
  return {
    kind: 'table',
    size: 'small',
    columns: [{ head: t('report.session.count') }, { head: t('report.session.times'), share: 28, figures: true }],
    rows: names.map((name) => [t(`report.session.count.${name}`), number(counts[name])]),
  }
}

const half = Math.ceil(countedInputs.length / 2)
const halves = [countedInputs.slice(0, half), countedInputs.slice(half)] as const

function timelineFacts(page: ReportPage, { facts, timeline }: SessionContent): Blocks {
  const { t, say } = page
  const alert = (text: string): Block => ({ kind: 'callout', tone: 'alert', text })
  return [
    rows(
      [t('report.session.timeline'), t('report.session.timeline_value', facts.timeline)],
      [t('report.session.head'), code(facts.timeline.head.slice(0, 80))],
    ),
    paragraph(say('report.session.timeline_text', { section: page.toSection('verify') })),
    timeline.state === 'read'
      ? [
          { kind: 'columns', shares: [50, 50], columns: halves.map((names) => [countTable(page, names, timeline.counts)]) },
          timeline.leftOut > 0 && alert(t('report.session.left_out', { count: timeline.leftOut })),
          timeline.unread > 0 && alert(t('report.session.unread', { count: timeline.unread })),
        ]
      : paragraph(t('report.session.counts_absent')),
  ]
}

const hashOf = (sha256: string | null): Inlines => (sha256 === null ? [] : [lineBreak, 'SHA-256 ', code(sha256.slice(0, 80))])

function files(page: ReportPage, { facts }: SessionContent): Blocks {
  const { t } = page
  const { downloads, uploads } = facts
  if (downloads.length + uploads.length === 0) return paragraph(t('report.session.files_none'))
  const about = (
    kind: string,
    one: { readonly ms: number; readonly name: string; readonly url: string; bytes: number },
  ): Inlines => [
    strong(kind),
    ' ',
    soft(second(one.ms)),
    ' ',
    page.text(one.name, 160),
    `, ${page.bytes(one.bytes)}`,
    lineBreak,
    page.url(one.url, 300),
  ]
  const whereto = ({ path, refused }: (typeof downloads)[number]): Inlines => {
    if (path !== null) return page.text(t('report.session.kept', { path }), 300)
    if (refused === null) return t('report.session.not_kept')
    return page.text(t('report.session.refused', { reason: wordsOf(page, 'report.session.refused', refused) }), 200)
  }
  return [
    downloads.length > 0 &&
      list(page, downloads, (one) => [about(t('report.session.download'), one), lineBreak, whereto(one), hashOf(one.sha256)]),
    uploads.length > 0 && list(page, uploads, (one) => [about(t('report.session.upload'), one), hashOf(one.sha256)]),
  ]
}

/** What the masking was, of each secret. */
const maskingPath = 'environment/masking.json'

function masked(page: ReportPage, { facts }: SessionContent): Blocks {
  const { t, content } = page
  const { secrets } = facts
  const withheld = facts.withheld ?? []
  if (secrets.length + withheld.length === 0) return paragraph(t('report.session.masked_none'))
  const record = content.pieces.find((piece) => piece.path === maskingPath)
  const note = (text: string): Block => ({ kind: 'callout', tone: 'note', text })
  const where = (places: (typeof secrets)[number]['masked_in']): Inlines =>
    places.length === 0
      ? [lineBreak, t('report.session.masked_nowhere')]
      : [
          places
            .slice(0, mostRows)
            .map(({ path, times }) => [lineBreak, page.text(t('report.session.masked_in', { path, times }), 300)]),
          places.length > mostRows ? [lineBreak, t('report.more_rows', { count: places.length - mostRows })] : [],
        ]
  return [
    paragraph(t('report.session.masked_intro')),
    record !== undefined && paragraph(t('report.conditions.annex', { path: record.path }), 'annex'),
    list(page, secrets, ({ ms, kind, url, masked_in: places }) => [
      strong(t(`report.session.secret.${kind}`)),
      ' ',
      soft(second(ms)),
      lineBreak,
      page.url(url, 300),
      where(places),
    ]),
    facts.tls_keys !== undefined && note(t('report.session.keys', facts.tls_keys)),
    withheld.length > 0 && [
      note(t('report.session.withheld')),
      list(page, withheld, ({ path, sha256, bytes }) => [page.code(path), `, ${page.bytes(bytes)}`, hashOf(sha256)]),
    ],
  ]
}

function failures(page: ReportPage, { facts }: SessionContent): Blocks {
  const { t } = page
  return facts.crashes.length === 0
    ? paragraph(t('report.session.crashes_none'))
    : list(page, facts.crashes, ({ ms, what, recovered }) =>
        t('report.session.crash', {
          at: second(ms),
          what: t(`report.session.crash.${what}`),
          recovered: recovered ? 'yes' : 'no',
        }),
      )
}

/** How a live session was held: by what, for how long, what was recorded of it, and who was there. */
export function session(page: ReportPage, held: SessionContent): readonly Block[] {
  const { t } = page
  const { facts } = held
  const { device } = facts
  const began = page.instant(facts.began_at)
  return page.section(
    'session',
    paragraph(t(wasSteered(facts) ? 'report.session.intro' : 'report.session.intro_unsteered')),
    rows(
      [t('report.session.began'), [began.utc, lineBreak, began.paris]],
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
    heading(3, t('report.session.video_title')),
    video(page, held),
    heading(3, t('report.session.timeline_title')),
    timelineFacts(page, held),
    heading(3, t('report.session.people_title')),
    people(page, held),
    heading(3, t('report.session.masked_title')),
    masked(page, held),
    heading(3, t('report.session.files_title')),
    files(page, held),
    heading(3, t('report.session.crashes')),
    failures(page, held),
  )
}
