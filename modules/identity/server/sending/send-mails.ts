import { composeMail, type MailPart } from '../../../../platform/mail/compose-mail.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { createMessages, type Messages } from '../../../../platform/messages/messages.ts'
import { findAddress, findPrimaryAddress } from '../people/address-store.ts'
import type { IdentityJobDeps } from '../people/deps.ts'
import type { Notice } from '../mails/mail-jobs.ts'
import { findOwnApiKey } from '../api-keys/key-store.ts'
import { mailedCode, mailedToken } from '../guard/keyed-hash.ts'
import { findSessionById, type SessionRow } from '../sessions/session-store.ts'
import { findMailedToken } from '../mails/token-store.ts'
import { findUser, type User } from '../people/user-store.ts'

/** Of the installation, or of a partner's sign. */
type Site = Pick<IdentityJobDeps, 'publicUrl' | 'mailBrand'>
export type Addressee = Pick<User, 'id' | 'firstName' | 'locale' | 'brand'>

/** Where he signs in: at his partner's, where he is one's. */
function page(deps: Site, user: Addressee, path: string): string {
  const { publicUrl, entry } = deps.mailBrand?.(user.brand) ?? { publicUrl: deps.publicUrl, entry: 'authentication' }
  return `${publicUrl}/${user.locale}/${entry}/${path}`
}
const text = (messages: Messages, ...[id, values]: Parameters<Messages['format']>): MailPart => ({
  text: messages.format(id, values),
})

function write(
  deps: Site,
  user: Addressee,
  to: string,
  messages: Messages,
  subject: Parameters<Messages['format']>[0],
  parts: readonly MailPart[],
): Mail {
  const brand = deps.mailBrand?.(user.brand) ?? null
  const { service } = placeOf(deps, user, messages)
  return composeMail({ to, locale: messages.locale, subject: messages.format(subject, { service }), parts, brand })
}

/** Which service it is, by the name that the reader knows it by and by where it is: he may have asked for it a day ago, or never. */
function placeOf(deps: Site, user: Addressee, messages: Messages): { service: string; host: string } {
  const brand = deps.mailBrand?.(user.brand) ?? null
  const { publicUrl } = brand ?? deps
  return { service: brand?.name[messages.locale] ?? messages.format('ui.product'), host: new URL(publicUrl).host }
}

/** Beside UTC, whose reader may be anywhere, where most readers are: nobody without an account has said in which zone he lives. */
function parisTime(at: Date, locale: Messages['locale']): string {
  const time = at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', minute: '2-digit' })
  return locale === 'fr' ? time.replace(':', '\u00a0h\u00a0') : time
}

/** @param tokenId of the link, and of the code where one was made */
export async function sendConfirmation(deps: IdentityJobDeps, tokenId: string): Promise<void> {
  const token = await findMailedToken(deps.db, tokenId)
  const entry = token?.emailId == null ? null : await findAddress(deps.db, token.emailId)
  const user = entry === null ? null : await findUser(deps.db, entry.userId)
  if (token === null || entry === null || user === null || token.usedAt !== null || entry.verifiedAt !== null) return
  const code = token.codeHash === null ? null : mailedCode(deps.secret, tokenId)
  const asked = { isNew: user.status === 'unconfirmed', at: entry.createdAt, token: mailedToken(deps.secret, tokenId), code }
  await deps.mailer.send(writeConfirmation(deps, user, entry.address, asked))
}

/**
 * To a mailbox that nobody has proven to be his: nothing in it was chosen by whoever asked for it, no name above all, so that it
 * carries no stranger's words (decision 0244).
 */
export function writeConfirmation(
  deps: Site,
  user: Addressee,
  to: string,
  asked: { readonly isNew: boolean; readonly at: Date; readonly token: string; readonly code: string | null },
): Mail {
  const { isNew, at, token, code } = asked
  const messages = createMessages(user.locale)
  return write(
    deps,
    user,
    to,
    messages,
    isNew ? 'identity.mail.confirm_account_subject' : 'identity.mail.confirm_address_subject',
    [
      text(messages, isNew ? 'identity.mail.confirm_account' : 'identity.mail.confirm_address', {
        at,
        ...placeOf(deps, user, messages),
        paris: parisTime(at, messages.locale),
      }),
      ...(code === null ? [] : [text(messages, 'identity.mail.confirm_code'), { code }]),
      { link: page(deps, user, `confirm-email/${token}/`), label: messages.format('identity.mail.confirm_link') },
      text(messages, 'identity.mail.confirm_not_me'),
    ],
  )
}

/** X-06, told to the owner alone. */
export async function sendAddressTaken(deps: IdentityJobDeps, emailId: string): Promise<void> {
  const entry = await findAddress(deps.db, emailId)
  const user = entry?.verifiedAt == null ? null : await findUser(deps.db, entry.userId)
  if (entry !== null && user !== null) await deps.mailer.send(writeAddressTaken(deps, user, entry.address))
}

