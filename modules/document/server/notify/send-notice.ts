import { toHex } from '../../../../kernel/bytes.ts'
import { composeMail, type MailPart } from '../../../../platform/mail/compose-mail.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { sendOnce, type NoticeDeps } from '../../../../platform/mail/notice.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../../platform/messages/messages.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import { endingLinks, findNotified, mayActFor, type Notified } from '../../../account/server/index.ts'
import { anchorNetwork } from '../../../sealing/server/index.ts'
import type { BitcoinNetwork } from '../../../verification/server/index.ts'
import { draftReminderMs } from '../../domain/status.ts'
import { findEndingCopies, type EndingCopy } from './reminder-store.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import { findAnchoredDeposits, findEndingDrafts, findOpenNotice, type DepositNotice } from './notify-store.ts'
import { findWeakDeposits } from './weakening-store.ts'

export type DepositNoticeDeps = NoticeDeps & {
  /** Into which chain the log is anchored; `main` when absent. */
  readonly bitcoinNetwork?: BitcoinNetwork
}

/** Longest name in a mail, in characters. */
const longestName = 100

/** Sends the mail of one line, unless it is settled, or what happened since has made it pointless. */
export async function sendNotice(deps: DepositNoticeDeps, id: string): Promise<void> {
  const notice = await findOpenNotice(deps.db, id)
  if (notice !== null) await sendOnce(deps, { table: 'document_notification', ...notice }, await mailOf(deps, notice))
}

export type Told = {
  readonly values: MessageValues
  readonly category: 'pending' | 'completed'
  /** Deposits that are named, each with a link to its page. */
  readonly named?: readonly EndingCopy[]
}

/** As many are named in one mail; the list has the others. */
const mostNamed = 10

async function mailOf(deps: DepositNoticeDeps, notice: DepositNotice): Promise<Mail | null> {
  const { userId, ownerId, kind } = notice
  const to = await findNotified(deps.db, userId, kind)
  if (to === null) return null
  if (userId !== ownerId && !(await mayActFor(deps.db, userId, ownerId, deps.clock.now()))) return null
  const told = await toldOf(deps, notice)
  if (told === null) return null
  const forWhom = userId === ownerId ? null : ((await findPeople(deps.db, [ownerId])).get(ownerId)?.name ?? '')
  return writeNotice(deps, { to, told, kind, userId, forWhom })
}

/** @param about.forWhom in whose name it was deposited, where that is somebody else's */
export function writeNotice(
  deps: Pick<DepositNoticeDeps, 'publicUrl' | 'secret' | 'mailBrand'>,
  about: {
    readonly to: Notified
    readonly told: Told
    readonly kind: DepositNotice['kind']
    readonly userId: string
    readonly forWhom: string | null
  },
): Mail {
  const { to, told, kind, userId, forWhom } = about
  const messages = createMessages(to.locale)
  const say = (name: string, values: MessageValues = {}) => messages.format(`document.mail.${name}` as MessageId, values)
  const brand = deps.mailBrand?.(to.brand) ?? null
  const publicUrl = brand?.publicUrl ?? deps.publicUrl
  const parts: MailPart[] = [
    { text: say('hello', { name: plainText(to.name, longestName) }) },
    { text: say(`${kind}.text`, told.values) },
  ]
  if (forWhom !== null) parts.push({ text: say('made_for', { name: plainText(forWhom, longestName) }) })
  for (const { documentId, name, sha256, keptUntil } of told.named ?? [])
    parts.push({
      link: `${publicUrl}/${to.locale}/documents/deposit/${documentId}/`,
      label: say(`${kind}.one`, {
        name: name === null ? toHex(sha256).slice(0, 16) : plainText(name, longestName),
        until: keptUntil,
      }),
    })
  if (told.named === undefined || told.values['count'] !== 1)
    parts.push({ link: `${publicUrl}/${to.locale}/documents/${told.category}/`, label: say(`${kind}.link`) })
  const ending = endingLinks({ secret: deps.secret, publicUrl }, { userId, kind, locale: to.locale })
  const mail = composeMail({
    to: to.address,
    locale: to.locale,
    subject: say(`${kind}.subject`, told.values),
    parts,
    brand,
    foot: [{ text: say('why', { kind }) }, { link: ending.page, label: say('end') }],
  })
  return { ...mail, unsubscribe: ending.oneClick }
}

/** What is true now of what the line was written for; null: it is true no more. */
async function toldOf(deps: DepositNoticeDeps, { userId, ownerId, kind, occasion }: DepositNotice): Promise<Told | null> {
  if (kind === 'draft_ending') {
    const now = deps.clock.now()
    const before = new Date(Date.parse(occasion) + draftReminderMs)
    const createdBy = userId === ownerId ? null : userId
    const { count, first } = await findEndingDrafts(deps.db, { ownerId, createdBy }, { now, before })
    return count === 0 || first === null ? null : { values: { count, until: first }, category: 'pending' }
  }
  if (kind === 'download_reminder') {
    const remindedAt = new Date(occasion.split(' ')[1] ?? '')
    const of = { ownerId, createdBy: userId === ownerId ? null : userId }
    const { count, copies } = await findEndingCopies(deps.db, of, { remindedAt, now: deps.clock.now() }, mostNamed)
    const [first] = copies
    return first === undefined ? null : { values: { count, until: first.keptUntil }, category: 'completed', named: copies }
  }
  if (kind === 'proof_weakening') {
    const now = deps.clock.now()
    const of = { ownerId, createdBy: userId === ownerId ? null : userId }
    const { count, ended, anchored, until } = await findWeakDeposits(deps.db, of, { warnedAt: new Date(occasion), now })
    const anchors = anchored === 0 ? 'none' : anchored === count ? 'all' : 'some'
    const values = { count, ended, due: count - ended, until: until ?? now, anchors }
    return count === 0 ? null : { values, category: 'completed' }
  }
  const found = await findAnchoredDeposits(deps.db, ownerId, occasion)
  if (found === null) return null
  const { count, height, header, at } = found
  const network = anchorNetwork({ height, header }, deps.bitcoinNetwork)
  return { values: { count, height: String(height), at, network }, category: 'completed' }
}
