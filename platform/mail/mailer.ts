import { randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Locale } from '../../kernel/locale.ts'
import type { Config } from '../config/config.ts'

export type Mail = {
  /** One address, without name. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly locale: Locale
  /** Shown instead of the name in MAIL_FROM; the address stays the one that this installation may send from. */
  readonly senderName?: string
  /**
   * Of one that may be sent twice because nobody knows whether it was: both have the same Message-ID, by which mailboxes show them as
   * one (RFC 5322 §3.6.4), and are one file. A UUID, and when it was asked for.
   */
  readonly once?: { readonly id: string; readonly at: Date }
  /** Address that mail programs call to end mails of this kind (RFC 2369, RFC 8058). */
  readonly unsubscribe?: string
}

export type Mailer = {
  /** Resolves once the server, or the folder, has taken it. @throws RangeError on an address or subject that is none */
  send(mail: Mail): Promise<void>
  close(): void
}

/** RFC 5321 §4.5.3.1.3 bounds a path at 256 octets with its angle brackets. */
const longestAddress = 254

/**
 * A header is a line: whoever gets a line break into an address or a subject writes headers of his own. The address is one
 * plain mailbox; lists, names, comments and quoted forms (RFC 5322 §3.4) have no place here.
 */
function assertPlain(mail: Mail): void {
  const { to, subject } = mail
  if (to.length > longestAddress || !/^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(to)) {
    throw new RangeError('a mail goes to one plain address')
  }
  if (subject.length > 250 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject))
    throw new RangeError('a subject is one line of at most 250 characters')
  if (mail.senderName !== undefined && !/^[^\p{C}\p{Zl}\p{Zp}<>"]{1,100}$/u.test(mail.senderName))
    throw new RangeError('the name of a sender is one plain line')
  if (mail.once !== undefined && !/^[0-9a-f-]{36}$/.test(mail.once.id)) throw new RangeError('the id of a mail is a UUID')
  if (mail.unsubscribe !== undefined && !/^https?:\/\/[!-;=?-~]{1,900}$/.test(mail.unsubscribe))
    throw new RangeError('the address that ends mails is no plain address')
}

/** Of `Name <address>`, or of an address alone. */
const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from

/** Part of a Message-ID after the @: the domain that mails come from. */
function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}

function messageOf(mail: Mail, from: string) {
  assertPlain(mail)
  const headers = {
    'Content-Language': mail.locale,
    // RFC 3834: out-of-office programs do not answer.
    'Auto-Submitted': 'auto-generated',
    ...(mail.unsubscribe === undefined
      ? {}
      : { 'List-Unsubscribe': `<${mail.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
  return {
    from: mail.senderName === undefined ? from : { name: mail.senderName, address: addressOf(from) },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers,
    ...(mail.once === undefined ? {} : { messageId: `<${mail.once.id}@${domainOf(from)}>`, date: mail.once.at }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** SMTP when configured; otherwise each mail is a file `<time>-<id>.eml` in the data folder. */
export function createMailer(config: Pick<Config, 'mail'>): Mailer {
  const { smtpUrl, from, folder } = config.mail
  return smtpUrl === undefined ? folderMailer(from, folder) : smtpMailer(from, smtpUrl)
}

function transportTo(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password never travels in clear: with one, STARTTLS is required, except on the machine itself.
    requireTLS: !secure && username !== '' && !/^(?:127\.|localhost$|\[::1\]$)/.test(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
  })
}

/** Greets the server, over TLS and with the password where there is one, and sends nothing. @throws Error with what it answers */
export async function greetMailServer(url: string): Promise<void> {
  const transport = transportTo(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function smtpMailer(from: string, url: string): Mailer {
  const transport = transportTo(url)
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail, from))
    },
    close: () => transport.close(),
  }
}

function folderMailer(from: string, folder: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from))
      if (!Buffer.isBuffer(message)) throw new Error('the mail was not composed')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { id, at } = mail.once ?? { id: randomUUID(), at: new Date() }
      const name = `${at.toISOString().replaceAll(/[:.]/g, '-')}-${id}.eml`
      const partial = join(folder, `.${randomUUID()}.eml`)
      const file = await open(partial, 'wx', 0o600)
      try {
        await file.writeFile(message)
      } finally {
        await file.close()
      }
      await rename(partial, join(folder, name))
    },
    close: () => transport.close(),
  }
}
