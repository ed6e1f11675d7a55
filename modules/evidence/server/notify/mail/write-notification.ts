import { composeMail, type MailPart } from '../../../../../platform/mail/compose-mail.ts'
import type { MailBrand } from '../../../../../platform/mail/mail-brand.ts'
import type { Mail } from '../../../../../platform/mail/mailer.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../../../platform/messages/messages.ts'
import type { Notified } from '../../../../account/server/index.ts'
import { plainText } from '../../../../../platform/print/hostile-text.ts'

export type Told =
  /** `keptUntil`: when its files go; null: they stay. */
  | { readonly kind: 'report_ready'; readonly keptUntil: Date | null }
  | { readonly kind: 'draft_ending'; readonly until: Date; readonly waits: 'decision' | 'payment' }
  | { readonly kind: 'download_reminder'; readonly until: Date }
  | { readonly kind: 'anchored'; readonly height: number; readonly at: Date; readonly network: 'main' | 'test' }
  | { readonly kind: 'proof_weakening'; readonly until: Date; readonly ended: boolean; readonly anchored: boolean }

/** Longest address, label and name in a mail, in characters. */
const longest = { address: 300, label: 200, name: 100, host: 80 }

/**
 * A mail about one report. Nothing in it comes from the page that was captured, its title least of all: the address is the one that was
 * asked for, and it, the label and names are shown with whatever cannot be seen in them written out.
 */
export function writeNotification(input: {
  readonly to: Notified
  readonly told: Told
  readonly evidence: { readonly requestedUrl: string; readonly label: string }
  /** Who asked for it in the reader's name, or in whose name the reader did. */
  readonly people: { readonly kind: 'made_by' | 'made_for'; readonly name: string } | null
  readonly page: string
  readonly ending: { readonly page: string; readonly oneClick: string }
  readonly brand: MailBrand | null
}): Mail {
  const { to, told, evidence, people } = input
  const messages = createMessages(to.locale)
  const say = (name: string, values: MessageValues = {}) => messages.format(`evidence.mail.${name}` as MessageId, values)
  const { kind } = told
  const values = valuesOf(told, plainText(evidence.requestedUrl, longest.address))
  const parts: MailPart[] = [
    { text: say('hello', { name: plainText(to.name, longest.name) }) },
    { text: say(`${kind}.text`, values) },
  ]
  if (told.kind === 'report_ready' && told.keptUntil !== null)
    parts.push({ text: say('report_ready.kept_until', { until: told.keptUntil }) })
  if (evidence.label !== '') parts.push({ text: say('label', { label: plainText(evidence.label, longest.label) }) })
  if (people !== null) parts.push({ text: say(people.kind, { name: plainText(people.name, longest.name) }) })
  parts.push({ link: input.page, label: say(`${kind}.link`) })
  const mail = composeMail({
    to: to.address,
    locale: to.locale,
    subject: say(`${kind}.subject`, { host: plainText(hostOf(evidence.requestedUrl), longest.host) }),
    parts,
    brand: input.brand,
    foot: [{ text: say('why', { kind }) }, { link: input.ending.page, label: say('end') }],
  })
  return { ...mail, unsubscribe: input.ending.oneClick }
}

function valuesOf(told: Told, address: string): MessageValues {
  switch (told.kind) {
    case 'report_ready':
      return { address }
    case 'draft_ending':
      return { address, until: told.until, waits: told.waits }
    case 'download_reminder':
      return { address, until: told.until }
    case 'anchored':
      return { address, height: String(told.height), at: told.at, network: told.network }
    case 'proof_weakening':
      return { address, until: told.until, ended: told.ended ? 'yes' : 'no', anchored: told.anchored ? 'yes' : 'no' }
    default:
      return told satisfies never
  }
}

/** Of an address that was checked when the capture was asked for: letters, digits, dots, or an IP address. */
function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? ''
}
