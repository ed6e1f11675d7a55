import { createHash } from 'node:crypto'
import { defaultLocale } from '../../../../kernel/locale.ts'
import { composeMail, type MailPart } from '../../../../platform/mail/compose-mail.ts'
import type { MailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import type { SupportJobDeps } from '../requests/deps.ts'
import { findMessage, findRequest, listAttachments, type KeptMessage, type KeptRequest } from '../requests/request-store.ts'
import { findReader } from './reader-store.ts'

type MailDeps = Pick<SupportJobDeps, 'db' | 'mailer' | 'publicUrl' | 'mailBrand' | 'supportAddress'>
export type Found = { readonly request: KeptRequest; readonly message: KeptMessage; readonly brand: MailBrand | null }

/** Null: it was deleted meanwhile, and there is nothing to say. */
async function find(deps: MailDeps, messageId: string): Promise<Found | null> {
  const message = await findMessage(deps.db, messageId)
  const request = message === null ? null : await findRequest(deps.db, message.requestId, 'anybody')
  if (message === null || request === null) return null
  const reader = request.userId === null ? null : await findReader(deps.db, request.userId)
  return { request, message, brand: reader === null ? null : (deps.mailBrand?.(reader.brand) ?? null) }
}

/** As it was written: each paragraph by itself. */
const paragraphs = (text: string): MailPart[] => text.split(/\n{2,}/).map((each) => ({ text: each }))

/** Where it is followed, for who has a box; elsewhere where one writes again. */
function placeOf(deps: Pick<MailDeps, 'publicUrl'>, { request, brand }: Found, label: { box: string; form: string }): MailPart {
  const site = `${brand?.publicUrl ?? deps.publicUrl}/${request.locale}/support`
  return request.userId === null
    ? { link: `${site}/?about=${request.reference}`, label: label.form }
    : { link: `${site}/requests/${request.id}/`, label: label.box }
}

/** To the address that was typed: answers go where their sender asked for them. */
export async function confirmRequest(deps: MailDeps, messageId: string): Promise<void> {
  const found = await find(deps, messageId)
  if (found !== null) await deps.mailer.send(writeReceipt(deps, found))
}

export function writeReceipt(deps: Pick<MailDeps, 'publicUrl'>, found: Found): Mail {
  const { request, message, brand } = found
  const messages = createMessages(request.locale)
  const values = { name: request.name, reference: request.reference, title: request.title }
  const parts: MailPart[] = [
    // Whoever typed somebody else's address has nothing of his own sent there: neither a name, nor a line.
    ...(request.userId === null
      ? [{ text: messages.format('support.mail.received', values) }]
      : [
          { text: messages.format('support.mail.hello', values) },
          { text: messages.format('support.mail.received', values) },
          { text: messages.format('support.mail.quoted', values) },
          ...paragraphs(message.text),
          placeOf(deps, found, { box: messages.format('support.mail.see'), form: messages.format('support.mail.again') }),
        ]),
    { text: messages.format('support.mail.not_you') },
  ]
  const subject = messages.format('support.mail.received_subject', values)
  const mail = composeMail({ to: request.email, locale: request.locale, subject, parts, brand })
  return { ...mail, once: { id: message.id, at: message.createdAt } }
}

/** In the operator's own box there is one mail of each message too: a name that follows from it, and is not that of the other. */
function operatorsId(messageId: string): string {
  const hex = createHash('sha256').update(`support.tell_operator ${messageId}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

export async function tellOperator(deps: MailDeps, messageId: string): Promise<void> {
  const found = deps.supportAddress === null ? null : await find(deps, messageId)
  if (found === null || deps.supportAddress === null) return
  const files = await listAttachments(deps.db, [found.message.id])
  await deps.mailer.send(writeForOperator({ ...deps, supportAddress: deps.supportAddress }, found, files))
}

/** In the installation's first language, whoever wrote. */
export function writeForOperator(
  deps: Pick<MailDeps, 'publicUrl'> & { readonly supportAddress: string },
  { request, message }: Pick<Found, 'request' | 'message'>,
  files: readonly { readonly name: string }[],
): Mail {
  const messages = createMessages(defaultLocale)
  const { name, email, reference, title } = request
  const parts: MailPart[] = [
    { text: messages.format('support.mail.operator', { name, email, reference, title }) },
    ...paragraphs(message.text),
    ...(files.length === 0
      ? []
      : [{ text: messages.format('support.mail.files', { names: files.map((file) => file.name).join(', ') }) }]),
    { link: `${deps.publicUrl}/${defaultLocale}/admin/support/${request.id}/`, label: messages.format('support.mail.answer_it') },
  ]
  const subject = messages.format('support.mail.operator_subject', { reference, title })
  const mail = composeMail({ to: deps.supportAddress, locale: defaultLocale, subject, parts })
  return { ...mail, once: { id: operatorsId(message.id), at: message.createdAt } }
}

export async function sendAnswer(deps: MailDeps, messageId: string): Promise<void> {
  const found = await find(deps, messageId)
  if (found !== null) await deps.mailer.send(writeAnswer(deps, found))
}

export function writeAnswer(deps: Pick<MailDeps, 'publicUrl'>, found: Found): Mail {
  const { request, message, brand } = found
  const messages = createMessages(request.locale)
  const values = { name: request.name, reference: request.reference, title: request.title }
  const parts: MailPart[] = [
    { text: messages.format('support.mail.hello', values) },
    { text: messages.format('support.mail.answer', values) },
    ...paragraphs(message.text),
    placeOf(deps, found, { box: messages.format('support.mail.see'), form: messages.format('support.mail.again') }),
  ]
  const subject = messages.format('support.mail.answer_subject', values)
  const mail = composeMail({ to: request.email, locale: request.locale, subject, parts, brand })
  return { ...mail, once: { id: message.id, at: message.createdAt } }
}
