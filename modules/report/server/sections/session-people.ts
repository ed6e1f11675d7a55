import { type Html, html } from '../../../../platform/html/html.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second } from '../words/session-words.ts'

const mostRows = 40

type Span = { readonly from_ms: number; readonly to_ms: number }

function rows<T>(page: ReportPage, items: readonly T[], show: (item: T) => string): Html {
  const left = items.length - mostRows
  return html`${items.slice(0, mostRows).map((item, index) => html`${index > 0 && html`<br />`}${show(item)}`)}${
    left > 0 && html`<br />${page.t('report.more_rows', { count: left })}`
  }`
}

const spanOf = ({ t }: ReportPage, { from_ms, to_ms }: Span): string =>
  t('report.session.span', { from: second(from_ms), to: second(to_ms) })

function witness(page: ReportPage, one: SessionContent['facts']['witnesses'][number]): Html {
  const { t } = page
  const spans = one.watched.slice(0, mostRows).map((span) => spanOf(page, span))
  const left = one.watched.length - spans.length
  const { countersigned } = one
  return html`<li>
    <b>${page.text(one.label, 120)}</b>${
      spans.length > 0 &&
      html` –
      ${t('report.session.witness_watched', { spans: spans.join(`${t('report.separator')} `) })}${
        left > 0 && html` ${t('report.more_rows', { count: left })}`
      }`
    }<br />
    ${
      countersigned === null
        ? t('report.session.witness_unsigned')
        : html`${page.text(
              t('report.session.witness_signed', {
                at: page.instant(countersigned.at).utc,
                second: second(countersigned.ms),
                name: countersigned.name,
              }),
              400,
            )}
            <blockquote>${page.text(countersigned.statement, 4000)}</blockquote>`
    }
  </li>`
}

/** Who steered, when nobody did, and who looked on. */
export function people(page: ReportPage, { facts }: SessionContent): Html {
  const { t } = page
  const { hand_overs: handOvers, absences, witnesses } = facts
  return html`${page.facts(
    [
      t('report.session.hand_overs'),
      handOvers.length === 0
        ? t('report.session.hand_overs_none')
        : rows(page, handOvers, ({ ms, viewer }) => t('report.session.hand_over', { at: second(ms), viewer })),
    ],
    [
      t('report.session.absences'),
      absences.length === 0 ? t('report.session.absences_none') : rows(page, absences, (one) => spanOf(page, one)),
    ],
  )}
  ${
    witnesses.length === 0
      ? html`<p>${t('report.session.witnesses_none')}</p>`
      : html`<h4>${t('report.session.witnesses')}</h4>
          <p class="annex">${t('report.session.witness_note')}</p>
          <ul class="notes compact">
            ${witnesses.slice(0, mostRows).map((one) => witness(page, one))}
          </ul>
          ${witnesses.length > mostRows && html`<p class="left-out">${t('report.more_rows', { count: witnesses.length - mostRows })}</p>`}`
  }`
}
