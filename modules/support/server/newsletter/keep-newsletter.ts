import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { WorkOrScore } from '../../../../kernel/work-done.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { csvBeginning, csvRecord } from '../../../../platform/http/answer/csv.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import type { SupportWebDeps } from '../requests/deps.ts'
import { guardStranger, parsedAddress } from '../requests/guard-request.ts'
import { askNewsletterJob } from '../requests/jobs.ts'
import { newsletterKey, readNewsletterKey } from './newsletter-key.ts'
import { askSubscription, confirmSubscription, deleteSubscription, listConfirmed } from './newsletter-store.ts'

type Asked = { readonly email: string; readonly locale: Locale; readonly work?: WorkOrScore | undefined }

/**
 * The first of both consents: the address is asked by mail whether it wants to (H-41). Whoever is on the list already is not told
 * here: that would tell others.
 */
export async function signUp(deps: SupportWebDeps, { work, ...asked }: Asked, block: string | null): Promise<void> {
  if (deps.newsletter.mode !== 'local') throw new DomainError('not_found', 'support.newsletter_off')
  const address = parsedAddress(asked.email)
  await guardStranger(deps, { block, address, asked, work })
  const askedWords = createMessages(asked.locale).format('support.newsletter.consent')
  await deps.db.transaction().execute(async (tx) => {
    const { locale } = asked
    const row = { id: randomUUIDv7(), address: address.address, addressKey: address.key, locale, askedAt: deps.clock.now() }
    const subscription = await askSubscription(tx, { ...row, askedWords })
    if (subscription !== null) await enqueue(tx, askNewsletterJob, { subscription_id: subscription.id })
  })
}

const linkFault = () => new DomainError('invalid', 'support.newsletter_link')

/** @throws DomainError `support.newsletter_link` */
export async function confirm(deps: Pick<SupportWebDeps, 'db' | 'clock' | 'secret'>, key: string): Promise<void> {
  const id = readNewsletterKey(deps.secret, 'confirm', key)
  if (id === null || !(await confirmSubscription(deps.db, id, deps.clock.now()))) throw linkFault()
}

/** @throws DomainError `support.newsletter_link` */
export async function leave(deps: Pick<SupportWebDeps, 'db' | 'secret'>, key: string): Promise<void> {
  const id = readNewsletterKey(deps.secret, 'leave', key)
  if (id === null) throw linkFault()
  await deleteSubscription(deps.db, id)
}

/** The list, for whoever sends: with each address the link that its mails have to carry. */
export async function exportList(
  deps: Pick<SupportWebDeps, 'db' | 'clock' | 'secret' | 'publicUrl'>,
  actor: Actor,
): Promise<string> {
  const rows = await listConfirmed(deps.db)
  await deps.db.transaction().execute(
    async (tx) =>
      await recordAct(tx, deps.clock.now(), {
        action: 'support.exported_newsletter',
        actor,
        subject: null,
        data: { addresses: rows.length },
      }),
  )
  const head = ['address', 'locale', 'asked_at', 'asked_words', 'confirmed_at', 'unsubscribe']
  const lines = rows.map(({ id, address, locale, askedAt, askedWords, confirmedAt }) => [
    address,
    locale,
    askedAt.toISOString(),
    askedWords,
    confirmedAt?.toISOString() ?? '',
    `${deps.publicUrl}/${locale}/support/newsletter/?leave=${newsletterKey(deps.secret, 'leave', id)}`,
  ])
  return csvBeginning + [head, ...lines].map((line) => csvRecord(line)).join('')
}