export function writeAddressTaken(deps: Site, user: Addressee, to: string): Mail {
  const messages = createMessages(user.locale)
  return write(deps, user, to, messages, 'identity.mail.taken_subject', [
    text(messages, 'identity.mail.hello', { name: user.firstName }),
    text(messages, 'identity.mail.taken'),
    { link: page(deps, user, 'login/'), label: messages.format('identity.mail.sign_in') },
    text(messages, 'identity.mail.taken_forgot'),
  ])
}

export async function sendReset(deps: IdentityJobDeps, tokenId: string, emailId: string): Promise<void> {
  const token = await findMailedToken(deps.db, tokenId)
  if (token === null || token.usedAt !== null) return
  const user = await findUser(deps.db, token.userId)
  const entry = await findAddress(deps.db, emailId, token.userId)
  if (user === null || entry?.verifiedAt == null) return
  await deps.mailer.send(writeReset(deps, user, entry.address, mailedToken(deps.secret, tokenId)))
}

export function writeReset(deps: Site, user: Addressee, to: string, token: string): Mail {
  const messages = createMessages(user.locale)
  const link = page(deps, user, `reset-password/${user.id}/${token}/`)
  return write(deps, user, to, messages, 'identity.mail.reset_subject', [
    text(messages, 'identity.mail.hello', { name: user.firstName }),
    text(messages, 'identity.mail.reset'),
    { link, label: messages.format('identity.mail.reset_link') },
    text(messages, 'identity.mail.reset_not_me'),
  ])
}

/** What staff did: whoever did not expect it cannot undo it by himself. */
const byStaff: ReadonlySet<Notice> = new Set(['suspended', 'reinstated', 'roles_changed'])

/** A key of his ends: what uses it stops. Nothing is said of one that was revoked meanwhile. */
async function sendKeyEnding(deps: IdentityJobDeps, user: User, to: string, keyId: string): Promise<void> {
  const key = await findOwnApiKey(deps.db, keyId, user.id)
  if (key !== null && key.expiresAt > deps.clock.now()) await deps.mailer.send(writeKeyEnding(deps, user, to, key))
}

export function writeKeyEnding(
  deps: Site,
  user: Addressee,
  to: string,
  key: { readonly name: string; readonly hint: string; readonly expiresAt: Date },
): Mail {
  const messages = createMessages(user.locale)
  const { publicUrl } = deps.mailBrand?.(user.brand) ?? deps
  return write(deps, user, to, messages, 'identity.mail.api_key_ending_subject', [
    text(messages, 'identity.mail.hello', { name: user.firstName }),
    text(messages, 'identity.mail.api_key_ending', { name: key.name, hint: key.hint, at: key.expiresAt }),
    text(messages, 'identity.mail.api_key_ending_next'),
    { link: `${publicUrl}/${user.locale}/account/api-keys/`, label: messages.format('identity.mail.api_keys') },
  ])
}

/** What happened to somebody's account, told where he reads it. */
export async function sendNotice(
  deps: IdentityJobDeps,
  told: {
    readonly userId: string
    readonly notice: Notice
    readonly emailId?: string | undefined
    readonly sessionId?: string | undefined
    readonly apiKeyId?: string | undefined
    readonly at: Date
  },
): Promise<void> {
  const user = await findUser(deps.db, told.userId)
  const entry =
    told.emailId === undefined
      ? await findPrimaryAddress(deps.db, told.userId)
      : await findAddress(deps.db, told.emailId, told.userId)
  if (user === null || entry?.verifiedAt == null) return
  if (told.apiKeyId !== undefined) return await sendKeyEnding(deps, user, entry.address, told.apiKeyId)
  const session = told.sessionId === undefined ? null : await findSessionById(deps.db, told.sessionId, told.userId)
  await deps.mailer.send(writeNotice(deps, user, entry.address, { ...told, session }))
}

export function writeNotice(
  deps: Site,
  user: Addressee,
  to: string,
  told: { readonly notice: Notice; readonly at: Date; readonly session: Pick<SessionRow, 'browser' | 'network'> | null },
): Mail {
  const messages = createMessages(user.locale)
  const { session } = told
  const { publicUrl } = deps.mailBrand?.(user.brand) ?? deps
  const suspended = [
    text(messages, 'identity.mail.suspended_sales'),
    text(messages, 'identity.mail.suspended_object'),
    { link: `${publicUrl}/${user.locale}/support/`, label: messages.format('identity.mail.support') },
  ]
  const signIn = { link: page(deps, user, 'login/'), label: messages.format('identity.mail.sign_in') }
  return write(deps, user, to, messages, `identity.mail.${told.notice}_subject`, [
    text(messages, 'identity.mail.hello', { name: user.firstName }),
    text(messages, `identity.mail.${told.notice}`, { at: told.at }),
    ...(session === null ? [] : [text(messages, 'identity.mail.from_where', whereOf(messages, session))]),
    ...(byStaff.has(told.notice) ? [] : [text(messages, 'identity.mail.notice_not_me')]),
    ...(told.notice === 'suspended' ? suspended : [signIn]),
  ])
}

function whereOf(
  messages: Messages,
  { browser, network }: Pick<SessionRow, 'browser' | 'network'>,
): { browser: string; network: string } {
  return { browser: browser === '' ? messages.format('identity.mail.unknown_browser') : browser, network }
}
