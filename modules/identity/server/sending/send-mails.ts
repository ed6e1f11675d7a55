import { composeMail, type MailPart } from '../../../../platform/mail/compose-mail.ts'
import { createMessages, type Messages } from '../../../../platform/messages/messages.ts'
import { findAddress, findPrimaryAddress } from '../people/address-store.ts'
import type { IdentityJobDeps } from '../people/deps.ts'
import type { Notice } from '../mails/mail-jobs.ts'
import { findOwnApiKey } from '../api-keys/key-store.ts'
import { mailedCode, mailedToken } from '../guard/keyed-hash.ts'
import { findSessionById, type SessionRow } from '../sessions/session-store.ts'
import { findMailedToken } from '../mails/token-store.ts'
import { findUser, type User } from '../people/user-store.ts'

/** Where he signs in: at his partner's, where he is one's. */
function page(deps: IdentityJobDeps, user: User, path: string): string {
  const { publicUrl, entry } = deps.mailBrand?.(user.brand) ?? { publicUrl: deps.publicUrl, entry: 'authentication' }
  return `${publicUrl}/${user.locale}/${entry}/${path}`
}
const text = (messages: Messages, ...[id, values]: Parameters<Messages['format']>): MailPart => ({
  text: messages.format(id, values),
})

async function send(
  deps: IdentityJobDeps,
  user: User,
  to: string,
  messages: Messages,
  subject: Parameters<Messages['format']>[0],
  parts: readonly MailPart[],
): Promise<void> {
  const brand = deps.mailBrand?.(user.brand) ?? null
  const { service } = placeOf(deps, user, messages)
  await deps.mailer.send(
    composeMail({ to, locale: messages.locale, subject: messages.format(subject, { service }), parts, brand }),
  )
}

/** Which service it is, by the name that the reader knows it by and by where it is: he may have asked for it a day ago, or never. */
function placeOf(deps: IdentityJobDeps, user: User, messages: Messages): { service: string; host: string } {
  const brand = deps.mailBrand?.(user.brand) ?? null
  const { publicUrl } = brand ?? deps
  return { service: brand?.name[messages.locale] ?? messages.format('ui.product'), host: new URL(publicUrl).host }
}

/** Beside UTC, whose reader may be anywhere, where most readers are: nobody without an account has said in which zone he lives. */
const parisTime = (at: Date, locale: Messages['locale']): string =>
  at.toLocaleTimeString(locale === 'fr' ? 'fr-FR' : 'en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', minute: '2-digit' })

/**
 * To a mailbox that nobody has proven to be his: nothing in it was chosen by whoever asked for it, no name above all, so that it
 * carries no stranger's words (decision 0244).
 */
export async function sendConfirmation(deps: IdentityJobDeps, tokenId: string): Promise<void> {
  const token = await findMailedToken(deps.db, tokenId)
  const entry = token?.emailId == null ? null : await findAddress(deps.db, token.emailId)
  const user = entry === null ? null : await findUser(deps.db, entry.userId)
  if (token === null || entry === null || user === null || token.usedAt !== null || entry.verifiedAt !== null) return
  const messages = createMessages(user.locale)
  const isNew = user.status === 'unconfirmed'
  const link = page(deps, user, `confirm-email/${mailedToken(deps.secret, tokenId)}/`)
  const at = entry.createdAt
  await send(
    deps,
    user,
    entry.address,
    messages,
    isNew ? 'identity.mail.confirm_account_subject' : 'identity.mail.confirm_address_subject',
    [
      text(messages, isNew ? 'identity.mail.confirm_account' : 'identity.mail.confirm_address', {
        at,
        ...placeOf(deps, user, messages),
        paris: parisTime(at, messages.locale),
      }),
      ...(token.codeHash === null
        ? []
        : [text(messages, 'identity.mail.confirm_code'), { code: mailedCode(deps.secret, tokenId) }]),
      { link, label: messages.format('identity.mail.confirm_link') },
      text(messages, 'identity.mail.confirm_not_me'),
    ],
  )
}

/** X-06, told to the owner alone. */
export async function sendAddressTaken(deps: IdentityJobDeps, emailId: string): Promise<void> {
  const entry = await findAddress(deps.db, emailId)
  const user = entry?.verifiedAt == null ? null : await findUser(deps.db, entry.userId)
  if (entry === null || user === null) return
  const messages = createMessages(user.locale)
  await send(deps, user, entry.address, messages, 'identity.mail.taken_subject', [
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
  const messages = createMessages(user.locale)
  const link = page(deps, user, `reset-password/${user.id}/${mailedToken(deps.secret, tokenId)}/`)
  await send(deps, user, entry.address, messages, 'identity.mail.reset_subject', [
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
  if (key === null || key.expiresAt <= deps.clock.now()) return
  const messages = createMessages(user.locale)
  const { publicUrl } = deps.mailBrand?.(user.brand) ?? deps
  await send(deps, user, to, messages, 'identity.mail.api_key_ending_subject', [
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
  const messages = createMessages(user.locale)
  const session = told.sessionId === undefined ? null : await findSessionById(deps.db, told.sessionId, told.userId)
  const { publicUrl } = deps.mailBrand?.(user.brand) ?? deps
  const suspended = [
    text(messages, 'identity.mail.suspended_sales'),
    text(messages, 'identity.mail.suspended_object'),
    { link: `${publicUrl}/${user.locale}/support/`, label: messages.format('identity.mail.support') },
  ]
  const signIn = { link: page(deps, user, 'login/'), label: messages.format('identity.mail.sign_in') }
  await send(deps, user, entry.address, messages, `identity.mail.${told.notice}_subject`, [
    text(messages, 'identity.mail.hello', { name: user.firstName }),
    text(messages, `identity.mail.${told.notice}`, { at: told.at }),
    ...(session === null ? [] : [text(messages, 'identity.mail.from_where', whereOf(messages, session))]),
    ...(byStaff.has(told.notice) ? [] : [text(messages, 'identity.mail.notice_not_me')]),
    ...(told.notice === 'suspended' ? suspended : [signIn]),
  ])
}

function whereOf(messages: Messages, { browser, network }: SessionRow): { browser: string; network: string } {
  return { browser: browser === '' ? messages.format('identity.mail.unknown_browser') : browser, network }
}
