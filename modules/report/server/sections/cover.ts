import { type Html, html, trustedHtml } from '../../../../platform/html/html.ts'
import { askedByWords } from '../page/asked-by-words.ts'
import { operatorWords } from './operator.ts'
import type { ReportPage } from '../page/report-page.ts'
import { wasSteered } from '../content/session-facts.ts'

/** The window as it was, reduced by the printer; the exhibit is the same image at its full size. */
export function thumbnail(page: ReportPage): Html | null {
  // Of a live session, the page that was shown last.
  const all = page.content.session === null ? page.exhibits : page.exhibits.toReversed()
  const exhibit = all.find((one) => one.kind === 'viewport') ?? all.find((one) => one.kind === 'full_page')
  if (exhibit === undefined) return null
  return reduced(page, exhibit)
}

/** The first rows of an exhibit, with its number. */
export function reduced({ t }: ReportPage, exhibit: ReportPage['exhibits'][number]): Html | null {
  const slice = exhibit.picture.sliced.slices[0]
  if (slice === undefined) return null
  return html`<figure>
    <img
      src="resources/${slice.name}"
      width="${slice.width}"
      height="${slice.height}"
      alt="${t('report.cover.thumbnail', { number: exhibit.number })}"
    />
    <figcaption>${t('report.cover.thumbnail', { number: exhibit.number })}</figcaption>
  </figure>`
}

/** @param rosette SVG drawn from the root by `sealRosette`. */
export function cover(page: ReportPage, rosette: string): Html {
  const { t, content } = page
  const { subject, facts, seal, askedBy, session } = content
  const captured = page.instant(session === null ? subject.started_at : session.facts.began_at)
  const first = seal.timestamps[0]
  const stamped = first === undefined ? null : page.instant(first.gen_time)
  const shown = thumbnail(page)
  return html`<header class="cover">
    <p class="brand">Probant</p>
    <p class="document">${t(session === null ? 'report.document' : 'report.session.document')}</p>
    ${content.preview && html`<p class="preview-note">${t('report.preview.note')}</p>`}
    <h1 class="${facts.title.length > 60 ? 'long' : ''}">
      ${facts.title.trim() === '' ? t('report.untitled') : page.text(facts.title, 160)}
    </h1>
    <p class="address">${page.url(subject.final_url, 300)}</p>
    ${shown !== null && html`<div class="shown">${shown}</div>`}
    <div class="plate">
      <div class="rosette">${trustedHtml(rosette)}</div>
      <dl>
        <dt>${t(session === null ? 'report.cover.captured' : 'report.session.began')}</dt>
        <dd>${captured.utc}<br />${captured.paris}</dd>
        ${
          askedBy !== null &&
          html`<dt>${t('report.cover.asked_by')}</dt>
            <dd>${askedByWords(page, askedBy)}</dd>`
        }
        <dt>${t('report.operator')}</dt>
        <dd>${operatorWords(page, 160)}</dd>
        <dt>${t('report.cover.machine')}</dt>
        <dd>
          ${page.text(facts.machine.hostname, 80)}, ${page.text(facts.machine.browser, 80)}, ${page.text(facts.machine.os, 80)}
        </dd>
        ${
          first !== undefined &&
          stamped !== null &&
          html`<dt>${t('report.cover.sealed')}</dt>
            <dd>
              ${stamped.utc}<br />${page.text(
                t('report.cover.sealed_by', {
                  authority: first.authority,
                  status: first.qualified ? t('report.qualified.yes') : t('report.qualified.no'),
                }),
              )}
            </dd>`
        }
        <dt>${t('report.cover.evidence')}</dt>
        <dd><code>${subject.evidence_id}</code></dd>
      </dl>
    </div>
    <p class="root"><span>${t('report.cover.root')}</span><code>${seal.root}</code></p>
    <p class="hint">${t('report.cover.rosette_hint')}</p>
    <p class="nature">${t(session === null || !wasSteered(session.facts) ? 'report.cover.nature' : 'report.session.nature')}</p>
  </header>`
}
