import { composeMail } from '../../../../platform/mail/compose-mail.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { dayAfter, reminderDays } from '../../domain/renewal.ts'
import type { ReviewJobDeps } from '../documents/deps.ts'
import { changeFile, findFile, listEnding, lockFile, type IdentityFile } from '../documents/file-store.ts'
import { mailEndingJob } from '../documents/jobs.ts'
import { findReader, type Reader } from '../documents/user-store.ts'
import { dayOf } from '../present/read-renewal.ts'

const batch = 100

/** How many mails he should have had by now about the day on which what was accepted ends. */
function remindersBy(file: IdentityFile, today: string): number {
  if (file.endsOn === null || file.state === 'pending') return 0
  return file.endsOn <= today ? 2 : file.endsOn <= dayAfter(today, reminderDays) ? 1 : 0
}

/** Once ahead of that day and once on it, or one alone where both are due. @returns how many are written to */
export async function remindEnding(deps: Pick<ReviewJobDeps, 'db' | 'clock'>): Promise<number> {
  const today = dayOf(deps.clock.now())
  const ending = await listEnding(deps.db, { today, ahead: dayAfter(today, reminderDays) }, batch)
  for (const userId of ending)
    await deps.db.transaction().execute(async (tx) => {
      const file = await lockFile(tx, userId)
      const reminded = file === null ? 0 : remindersBy(file, today)
      if (file === null || reminded <= file.reminded) return
      await changeFile(tx, userId, { reminded })
      await enqueue(tx, mailEndingJob, { user_id: userId })
    })
  return ending.length
}

/** To the person, in his language; not once a new document has come. */
export async function sendEnding(
  deps: Pick<ReviewJobDeps, 'db' | 'mailer' | 'publicUrl' | 'mailBrand' | 'clock'>,
  userId: string,
): Promise<void> {
  const file = await findFile(deps.db, userId)
  const reader = await findReader(deps.db, userId)
  const today = dayOf(deps.clock.now())
  if (file === null || file.endsOn === null || reader === null || remindersBy(file, today) === 0) return
  await deps.mailer.send(writeEnding(deps, reader, file.endsOn, today))
}

/** @param endsOn the day, as `2026-11-24` */
export function writeEnding(
  deps: Pick<ReviewJobDeps, 'publicUrl' | 'mailBrand'>,
  reader: Reader,
  endsOn: string,
  today: string,
): Mail {
  const messages = createMessages(reader.locale)
  const on = new Date(endsOn)
  const when = endsOn < today ? 'ended' : endsOn === today ? 'today' : 'ahead'
  const parts = [
    { text: messages.format('review.mail.hello', { name: reader.firstName }) },
    { text: messages.format(`review.mail.ending.${when}`, { on }) },
    { text: messages.format(when === 'ended' ? 'review.mail.ending.lost' : 'review.mail.ending.kept') },
  ]
  const brand = deps.mailBrand?.(reader.brand) ?? null
  const link = `${brand?.publicUrl ?? deps.publicUrl}/${reader.locale}/account/identity/`
  const subject = messages.format(`review.mail.ending_subject.${when}`, { on })
  const label = messages.format('review.mail.ending.link')
  return composeMail({ to: reader.email, locale: reader.locale, subject, parts: [...parts, { link, label }], brand })
}
