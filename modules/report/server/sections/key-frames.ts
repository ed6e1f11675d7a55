import { type Html, html } from '../../../../platform/html/html.ts'
import { numberKeyFrames } from '../content/number-exhibits.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second, wordsOf } from '../words/session-words.ts'

/** A second and why it matters, once for each that the picture stands for. */
function moments(page: ReportPage, shows: readonly { readonly ms: number; readonly reason: string }[]): string {
  const seconds = Map.groupBy(shows, ({ ms }) => second(ms))
  return [...seconds]
    .map(([at, all]) =>
      page.t('report.frames.at', {
        second: at,
        reasons: [...new Set(all.map(({ reason }) => wordsOf(page, 'report.frames.reason', reason)))].join(', '),
      }),
    )
    .join(`${page.t('report.separator')} `)
}

/** Single pictures of the recording, two beside each other, each an exhibit. */
export function keyFrames(page: ReportPage, session: SessionContent): Html {
  const { t, content } = page
  if (session.facts.video === null) return html``
  const numbered = numberKeyFrames(content)
  return html`<div class="exhibit frames">
    <h3>${t('report.frames.title')}</h3>
    ${numbered.length === 0 ? html`<p>${t('report.frames.none')}</p>` : html`<p>${t('report.frames.intro')}</p>`}
    <div class="frame-grid">
      ${numbered.map(({ number, frame }) => {
        const piece = content.pieces.find((one) => one.path === frame.path)
        const [first] = frame.shows
        return html`<figure>
          <img
            src="resources/${frame.name}"
            width="${frame.width}"
            height="${frame.height}"
            alt="${t('report.frames.alt', { second: second(first?.ms ?? 0) })}"
          />
          <figcaption>
            <b>${t('report.exhibits.number', { number })}</b> – ${moments(page, frame.shows)}<span class="source"
              >${frame.path}${piece !== undefined && html` – SHA-256 <code class="hash">${piece.sha256}</code>`}</span
            >
          </figcaption>
        </figure>`
      })}
    </div>
    ${session.keyFramesLeftOut > 0 && html`<p class="left-out">${t('report.frames.left_out', { count: session.keyFramesLeftOut })}</p>`}
  </div>`
}
