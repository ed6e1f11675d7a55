import { composeMail, type MailPart } from '../../../../platform/mail/compose-mail.ts'
import type { MailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { sendOnce, type NoticeDeps } from '../../../../platform/mail/notice.ts'
import { createMessages, type MessageId } from '../../../../platform/messages/messages.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import { findReachable, type Notified } from '../../../account/server/index.ts'
import { documentWords } from '../document/words/document-words.ts'
import { localeOf } from '../invoice/document-store.ts'
import { findOpenNotice, noteSubject, type BillingNotice, type NoticeKind } from '../notice/notice-store.ts'
import { findAddressee, findUserOf } from './mail-store.ts'
import { sayNotice, type Saying } from './say-notice.ts'

export type BillingMailDeps = Omit<NoticeDeps, 'secret'> & {
  /** Whether payments move no money: each mail says so. */
  readonly testPayments: boolean
}

/** Longest name in a mail, in characters. */
const longestName = 100
/** Where one does something about it. */
const pages: Readonly<Partial<Record<NoticeKind, string>>> = {
  renewal_near: 'subscription',
  cancelled: 'subscription',
  vat_checked: 'profile',
}

/** Sends the mail of one line, unless it is settled, or what happened since has made it pointless. */
export async function sendBillingNotice(deps: BillingMailDeps, id: string): Promise<void> {
  const notice = await findOpenNotice(deps.db, id)
  if (notice === null) return
  const mail = await mailOf(deps, notice)
  if (mail !== null) await noteSubject(deps.db, id, mail.subject)
  await sendOnce(deps, { table: 'billing_notice', ...notice }, mail)
}

/** What somebody whose account is no more is still told, at the address that his invoices have: what was issued to him, what went back to him. */
const toldFormer: readonly NoticeKind[] = ['invoice_issued', 'refunded']

async function findFormer({ db }: BillingMailDeps, { kind, told }: BillingNotice): Promise<Notified | null> {
  const invoiceId = told['invoice_id']
  const found = toldFormer.includes(kind) && typeof invoiceId === 'string' ? await findAddressee(db, invoiceId) : null
  return found === null ? null : { address: found.email, name: found.name, locale: localeOf(found), brand: 'probant' }
}

/** Nothing ends these mails: they are about what is owed. */
async function mailOf(deps: BillingMailDeps, notice: BillingNotice): Promise<Mail | null> {
  const userId = await findUserOf(deps.db, notice.customerId)
  const ended = userId === null
  const to = ended ? await findFormer(deps, notice) : await findReachable(deps.db, userId)
  if (to === null) return null
  const saying = await sayNotice({ ...deps, now: deps.clock.now() }, notice, documentWords(to.locale))
  if (saying === null) return null
  return writeBillingMail({ ...deps, brand: deps.mailBrand?.(to.brand) ?? null }, { to, saying, ended, kind: notice.kind })
}

/** @param about.ended whether his account is no more */
export function writeBillingMail(
  deps: Pick<BillingMailDeps, 'publicUrl' | 'testPayments'> & { readonly brand: MailBrand | null },
  about: { readonly to: Notified; readonly saying: Saying; readonly ended: boolean; readonly kind: NoticeKind },
): Mail {
  const { brand } = deps
  const { to, saying, ended, kind } = about
  const messages = createMessages(to.locale)
  const say = (name: string) => messages.format(`billing.mail.${name}` as MessageId, saying)
  const page = pages[kind] ?? 'invoice'
  const parts: MailPart[] = [
    { text: messages.format('billing.mail.hello', { name: plainText(to.name, longestName) }) },
    ...(deps.testPayments ? [{ text: say('test') }] : []),
    { text: say(`${kind}.${ended ? 'ended' : 'text'}`) },
    ...(ended
      ? [{ text: say('ended') }]
      : [{ link: `${brand?.publicUrl ?? deps.publicUrl}/${to.locale}/account/${page}/`, label: say(`link_${page}`) }]),
  ]
  const foot = [{ text: say(ended ? 'why_ended' : 'why') }]
  return composeMail({ to: to.address, locale: to.locale, subject: say(`${kind}.subject`), parts, brand, foot })
}
