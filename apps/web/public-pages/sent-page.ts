/** A page as it is put into the answer. */
export type SentPage = {
  /** What stands in the page until the application does. */
  readonly html: string
  /** Rules for what the kit says of single elements: the policy allows no `style` attribute, but a sheet with the answer's nonce. */
  readonly css: string
}

/**
 * Styles of single elements move to a sheet. What only a script can answer (buttons, what folds) is `inert` until there is one: not
 * reached by a key, not named by a screen reader, not pressed in vain. Links and fields are as good as they look. What is typed leads
 * nowhere before: sent by the browser itself, a password would stand in an address (HTML §4.10.22.3: outside a dialog, this method does nothing).
 * @param drawn as `renderToStaticMarkup` writes it: no text of it holds a quote or an angle bracket
 */
export function toSentPage(drawn: string): SentPage {
  const rules: string[] = []
  const body = drawn.replaceAll(/<style\b[^>]*>[\s\S]*?<\/style>/g, '')
  const html = drawn
    .replaceAll(/<style\b[^>]*>[\s\S]*?<\/style>|<script\b[^>]*>[\s\S]*?<\/script>/g, (element) => {
      const text = element.startsWith('<style') ? element.replaceAll(/<[^>]*>/g, '') : ''
      // The kit's own, for classes that a page may have: those of this one.
      if ([...text.matchAll(/\.([a-z][\w-]*)/g)].some(([, name = '']) => body.includes(name))) rules.push(text)
      return ''
    })
    .replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
      const rule = `[data-of="${rules.length}"][data-of]{${style.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')}}`
      rules.push(rule)
      return ` data-of="${rules.length - 1}"`
    })
    .replaceAll(/<(button|details)\b/g, '<$1 inert')
    .replaceAll(/<form\b(?![^>]*\smethod=)/g, '<form method="dialog"')
  return { html, css: rules.join('\n') }
}
