import { Client } from 'pg'
import { DomainError } from '../../../../kernel/errors.ts'
import { listBackups, readManifest, refuseOthers } from '../manifest/manifest.ts'
import { openBackupSecret } from '../pieces/backup-secret.ts'
import { cipherFor } from '../pieces/cipher.ts'
import { sha256 } from '../pieces/piece-store.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { sinceName, writeSince } from './since.ts'
import { readLogSince, readTakenAway } from './since-store.ts'

/**
 * Carries what a restored backup must not undo to where the backups are: what was taken away since the last time, and the entries of the
 * public log with its newest checkpoint. A few kilobytes, every few minutes. Without any backup there is nothing to carry it to.
 * @returns whether there was anything new
 */
export async function carrySince(
  deps: { readonly databaseUrl: string; readonly dataFolder: string },
  { target, recipients }: { readonly target: BackupTarget; readonly recipients: readonly string[] },
): Promise<boolean> {
  const secret = openBackupSecret(deps, recipients)
  await refuseOthers(target, secret.installation)
  const from = await carriedTo(target)
  if (from === null) return false
  const client = new Client({ connectionString: deps.databaseUrl, application_name: 'probant-carry' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { acts, last } = await readTakenAway(client, from.act)
    const log = await readLogSince(client, from.size)
    const grew = log !== null && log.size > from.size
    if (acts.length === 0 && !grew) return false
    const bytes = await cipherFor(recipients).encipher(
      writeSince(secret, { acts, log: grew ? { first: from.size, ...log } : null }),
    )
    const name = sinceName({ act: last, size: Math.max(from.size, log?.size ?? 0) })
    await target.write('since', `${name}.${sha256(bytes)}`, bytes)
    return true
  } finally {
    await client.end()
  }
}

/** Up to where it was carried already, or the newest backup reaches. */
async function carriedTo(target: BackupTarget): Promise<{ act: number; size: number } | null> {
  const [newest] = await listBackups(target)
  if (newest === undefined) return null
  const { database, log } = await readManifest(target, newest)
  let found = { act: database.last_act, size: log?.size ?? 0 }
  for await (const { name } of target.list('since')) {
    const [, act = '', size = ''] = /^(\d{15})-(\d{15})\./.exec(name) ?? []
    if (act !== '' && Number(act) >= found.act && Number(size) >= found.size) found = { act: Number(act), size: Number(size) }
  }
  if (!Number.isSafeInteger(found.act)) throw new DomainError('conflict', 'backup.altered', { name: newest })
  return found
}
