import { z } from 'zod'
import { utf8 } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { defineJob, handle, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { readPublishedKeys, writePublishedKeys, type PublishedKeys } from '../../../verification/server/index.ts'
import { signDetached } from '../signed-data/sign-detached.ts'
import type { Keyring } from '../keyring/signer.ts'
import type { PublicLog } from '../log/public-log.ts'
import type { NoteNames } from '../keyring/note-signer.ts'
import { findLogOrigin, findPublishedKeys, savePublishedKeys } from './published-keys-store.ts'

export type PublishKeysDeps = {
  readonly db: Db
  readonly keyring: Pick<Keyring, 'publishedKeys' | 'signer'>
  readonly clock: Clock
  readonly log: Notes
  readonly names: NoteNames
  /** Whose cosigners are published with the keys. */
  readonly publicLog?: Pick<PublicLog, 'cosigners'>
}

/** The signature's certificate lives for years; a document is signed anew each month, so that it is never found old. */
const renewedAfterMs = 30 * 86_400_000

/**
 * Puts the platform's keys where the processes without keys find them: signed anew when a key was added, retired, or a month has
 * passed; else nothing is written. @returns whether it was.
 */
export async function publishKeys({ db, keyring, clock, log, names, publicLog }: PublishKeysDeps): Promise<boolean> {
  // The log keeps the name of its first leaf, whatever the settings say later.
  const keys = await keyring.publishedKeys({
    ...names,
    log: (await findLogOrigin(db)) ?? names.log,
    cosigners: await publicLog?.cosigners?.(),
  })
  const known = await findPublishedKeys(db)
  const fresh = known !== null && clock.now().getTime() - known.issuedAt.getTime() < renewedAfterMs
  if (fresh && known !== null && sameKeys(known.document, keys)) return false
  const document = writePublishedKeys(keys)
  const issuedAt = new Date(keys.issued_at)
  const signingTime = new Date(Math.floor(issuedAt.getTime() / 1000) * 1000)
  const signature = await signDetached(utf8(document), await keyring.signer('platform'), signingTime)
  await savePublishedKeys(db, { document, signature, issuedAt })
  log.info({ bitcoin: keys.bitcoin.at(-1)?.id, nano: keys.nano.at(-1)?.id }, 'the keys of the platform were published')
  return true
}

function sameKeys(document: string, keys: PublishedKeys): boolean {
  try {
    const { issued_at } = readPublishedKeys(utf8(document))
    return writePublishedKeys({ ...keys, issued_at }) === document
  } catch (error) {
    // Of an older version: written again.
    if (error instanceof RangeError) return false
    throw error
  }
}

export const publishKeysJob = defineJob('sealing.publish_keys', z.object({}).loose())

/** A key that was rotated by hand is published within five minutes. */
export const publishKeysCrontab = `*/5 * * * * ${publishKeysJob.name}`

export function publishKeysHandler(deps: PublishKeysDeps): JobHandler {
  return handle(publishKeysJob, async () => {
    await publishKeys(deps)
  })
}
