import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { code, facts as rows, flatten, heading, paragraph, strong } from '../../../../platform/print/document/inlines.ts'
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

/** Of the window on this page, in millimetres. */
const glanceRoom = { width: 52, height: 32 }

function conditionsBox(page: ReportPage): readonly Block[] {
  const { t, say, content } = page
  const lines = content.facts.checklist
  const count = (result: string): number => lines.filter((line) => line.result === result).length
  const missed = lines.filter((line) => line.result === 'fail')
  const named = missed
    .slice(0, namedConditions)
    .map((line, index) => [index > 0 ? `${t('report.separator')} ` : [], strong(page.text(titleOfLine(page, line), 45))])
  return flatten([
    heading(3, t('report.summary.conditions')),
    paragraph(
      say('report.summary.conditions_value', {
        pass: count('pass'),
        fail: count('fail'),
        unmeasured: count('not_measured'),
        section: page.toSection('conditions'),
      }),
    ),
    missed.length > 0 &&
      paragraph([
        t('report.summary.not_met'),
        ' ',
        named,
        missed.length > namedConditions ? ` ${t('report.more_rows', { count: missed.length - namedConditions })}` : [],
      ]),
  ])
}

const verdictTones = { good: 'good', doubtful: 'doubtful', poor: 'bad' } as const

function qualityBox(page: ReportPage): readonly Block[] {
  const { t, say, content, toSection } = page
  const { quality, completeness } = content.facts
  const { coverage } = quality
  const section = toSection('warnings')
  return [
    heading(3, t(content.session === null ? 'report.summary.quality' : 'report.session.quality')),
    paragraph({
      kind: 'toned',
      tone: verdictTones[quality.verdict],
      of: say(`report.quality.${quality.verdict}`, { section }),
    }),
    paragraph(
      [
        t('report.quality.coverage', { percent: coverage.percent, height: coverage.page_height }),
        t('report.quality.images', { missing: coverage.missing_images, images: coverage.images }),
      ].join(' '),
    ),
    paragraph(
      completeness.state === 'complete'
        ? t('report.summary.complete')
        : say('report.summary.incomplete', { count: completeness.losses.length, section }),
    ),
    paragraph(say('report.summary.warnings_value', { count: countWarnings(content.facts), section })),
  ]
}

function sealBox(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { seal } = content
  const [first] = seal.timestamps
  return flatten([
    heading(3, t('report.summary.seal')),
    paragraph(code(seal.root)),
    first !== undefined &&
      paragraph([
        `${page.instant(first.gen_time).utc}, `,
        page.text(
          t('report.cover.sealed_by', {
            authority: first.authority,
            status: first.qualified ? t('report.qualified.yes') : t('report.qualified.no'),
          }),
          200,
        ),
      ]),
    seal.timestamps.every((stamp) => stamp.embedded) && paragraph(t('report.summary.embedded_only')),
  ])
}

function checkBox({ t, say, toSection }: ReportPage): readonly Block[] {
  return [
    heading(3, t('report.summary.check')),
    {
      kind: 'list',
      ordered: true,
      items: (['report.summary.check_1', 'report.summary.check_2', 'report.summary.check_3'] as const).map((id) => [
        paragraph(t(id)),
      ]),
    },
    paragraph(say('report.summary.check_more', { section: toSection('verify') })),
  ]
}

/** What was automatic, and what a person did. */
function leadOf({ t, say, instant, toSection, content }: ReportPage): Inlines {
  const { facts, session } = content
  if (session === null) return t('report.summary.lead', instant(facts.navigated_at))
  const at = instant(session.facts.began_at)
  const { video } = session.facts
  if (!wasSteered(session.facts)) return say('report.session.lead_unsteered', { ...at, section: toSection('session') })
  return video !== null && video.sound !== null && video.gaps.length === 0
    ? t('report.session.lead', at)
    : say('report.session.lead_silent', { ...at, section: toSection('session') })
}

function sessionRows(page: ReportPage, { facts }: SessionContent): readonly (readonly [string, Inlines])[] {
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
      page.say('report.session.visit_value', {
        duration: lasting(page, facts.duration_ms),
        ended: t(`report.session.over.${facts.ended_by}`),
        pages: facts.navigations.length,
        section: page.toSection('path'),
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

function glance(page: ReportPage): Block {
  const { t, content } = page
  const { facts, subject, session } = content
  // A session has more to say on its page: two lines for an address, with the words that say that it is cut.
  const address = (url: string): Inlines => page.url(url, session === null ? 110 : url.length <= 92 ? 92 : 60)
  const shown = rows(
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
    [t('report.summary.server'), facts.server_address === null ? t('report.not_measured') : page.code(facts.server_address)],
  )
  return {
    kind: 'columns',
    shares: [116, glanceRoom.width],
    columns: [[{ ...shown, look: 'dense' }], flatten(thumbnail(page, glanceRoom))],
  }
}

function whatWasDone(page: ReportPage): ReturnType<typeof rows> {
  const { t, number, content } = page
  const { facts, pieces, askedBy, session } = content
  const place = facts.server
  const { total, failed, blocked, bytes } = facts.resources
  return rows(
    askedBy === null
      ? null
      : [
          t('report.cover.asked_by'),
          [askedByWords(page, askedBy, summaryName), namesAccounts(askedBy) ? ` ${t('report.asked_by.unverified_short')}` : []],
        ],
    [
      t('report.summary.where'),
      place === null
        ? [page.text(facts.machine.hostname, 80), ` (${t('report.summary.unregistered')})`]
        : [page.text(place.name, 80), ` (${t('report.summary.place')} `, placeOf(page, place), ')'],
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
    [t('report.summary.resources'), t('report.summary.resources_value', { total, failed, blocked, bytes: page.bytes(bytes) })],
    [
      t('report.summary.pieces'),
      t('report.summary.pieces_value', {
        count: pieces.length,
        bytes: page.bytes(pieces.reduce((sum, piece) => sum + piece.bytes, 0)),
      }),
    ],
  )
}

/** One page that a judge may read alone: what, when, where, what was seen, what it is worth, how to check. */
export function summary(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { session } = content
  return page.section(
    'summary',
    paragraph(leadOf(page), 'lead'),
    glance(page),
    { ...whatWasDone(page), look: 'dense' },
    { kind: 'boxes', boxes: [conditionsBox(page), qualityBox(page)] },
    { kind: 'boxes', boxes: [sealBox(page), checkBox(page)] },
    {
      kind: 'boxes',
      boxes: [
        [
          heading(3, t('report.summary.establishes')),
          paragraph(
            t(
              session === null || !wasSteered(session.facts)
                ? 'report.summary.establishes_yes'
                : 'report.session.establishes_yes',
            ),
          ),
          paragraph(t(session === null ? 'report.summary.establishes_no' : 'report.session.establishes_no')),
        ],
      ],
    },
  )
}
