import { composeMail, type MailPart } from '../../../../platform/mail/compose-mail.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import type { DocumentKind } from '../../domain/identity-document.ts'
import { findDecision, type Decision } from '../documents/decision-store.ts'
import type { ReviewJobDeps } from '../documents/deps.ts'
import { listDocuments } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { findReader, type Reader } from '../documents/user-store.ts'

/** To the person, in his language: accepted, or which document is to be sent again and why. */
export async function sendDecision(
  deps: Pick<ReviewJobDeps, 'db' | 'mailer' | 'publicUrl' | 'mailBrand'>,
  decisionId: string,
): Promise<void> {
  const decision = await findDecision(deps.db, decisionId)
  const reader = decision === null ? null : await findReader(deps.db, decision.userId)
  if (decision === null || reader === null || !decision.final) return
  const documents = await listDocuments(deps.db, decision.userId)
  const kindOf = (documentId: string) => documents.find(({ id }) => id === documentId)?.kind
  const stands = (await findFile(deps.db, decision.userId))?.stands != null
  await deps.mailer.send(writeDecision(deps, reader, { ...decision, kindOf, stands }))
}

/** @param decision.kindOf what kind of document one is; @param decision.stands whether what was accepted before is still in force */
export function writeDecision(
  deps: Pick<ReviewJobDeps, 'publicUrl' | 'mailBrand'>,
  reader: Reader,
  decision: Pick<Decision, 'outcome' | 'verdicts' | 'missing' | 'note'> & {
    readonly kindOf: (documentId: string) => DocumentKind | undefined
    readonly stands: boolean
  },
): Mail {
  const messages = createMessages(reader.locale)
  const accepted = decision.outcome === 'accepted'
  const parts: MailPart[] = [
    { text: messages.format('review.mail.hello', { name: reader.firstName }) },
    { text: messages.format(accepted ? 'review.mail.accepted' : 'review.mail.refused') },
  ]
  for (const { documentId, reason, note } of decision.verdicts) {
    const kind = decision.kindOf(documentId)
    if (reason === null || kind === undefined) continue
    const why = messages.format(`review.reason.${reason}`)
    parts.push({ text: messages.format('review.mail.document', { kind: messages.format(`review.kind.${kind}`), why }) })
    if (note !== null) parts.push({ text: messages.format('review.mail.note', { note }) })
  }
  for (const kind of decision.missing)
    parts.push({
      text: messages.format('review.mail.document', {
        kind: messages.format(`review.kind.${kind}`),
        why: messages.format('review.reason.missing'),
      }),
    })
  if (decision.note !== null) parts.push({ text: messages.format('review.mail.note', { note: decision.note }) })
  if (!accepted) parts.push({ text: messages.format('review.mail.again') })
  if (!accepted && decision.stands) parts.push({ text: messages.format('review.mail.stands') })
  const brand = deps.mailBrand?.(reader.brand) ?? null
  const link = `${brand?.publicUrl ?? deps.publicUrl}/${reader.locale}/account/identity/`
  parts.push({ link, label: messages.format(accepted ? 'review.mail.see' : 'review.mail.redo') })
  const subject = messages.format(accepted ? 'review.mail.accepted_subject' : 'review.mail.refused_subject')
  return composeMail({ to: reader.email, locale: reader.locale, subject, parts, brand })
}
