import { type Html, html } from '../../../../platform/html/html.ts'
import { actionMark, actionsPath } from '../content/landmarks.ts'
import { reduced } from './cover.ts'
import { unused } from './unused.ts'
import type { ReportPage } from '../page/report-page.ts'

const redirectRows = 40
const stepRows = 100

function logLine(page: ReportPage, action: string): Html {
  const line = page.content.lines(actionsPath, actionMark(action))
  return html`${line !== null && html` <span class="annex">${page.t('report.annex_line', { path: actionsPath, line: String(line) })}</span>`}`
}

function bannerWords(page: ReportPage): Html | null {
  const { t, content, exhibits } = page
  const { cookie_banner: banner } = content.facts
  if (banner === null) return null
  const before = exhibits.find((one) => one.kind === 'before_banner')
  const after = exhibits.find((one) => one.kind === 'viewport')
  return html`<h3>${t('report.path.banner')}</h3>
    <p>${t(`report.path.banner.${banner.result}`)}</p>
    ${page.facts(
      banner.at === null ? null : [t('report.path.click_at'), page.instant(banner.at).utc],
      banner.text === null ? null : [t('report.path.click_text'), page.text(banner.text, 200)],
      banner.selector === null ? null : [t('report.path.click_selector'), page.code(banner.selector)],
    )}
    ${
      before !== undefined &&
      after !== undefined &&
      html`<p>${t('report.path.before_after', { before: before.number, after: after.number })}</p>
        <div class="pairs">${[before, after].map((exhibit) => reduced(page, exhibit))}</div>`
    }`
}

function scenarioWords(page: ReportPage): Html | null {
  const { t, content } = page
  const { scenario } = content.facts
  if (scenario === null) return null
  const steps = scenario.steps.slice(0, stepRows)
  const input = Object.entries(scenario.input ?? {}).slice(0, 20)
  return html`<h3>${t('report.path.scenario')}</h3>
    ${page.facts(
      [t('report.path.scenario_name'), html`${page.text(scenario.name[page.locale], 120)} (${page.code(scenario.id)})`],
      [t('report.path.scenario_version'), String(scenario.version)],
      [t('report.path.scenario_recipe'), html`<code>${scenario.path}</code><br /><code class="hash">${scenario.sha256}</code>`],
      input.length === 0
        ? null
        : [
            t('report.path.scenario_input'),
            html`${input.map(([name, value]) => html`${page.text(t('report.pair', { name, value }), 270)}<br />`)}`,
          ],
    )}
    ${
      steps.length === 0
        ? html`<p>${t('report.path.no_steps')}</p>`
        : html`<ol class="steps compact">
            ${steps.map((step) => {
              const kind = `report.step.${step.kind}`
              const reason = step.reason === undefined ? null : `report.step_reason.${step.reason}`
              return html`<li>
                <b>${page.has(kind) ? t(kind) : page.text(step.kind, 40)}</b> –
                ${t(`report.step_result.${step.result}`)}${
                  reason !== null && html` (${page.has(reason) ? t(reason) : page.text(reason, 60)})`
                }
                <span class="time">${page.instant(step.at).utc}</span>
                ${step.target !== null && html`<p>${targetWords(page, step.kind, step.target)}</p>`}
                ${step.text !== null && html`<p>${page.text(t('report.pair', { name: stepText(page, step.count), value: step.text }), 270)}</p>`}
              </li>`
            })}
          </ol>`
    }
    ${
      scenario.steps.length > steps.length &&
      html`<p class="left-out">${t('report.more_rows', { count: scenario.steps.length - steps.length })}</p>`
    }`
}

/** Ends of the page are words; a selector or a figure is printed as the recipe has it. */
function targetWords(page: ReportPage, kind: string, target: string): Html {
  const id = `report.scroll.${target}`
  return kind === 'scroll' && page.has(id) ? html`${page.t(id)}` : page.code(target)
}

/** A step that acted on several elements says how many. */
function stepText({ t, number }: ReportPage, count: number | undefined): string {
  return count === undefined ? t('report.path.click_text') : `${t('report.path.opened')} (${number(count)})`
}

export function path(page: ReportPage): Html {
  const { t, content } = page
  const { facts, subject } = content
  const shown = facts.redirects.slice(0, redirectRows)
  const left = facts.redirects.length - shown.length
  return page.section(
    'path',
    html`<p>${t('report.path.intro')}</p>`,
    html`<ol class="steps">
      <li>
        <b>${t('report.path.started')}</b>
        <span class="time">${page.instant(facts.started_at).utc}</span>${logLine(page, 'session_started')}
      </li>
      <li>
        <b>${t('report.path.asked')}</b>
        <span class="time">${page.instant(facts.navigated_at).utc}</span>${logLine(page, 'navigate')}
        <p>${page.url(subject.requested_url)}</p>
      </li>
      ${shown.map(
        (redirect) =>
          html`<li>
            <b>${t('report.path.redirected', { status: String(redirect.status) })}</b>
            <p>${page.url(redirect.url)}</p>
          </li>`,
      )}
      ${left > 0 && html`<li class="left-out">${t('report.more_rows', { count: left })}</li>`}
      <li>
        <b
          >${
            facts.http_status === null
              ? t('report.path.reached_unknown')
              : t('report.path.reached', { status: String(facts.http_status) })
          }</b
        >
        <p>${page.url(subject.final_url)}</p>
      </li>
      <li>
        <b>${t('report.path.finished')}</b>
        <span class="time">${page.instant(facts.finished_at).utc}</span>${logLine(page, 'session_finished')}
      </li>
    </ol>`,
    html`${bannerWords(page)} ${scenarioWords(page)} ${unused(page)}`,
  )
}
