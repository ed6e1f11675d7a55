import { type Html, html } from '../../../../platform/html/html.ts'
import type { ReportPage } from '../page/report-page.ts'

export function pieces(page: ReportPage): Html {
  const { t, content } = page
  const list = content.pieces
  return page.section(
    'pieces',
    html`<p>${t('report.pieces.intro', { count: list.length })}</p>`,
    html`${list.some((piece) => piece.role === 'tls_keys') && html`<p class="alert">${t('report.pieces.keys')}</p>`}`,
    html`<table class="pieces">
      <thead>
        <tr>
          <th scope="col">${t('report.pieces.path')}, SHA-256</th>
          <th scope="col" class="figure">${t('report.pieces.bytes')}</th>
        </tr>
      </thead>
      <tbody>
        ${list.map(
          (piece) =>
            html`<tr>
              <td>
                <b class="path">${piece.path}</b> <span class="role">${t(`report.role.${piece.role}`)}</span><br /><code
                  class="hash"
                  >${piece.sha256}</code
                >
              </td>
              <td class="figure">${page.number(piece.bytes)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  )
}
