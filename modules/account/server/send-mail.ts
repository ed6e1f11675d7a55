import type { Locale } from '../../../kernel/locale.ts'
import { composeMail, type MailPart } from '../../../platform/mail/compose-mail.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../platform/messages/messages.ts'
import { findUndoTokenById } from './closing/closing-store.ts'
import { findAnyDelegation, findDelegationById } from './sharing/delegation-store.ts'
import type { AccountJobDeps } from './people/deps.ts'
import { findInvitation, findMembership } from './sharing/group-store.ts'
import type { MailKind } from './people/jobs.ts'
import { mailedToken } from './people/mailed-token.ts'
import { findPerson, findPersonByAddress, nameOf } from './people/person-store.ts'

export type Facts = {
  readonly to: string
  readonly locale: Locale
  /** Of whose account it is about (decision 0276). */
  readonly brand: string
  readonly values: MessageValues
  /** Path after the language, with its query. */
  readonly link?: string
}
type MailDeps = Pick<AccountJobDeps, 'db' | 'clock' | 'secret' | 'mailer' | 'publicUrl' | 'mailBrand'>

const page = '/authentication/'

async function factsOf(deps: MailDeps, kind: MailKind, id: string): Promise<Facts | null> {
  const { db, secret } = deps
  const now = deps.clock.now()
  switch (kind) {
    case 'invitation': {
      const row = await findInvitation(db, { id }, now)
      const inviter = row?.invitedBy == null ? null : await findPerson(db, row.invitedBy)
      const group = inviter === null ? null : await findMembership(db, inviter.id)
      if (row === null || inviter === null || group === null) return null
      const locale = (await findPersonByAddress(db, row.addressKey))?.locale ?? inviter.locale
      const token = mailedToken(secret, 'group_invitation', row.id)
      const values = { name: nameOf(inviter), group: group.name, until: row.expiresAt }
      const { brand } = inviter
      return { to: row.address, locale, brand, values, link: `/by-mail/invitation/?key=${token}` }
    }
    case 'delegation_received':
    case 'delegation_granted': {
      const row = await findDelegationById(db, id, now)
      const grantor = row === null ? null : await findPerson(db, row.grantorId)
      if (row === null || grantor === null) return null
      const values = { name: nameOf(grantor), email: row.address, scope: row.scope, until: row.expiresAt }
      const { brand } = grantor
      if (kind === 'delegation_granted') return { to: grantor.email, locale: grantor.locale, brand, values }
      const locale = (await findPersonByAddress(db, row.addressKey))?.locale ?? grantor.locale
      return { to: row.address, locale, brand, values, link: page }
    }
    case 'delegation_lost':
    case 'delegation_over': {
      const row = await findAnyDelegation(db, id)
      const grantor = row === null ? null : await findPerson(db, row.grantorId)
      if (row === null || grantor === null || !row.ended) return null
      const values = { name: nameOf(grantor), email: row.address }
      const { brand } = grantor
      if (kind === 'delegation_over') return { to: grantor.email, locale: grantor.locale, brand, values }
      const delegate = row.delegateId === null ? null : await findPerson(db, row.delegateId)
      return { to: row.address, locale: delegate?.locale ?? grantor.locale, brand, values }
    }
    case 'closing': {
      const token = await findUndoTokenById(db, id, now)
      const person = token === null ? null : await findPerson(db, token.userId)
      if (person === null || person.eraseAfter === null) return null
      const link = `/by-mail/keep-account/?key=${mailedToken(secret, 'undo_closing', id)}`
      const { email: to, locale, brand } = person
      return { to, locale, brand, values: { name: nameOf(person), until: person.eraseAfter }, link }
    }
    // closing_undone, bank_account_changed, member_removed: of a person
    default: {
      const person = await findPerson(db, id)
      if (person === null) return null
      const { email: to, locale, brand } = person
      return { to, locale, brand, values: { name: nameOf(person) }, link: page }
    }
  }
}

/** What happened since it was asked for may have made it pointless: then none is sent. */
export async function sendMail(deps: MailDeps, kind: MailKind, id: string): Promise<void> {
  const facts = await factsOf(deps, kind, id)
  if (facts === null || facts.to === '') return
  await deps.mailer.send(writeMail(deps, kind, facts))
}

export function writeMail(deps: Pick<MailDeps, 'publicUrl' | 'mailBrand'>, kind: MailKind, facts: Facts): Mail {
  const { to, locale, values, link } = facts
  const messages = createMessages(locale)
  const say = (part: 'subject' | 'text' | 'more' | 'link', given: MessageValues = values) =>
    messages.format(`account.mail.${kind}.${part}` as MessageId, given)
  const has = (part: string) => messages.has(`account.mail.${kind}.${part}`)
  const parts: MailPart[] = [{ text: say('text') }]
  const brand = deps.mailBrand?.(facts.brand) ?? null
  const { publicUrl, entry } = brand ?? { publicUrl: deps.publicUrl, entry: 'authentication' }
  const path = link === page ? `/${entry}/` : link
  if (path !== undefined && has('link')) parts.push({ link: `${publicUrl}/${locale}${path}`, label: say('link') })
  if (has('more')) parts.push({ text: say('more') })
  return composeMail({ to, locale, subject: say('subject'), parts, brand })
}
