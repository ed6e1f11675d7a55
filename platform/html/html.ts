/**
 * Server-side HTML as plain TypeScript. Everything interpolated is escaped unless it is `Html` already, so a template can
 * only leak markup by a visible `trustedHtml`.
 */
const mark: unique symbol = Symbol('html')

export type Html = { readonly [mark]: string }

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For text and for quoted attribute values (HTML Standard §13.3). */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Markup that this program made itself, such as an SVG; never text from outside. */
export function trustedHtml(markup: string): Html {
  return { [mark]: markup }
}

function isHtml(value: object): value is Html {
  return mark in value
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return escapeHtml(String(value))
  if (isHtml(value)) return value[mark]
  return value.map(render).join('')
}

/**
 * ```ts
 * html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 * ```
 * @throws TypeError for a value right after `=`: an attribute without quotes cannot be escaped safely.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let out = strings[0] ?? ''
  values.forEach((value, index) => {
    if (/=\s*$/.test(strings[index] ?? '')) throw new TypeError('an interpolated attribute value needs quotes')
    out += render(value) + (strings[index + 1] ?? '')
  })
  return { [mark]: out }
}

export function htmlToString(value: Html): string {
  return value[mark]
}
