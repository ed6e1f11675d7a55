import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import {
  type Blocks,
  code,
  facts as rows,
  flatten,
  heading,
  lineBreak,
  paragraph,
  soft,
  strong,
} from '../../../../platform/print/document/inlines.ts'
import { actionMark, actionsPath } from '../content/landmarks.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import { reduced } from '../page/pictures.ts'
import type { ReportPage } from '../page/report-page.ts'
import { unused } from './unused.ts'

const redirectRows = 40
const stepRows = 100
const inputRows = 20
/** Of each of two pictures beside each other, in millimetres. */
const pairRoom = { width: 84, height: 70 }

function logLine(page: ReportPage, action: string): Inlines {
  const line = page.content.lines(actionsPath, actionMark(action))
  return line === null ? [] : [' ', soft(page.t('report.annex_line', { path: actionsPath, line: String(line) }))]
}

function bannerWords(page: ReportPage): Blocks {
  const { t, say, content, exhibits, toExhibit } = page
  const { cookie_banner: banner } = content.facts
  if (banner === null) return null
  const before = exhibits.find((one) => one.kind === 'before_banner')
  const after = exhibits.find((one) => one.kind === 'viewport')
  return [
    heading(3, t('report.path.banner')),
    paragraph(t(`report.path.banner.${banner.result}`)),
    rows(
      banner.at === null ? null : [t('report.path.click_at'), page.instant(banner.at).utc],
      banner.text === null ? null : [t('report.path.click_text'), page.text(banner.text, 200)],
      banner.selector === null ? null : [t('report.path.click_selector'), page.code(banner.selector)],
    ),
    before !== undefined &&
      after !== undefined && [
        paragraph(say('report.path.before_after', { before: toExhibit(before.number), after: toExhibit(after.number) })),
        {
          kind: 'columns',
          shares: [50, 50],
          columns: [before, after].map((exhibit) => flatten(reduced(page, exhibit, pairRoom))),
        },
      ],
  ]
}

type Scenario = NonNullable<CaptureFacts['scenario']>

function scenarioWords(page: ReportPage): Blocks {
  const { t, content } = page
  const { scenario } = content.facts
  if (scenario === null) return null
  const steps = scenario.steps.slice(0, stepRows)
  const input = Object.entries(scenario.input ?? {}).slice(0, inputRows)
  return [
    heading(3, t('report.path.scenario')),
    rows(
      [t('report.path.scenario_name'), [page.text(scenario.name[page.locale], 120), ' (', page.code(scenario.id), ')']],
      [t('report.path.scenario_version'), String(scenario.version)],
      [t('report.path.scenario_recipe'), [code(scenario.path), lineBreak, code(scenario.sha256)]],
      input.length === 0
        ? null
        : [
            t('report.path.scenario_input'),
            input.map(([name, value], index) => [index > 0 ? lineBreak : [], page.text(t('report.pair', { name, value }), 270)]),
          ],
    ),
    steps.length === 0
      ? paragraph(t('report.path.no_steps'))
      : { kind: 'list', ordered: true, size: 'small', items: steps.map((step) => stepItem(page, step)) },
    page.more(scenario.steps.length - steps.length),
  ]
}

function stepItem(page: ReportPage, step: Scenario['steps'][number]): readonly Block[] {
  const { t } = page
  const kind = `report.step.${step.kind}`
  const reason = step.reason === undefined ? null : `report.step_reason.${step.reason}`
  return flatten([
    paragraph([
      strong(page.has(kind) ? t(kind) : page.text(step.kind, 40)),
      ` – ${t(`report.step_result.${step.result}`)}`,
      reason === null ? [] : [' (', page.has(reason) ? t(reason) : page.text(step.reason ?? '', 60), ')'],
      ' ',
      soft(page.instant(step.at).utc),
    ]),
    step.target !== null && paragraph(targetWords(page, step.kind, step.target)),
    step.text !== null && paragraph(page.text(t('report.pair', { name: stepText(page, step.count), value: step.text }), 270)),
  ])
}

/** Ends of the page are words; a selector or a figure is printed as the recipe has it. */
function targetWords(page: ReportPage, kind: string, target: string): Inlines {
  const id = `report.scroll.${target}`
  return kind === 'scroll' && page.has(id) ? page.t(id) : page.code(target)
}

/** A step that acted on several elements says how many. */
function stepText({ t, number }: ReportPage, count: number | undefined): string {
  return count === undefined ? t('report.path.click_text') : `${t('report.path.opened')} (${number(count)})`
}

export function path(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { facts, subject } = content
  const shown = facts.redirects.slice(0, redirectRows)
  const left = facts.redirects.length - shown.length
  const dated = (words: string, at: string, action: string): Block =>
    paragraph([strong(words), ' ', soft(page.instant(at).utc), logLine(page, action)])
  return page.section(
    'path',
    paragraph(t('report.path.intro')),
    {
      kind: 'list',
      ordered: true,
      items: [
        [dated(t('report.path.started'), facts.started_at, 'session_started')],
        [dated(t('report.path.asked'), facts.navigated_at, 'navigate'), paragraph(page.url(subject.requested_url))],
        ...shown.map(({ status, url }) => [
          paragraph(strong(t('report.path.redirected', { status: String(status) }))),
          paragraph(page.url(url)),
        ]),
        ...(left > 0 ? [flatten(page.more(left))] : []),
        [
          paragraph(
            strong(
              facts.http_status === null
                ? t('report.path.reached_unknown')
                : t('report.path.reached', { status: String(facts.http_status) }),
            ),
          ),
          paragraph(page.url(subject.final_url)),
        ],
        [dated(t('report.path.finished'), facts.finished_at, 'session_finished')],
      ],
    },
    bannerWords(page),
    scenarioWords(page),
    unused(page),
  )
}
