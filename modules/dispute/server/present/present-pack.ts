import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { readPayer } from '../../../account/server/index.ts'
import { sealedPiecesOf } from '../../../evidence/server/index.ts'
import { identityStatusOf } from '../../../review/server/index.ts'
import { lacks, type DisputePack, type Lack } from '../../contract/packs.ts'
import { missingIn, placeholders, readLetter, type Placeholder } from '../../domain/letter.ts'
import type { DisputeDeps } from '../keep/deps.ts'
import { ownReport } from '../keep/own-report.ts'
import { findPack, type KeptPack } from '../keep/pack-store.ts'
import { disputeWords, placeholderNames } from './dispute-words.ts'
import { letterTemplate } from './letter-template.ts'

type Deps = Pick<DisputeDeps, 'db' | 'blobs' | 'clock' | 'publicUrl' | 'findSale'>

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
  const identity = await identityLack(db, accountId, deps.clock.now())
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

/** P-13. */
async function identityLack(db: Db, accountId: string, now: Date): Promise<Lack | null> {
  const { state, expiresOn } = await identityStatusOf(db, accountId)
  if (state !== 'success') return 'identity'
  return expiresOn !== null && expiresOn <= now.toISOString().slice(0, 10) ? 'identity_expired' : null
}

/** Name and address as the profile has them, which the identity was verified with. */
async function senderOf(
  db: Db,
  accountId: string,
  tag: string,
): Promise<{ readonly lines: string; readonly person: string; readonly complete: boolean }> {
  const payer = await readPayer(db, accountId)
  if (payer === null) return { lines: '', person: '', complete: false }
  const { values } = payer
  const person = [values.first_name, values.last_name].filter(Boolean).join(' ')
  const place = [values.zip, values.city].filter(Boolean).join(' ')
  const company = values.user_type === 'legal' ? values.company_name : ''
  const country = values.country ? new Intl.DisplayNames(tag, { type: 'region' }).of(values.country) : ''
  const lines = [company, person, values.address, place, country].filter(Boolean).join('\n')
  return { lines, person, complete: payer.missing.length === 0 }
}
