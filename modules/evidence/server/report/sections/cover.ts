import { type Html, html, trustedHtml } from '../../../../../platform/html/html.ts'
import type { ReportPage } from '../report-page.ts'

/** @param rosette SVG drawn from the root by `sealRosette`. */
export function cover(page: ReportPage, rosette: string): Html {
  const { t, content } = page
  const { subject, facts, seal } = content
  const captured = page.instant(facts.navigated_at)
  const first = seal.timestamps[0]
  const stamped = first === undefined ? null : page.instant(first.gen_time)
  return html`<header class="cover">
    <p class="brand">Probant</p>
    <p class="document">${t('report.document')}</p>
    <h1 class="${facts.title.length > 60 ? 'long' : ''}">
      ${facts.title.trim() === '' ? t('report.untitled') : page.text(facts.title, 160)}
    </h1>
    <p class="address">${page.url(subject.final_url, 400)}</p>
    <div class="plate">
      <div class="rosette">${trustedHtml(rosette)}</div>
      <dl>
        <dt>${t('report.cover.captured')}</dt>
        <dd>${captured.utc}<br />${captured.paris}</dd>
        <dt>${t('report.cover.machine')}</dt>
        <dd>
          ${page.text(facts.machine.hostname, 80)}<br />${page.text(facts.machine.browser, 80)}<br />${page.text(facts.machine.os, 80)}
        </dd>
        ${
          first !== undefined &&
          stamped !== null &&
          html`<dt>${t('report.cover.sealed')}</dt>
            <dd>
              ${stamped.utc}<br />${t('report.cover.sealed_by', {
                authority: first.authority,
                status: first.qualified ? t('report.qualified.yes') : t('report.qualified.no'),
              })}
            </dd>`
        }
        <dt>${t('report.cover.evidence')}</dt>
        <dd><code>${subject.evidence_id}</code></dd>
      </dl>
    </div>
    <p class="root"><span>${t('report.cover.root')}</span><code>${seal.root}</code></p>
    <p class="hint">${t('report.cover.rosette_hint')}</p>
    <p class="nature">${t('report.cover.nature')}</p>
  </header>`
}
