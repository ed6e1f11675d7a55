import type { Locale } from '../../kernel/locale.ts'
import { html, htmlToString, trustedHtml, type Html } from '../html/html.ts'
import { createMessages } from '../messages/messages.ts'
import type { MailBrand } from './mail-brand.ts'
import type { Mail } from './mailer.ts'

export type MailPart =
  | { readonly text: string }
  /** A link on a line of its own; its address is shown too, for programs that do not follow links. */
  | { readonly link: string; readonly label: string }
  /** What is read and typed elsewhere. */
  | { readonly code: string }

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif'

/**
 * All colours stand here, none beside the words: a program that reads no style sheet shows its own, which can be read too, and one that is
 * dark darkens the page and its words together.
 */
const colours = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{background:#fbfaf7;color:#16202b}
a{color:#0f5e63}
.soft{color:#55606b}
@media (prefers-color-scheme:dark){
body{background:#12181f;color:#ece9e2}
a{color:#7fd0d4}
.soft{color:#a9b2ba}
}`

/** The end of an address stays together: a line with its last stroke alone looks as if it were none of it. */
const lastOfAddress = /[^/?&=-]{1,24}\/?$/

/** @param alone it is the one thing to do here, and easily hit by a thumb; its line has the colour of its words */
function toHtml(part: MailPart, alone: boolean): Html {
  if ('text' in part) return html`<p style="margin:0 0 16px">${part.text}</p>`
  if ('code' in part)
    return html`<p style="margin:0 0 16px;font:600 28px ui-monospace,monospace;letter-spacing:4px">${part.code}</p>`
  const button =
    'display:inline-block;margin:8px 0 12px;padding:10px 20px;border:2px solid;border-radius:6px;text-decoration:none;'
  const end = lastOfAddress.exec(part.link)?.[0] ?? ''
  return html`<p style="margin:0 0 16px">
    <a href="${part.link}" style="${alone ? button : ''}font-weight:600">${part.label}</a><br />
    <span class="soft" style="font-size:14px"
      >${part.link.slice(0, part.link.length - end.length)}<span style="white-space:nowrap">${end}</span></span
    >
  </p>`
}

function toText(part: MailPart): string {
  if ('text' in part) return part.text
  return 'code' in part ? `    ${part.code}` : `${part.label}\n${part.link}`
}

/** A mail of the product in plain text and in simple HTML that loads nothing. Whatever comes from people is escaped. */
export function composeMail(input: {
  readonly to: string
  readonly locale: Locale
  readonly subject: string
  readonly parts: readonly MailPart[]
  /** Of the account it is about (decision 0276): his name at its head and foot, in words, since a picture would have to be fetched. */
  readonly brand?: MailBrand | null
  /** Below the rest: how these mails are ended. */
  readonly foot?: readonly MailPart[]
}): Mail {
  const { to, locale, subject, parts, brand = null, foot = [] } = input
  const messages = createMessages(locale)
  const links = parts.filter((part) => 'link' in part).length
  const name = brand?.name[locale] ?? null
  const help = brand?.support ?? null
  const sign = [
    name === null ? messages.format('ui.product') : messages.format('ui.brand.signature', { brand: name }),
    ...(help === null ? [] : [messages.format('ui.brand.support', { address: help })]),
  ]
  const page = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
          ${trustedHtml(colours)}
        </style>
      </head>
      <body style="margin:24px;max-width:600px;overflow-wrap:anywhere;font-size:16px;line-height:1.5;${font}">
        ${name !== null && html`<p style="margin:0 0 24px;font-size:20px;font-weight:600">${name}</p>`}
        ${parts.map((part) => toHtml(part, links === 1))}
        <p class="soft" style="margin:32px 0 16px">${sign.map((line, i) => html`${i > 0 && html`<br />`}${line}`)}</p>
        ${foot.length > 0 && html`<div class="soft" style="font-size:14px">${foot.map((part) => toHtml(part, false))}</div>`}
      </body>
    </html> `
  const above = name === null ? '' : `${name}\n\n`
  const below = [sign.join('\n'), ...foot.map(toText)].join('\n\n')
  return {
    to,
    locale,
    subject,
    text: `${above}${parts.map(toText).join('\n\n')}\n\n-- \n${below}\n`,
    html: htmlToString(page),
    ...(brand === null ? {} : { senderName: brand.sender[locale] }),
  }
}
