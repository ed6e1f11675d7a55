import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { namingOf, readPayer } from '../../../account/server/index.ts'
import { sealedPiecesOf } from '../../../evidence/server/index.ts'
import { changedSinceSent, hasEnded, identityStatusOf } from '../../../review/server/index.ts'
import { lacks, type DisputePack, type Lack } from '../../contract/packs.ts'
import { missingIn, placeholders, readLetter, type Placeholder } from '../../domain/letter.ts'
import type { DisputeDeps } from '../keep/deps.ts'
import { ownReport } from '../keep/own-report.ts'
import { findPack, type KeptPack } from '../keep/pack-store.ts'
import { disputeWords, placeholderNames } from './dispute-words.ts'
import { letterTemplate } from './letter-template.ts'

type Deps = Pick<DisputeDeps, 'db' | 'blobs' | 'clock' | 'secret' | 'publicUrl' | 'findSale'>

const nothing: Omit<KeptPack, 'keptAt'> = {
  recipient: '',
  delayDays: null,
  amountCents: null,
  claim: { en: '', fr: '' },
  letter: { en: null, fr: null },
}

/** As its sender sees it. @throws DomainError `dispute.report_unknown`, `dispute.not_final` */
export async function presentPack(deps: Deps, actor: Pick<Actor, 'accountId'>, id: string, locale: Locale): Promise<DisputePack> {
  const { db } = deps
  const { accountId } = actor
  const report = await ownReport(db, actor, id)
  const exhibits = await sealedPiecesOf(deps, id)
  if (exhibits === null) throw new DomainError('conflict', 'dispute.not_final')
  const found = await findPack(db, { evidenceId: id, accountId })
  const kept = found ?? nothing
  const token = await deps.findSale({ sellerId: accountId, evidenceId: id })
  const words = disputeWords(locale)
  const values: Record<Placeholder, string | null> = {
    address: report.pageUrl,
    captured: words.instant(report.capturedAt.toISOString()).utc,
    report: report.id,
    root: report.seal.root,
    claim: kept.claim[locale] === '' ? null : kept.claim[locale],
    delay: kept.delayDays === null ? null : words.t('dispute.document.days', { count: kept.delayDays }),
    amount:
      kept.amountCents === null
        ? null
        : new Intl.NumberFormat(words.tag, { style: 'currency', currency: 'EUR' }).format(kept.amountCents / 100),
    offer: token === null ? null : `${deps.publicUrl}/${locale}/sale/${token}/`,
  }
  const names = placeholderNames(words)
  const text = kept.letter[locale] ?? letterTemplate(words, values)
  const read = readLetter(text, names)
  const sender = await senderOf(db, accountId, words.tag)
  const lacking = new Set<string>(missingIn(read, values))
  const identity = await identityLack(deps, accountId, sender.named)
  if (identity !== null) lacking.add(identity)
  if (!sender.complete) lacking.add('profile')
  if (kept.recipient === '') lacking.add('recipient')
  if (read.unknown.length > 0) lacking.add('unknown_words')
  return {
    id,
    language: locale,
    page_url: report.pageUrl,
    captured_at: report.capturedAt.toISOString(),
    root: report.seal.root,
    sender: sender.lines,
    signatory: sender.person,
    recipient: kept.recipient,
    claim: kept.claim[locale],
    delay_days: kept.delayDays,
    amount_cents: kept.amountCents,
    letter: { text, own: kept.letter[locale] !== null, unknown: [...read.unknown] },
    placeholders: placeholders.map((each) => ({ id: each, name: names[each], value: values[each] })),
    exhibits: exhibits.map((each) => ({ ...each })),
    lacking: lacks.filter((each) => lacking.has(each)),
    kept_at: found?.keptAt.toISOString() ?? null,
  }
}

/** The day as a letter bears it, `YYYY-MM-DD`: of Paris, as invoices have it. */
export const dayIn = (now: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('Europe/Paris').toPlainDate().toString()

/** P-13: nobody signs with another name than that which he has proven. */
async function identityLack(deps: Deps, accountId: string, named: Sender['named']): Promise<Lack | null> {
  const { state, expiresOn } = await identityStatusOf(deps.db, accountId)
  if (state !== 'success') return 'identity'
  if (hasEnded(expiresOn, dayIn(deps.clock.now()))) return 'identity_expired'
  return (await changedSinceSent(deps, accountId, named)).length > 0 ? 'identity_changed' : null
}

type Sender = {
  readonly lines: string
  readonly person: string
  readonly complete: boolean
  /** What of it says who he is, as it is typed. */
  readonly named: Parameters<typeof changedSinceSent>[2]
}

/** Name and address as the profile has them. */
async function senderOf(db: Db, accountId: string, tag: string): Promise<Sender> {
  const payer = await readPayer(db, accountId)
  if (payer === null) return { lines: '', person: '', complete: false, named: [] }
  const { values } = payer
  const person = [values.first_name, values.last_name].filter(Boolean).join(' ')
  const place = [values.zip, values.city].filter(Boolean).join(' ')
  const company = values.user_type === 'legal' ? values.company_name : ''
  const country = values.country ? new Intl.DisplayNames(tag, { type: 'region' }).of(values.country) : ''
  const lines = [company, person, values.address, place, country].filter(Boolean).join('\n')
  return { lines, person, complete: payer.missing.length === 0, named: namingOf(values) }
}
