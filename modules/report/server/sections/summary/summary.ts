import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { facts as rows, flatten, heading, paragraph, strong } from '../../../../../platform/print/document/inlines.ts'
import { wasSteered } from '../../content/session-facts.ts'
import type { SessionContent } from '../../content/report-content.ts'
import type { ReportPage } from '../../page/report-page.ts'
import { lasting } from '../../words/session-words.ts'
import { thumbnail } from '../cover.ts'
import { weakBox } from './weak.ts'
import { whenRows, whoseWord } from './whose-word.ts'

/** Of the window on this page, in millimetres. */
const glanceRoom = { width: 62, height: 42 }

const verdictTones = { good: 'good', doubtful: 'doubtful', poor: 'bad' } as const

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

/** How far the images show the page, in the words of the checks that ran. */
function qualityWords(page: ReportPage): Inlines {
  const { t, say, content, toSection } = page
  const { session } = content
  const { quality, completeness } = content.facts
  const { coverage } = quality
  return [
    {
      kind: 'toned',
      tone: verdictTones[quality.verdict],
      of: say(`report.quality.${quality.verdict}`, { section: toSection('warnings') }),
    },
    // Of a session it is the last of many pages.
    session === null ? ` ${t('report.quality.coverage', { percent: coverage.percent, height: coverage.page_height })}` : '',
    ' ',
    completeness.state === 'complete'
      ? t('report.summary.complete')
      : say('report.summary.incomplete', { count: completeness.losses.length, section: toSection('network') }),
  ]
}

/** What was asked for, what came, and what it looked like. */
function seen(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { facts, subject, session } = content
  // A session has more to say on its page: two lines for an address, with the words that say that it is cut.
  const address = (url: string): Inlines => page.url(url, url.length <= 80 ? 80 : 50)
  const shown = rows(
    [t('report.summary.requested'), address(subject.requested_url)],
    [
      t(session === null ? 'report.summary.final' : 'report.session.last_address'),
      subject.final_url === subject.requested_url ? t('report.summary.same') : address(subject.final_url),
    ],
    [
      t(session === null ? 'report.summary.page_title' : 'report.session.last_title'),
      facts.title.trim() === '' ? t('report.untitled') : page.text(facts.title, 64),
    ],
    [
      t('report.summary.status'),
      facts.http_status === null
        ? t('report.not_measured')
        : t('report.summary.status_value', { status: String(facts.http_status) }),
    ],
    ...(session === null ? [] : sessionRows(page, session)),
    [t(session === null ? 'report.summary.quality' : 'report.session.quality'), qualityWords(page)],
  )
  return [
    heading(3, t('report.seen.title')),
    {
      kind: 'columns',
      shares: [174 - glanceRoom.width - 6, glanceRoom.width],
      columns: [[{ ...shown, look: 'dense' }], flatten(thumbnail(page, glanceRoom))],
    },
  ]
}

/** What it is worth, and how whoever doubts it can see for himself. */
function worthBox({ t, say, toSection, content }: ReportPage): readonly Block[] {
  const { session } = content
  const steered = session !== null && wasSteered(session.facts)
  return [
    heading(3, t('report.summary.establishes')),
    paragraph(t(steered ? 'report.session.establishes_yes' : 'report.summary.establishes_yes')),
    paragraph(t(session === null ? 'report.summary.establishes_no' : 'report.session.establishes_no')),
    paragraph([strong(t('report.summary.check')), ' ', say('report.summary.check_how', { section: toSection('verify') })]),
  ]
}

/** One page that a judge may read alone: what was seen, when, on whose word, what is weak in it, what it is worth, how to check. */
export function summary(page: ReportPage): readonly Block[] {
  return page.section(
    'summary',
    paragraph(leadOf(page), 'lead'),
    seen(page),
    whenRows(page),
    whoseWord(page),
    { kind: 'boxes', boxes: [weakBox(page)] },
    { kind: 'boxes', boxes: [worthBox(page)] },
  )
}
