import { type Html, html, htmlToString } from '../../../platform/html/html.ts'
import { type Language, say, type WordId } from './words.ts'

/** Whom a page answers, and in which language; the other language is one link away. */
export type Asked = { readonly url: URL; readonly language: Language; readonly fields: URLSearchParams | undefined }

const style = `
  *{box-sizing:border-box} body{margin:0;font:1.125rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#f4f4f0}
  .test{background:#5b2a86;color:#fff;padding:.75rem 1rem;font-weight:600}
  main{max-width:34rem;margin:0 auto;padding:1.5rem 1rem} h1{font-size:1.5rem;line-height:1.25}
  dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1.5rem 0} dd{margin:0;font-weight:600;overflow-wrap:anywhere}
  label{display:block;margin-top:1rem;font-weight:600} input{width:100%;font:inherit;padding:.6rem;border:1px solid #595959;border-radius:.25rem}
  .hint{font-weight:400;font-size:1rem;margin:.25rem 0 0} .error{color:#a3000f;font-weight:600;margin:.25rem 0 0}
  button{font:inherit;font-weight:600;min-height:2.75rem;padding:.6rem 1.25rem;margin:1.25rem .75rem 0 0;border-radius:.25rem;border:2px solid #5b2a86;cursor:pointer}
  button.yes{background:#5b2a86;color:#fff} button.no{background:#fff;color:#5b2a86} a{color:#5b2a86}
  :focus-visible{outline:3px solid #c77700;outline-offset:2px} nav{text-align:right;padding:.5rem 1rem}
`

export function page(asked: Asked, title: WordId, body: Html): string {
  const { language } = asked
  const other = new URL(asked.url)
  other.searchParams.set('lang', language === 'en' ? 'fr' : 'en')
  const named = `${say(language, title)} — ${say(language, 'test')}`
  const document = html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${named}</title>
      <link rel="stylesheet" href="/style.css" />
    </head>
    <body>
      <header class="test" id="test-payments">${say(language, 'test')}</header>
      <nav>
        <a href="${other.pathname}${other.search}" hreflang="${language === 'en' ? 'fr' : 'en'}">${say(language, 'language')}</a>
      </nav>
      <main>
        <h1>${say(language, title)}</h1>
        ${body}
        <p>${say(language, 'nothing')}</p>
      </main>
    </body>
  </html>`
  return `<!doctype html>${htmlToString(document)}`
}

export const stylesheet = style

/** Two ways to answer; leaving the page is the third. */
export function question(asked: Asked, title: WordId, agree: WordId, refuse: WordId, facts: Html): string {
  const { language } = asked
  return page(
    asked,
    title,
    html`${facts}
      <form method="post">
        <button class="yes" name="answer" value="agree">${say(language, agree)}</button>
        <button class="no" name="answer" value="refuse">${say(language, refuse)}</button>
      </form>`,
  )
}

export function facts(asked: Asked, told: readonly (readonly [WordId, string])[]): Html {
  return html`<dl>
    ${told.map(
      ([id, value]) =>
        html`<dt>${say(asked.language, id)}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}
