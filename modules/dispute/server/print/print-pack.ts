import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { DisputeDeps } from '../keep/deps.ts'
import { disputeWords } from '../present/dispute-words.ts'
import { presentPack } from '../present/present-pack.ts'
import { composePack, packFileName } from './compose-pack.ts'
import type { Places } from './take-places.ts'

const longestMs = 60_000
const memoryBytes = 512 * 1024 ** 2

export type PrintedPack = { readonly bytes: Buffer; readonly fileName: string }

/** Printed as it is asked for, and kept nowhere. @throws DomainError `dispute.not_ready`, `dispute.busy`, and those of `presentPack` */
export async function printPack(
  deps: DisputeDeps,
  places: Places,
  actor: Pick<Actor, 'accountId'>,
  id: string,
  locale: Locale,
): Promise<PrintedPack> {
  const pack = await presentPack(deps, actor, id, locale)
  if (pack.lacking.length > 0) throw new DomainError('conflict', 'dispute.not_ready', { lacking: pack.lacking.join(', ') })
  const document = composePack(disputeWords(locale), pack, deps.clock.now())
  const bytes = await places.take(
    async () =>
      await deps.typeset(document, {
        folder: join(deps.workFolder, `notice-${randomUUID()}`),
        signal: AbortSignal.timeout(longestMs),
        memoryBytes,
      }),
  )
  return { bytes: Buffer.from(bytes), fileName: packFileName(id, locale) }
}
