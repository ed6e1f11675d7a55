import { join } from 'node:path'
import { Client } from 'pg'
import { keptSecret } from '../../../../platform/config/installation-secret.ts'
import { listBackups, readManifest, refuseOthers, type Manifest } from '../manifest/manifest.ts'
import { openBackupSecret } from '../pieces/backup-secret.ts'
import { cipherFor } from '../pieces/cipher.ts'
import { sha256 } from '../pieces/piece-store.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { readName, writeName, writeSince } from './since.ts'
import { readLogSince, readTakenAway } from './since-store.ts'

/** Of a data folder; not in a backup, so that a restored installation has another. */
const folderFile = 'backup-folder'

/**
 * Carries what a restored backup must not undo to where the backups are: what was taken away since the last time, and the entries of the
 * public log with its newest checkpoint. A few kilobytes, every few minutes.
 * @param after the backup that it happened after; the newest unless told. Without any there is nothing to carry it to
 * @returns whether there was anything new
 */
export async function carrySince(
  deps: { readonly databaseUrl: string; readonly dataFolder: string },
  { target, recipients }: { readonly target: BackupTarget; readonly recipients: readonly string[] },
  after?: Manifest,
): Promise<boolean> {
  const secret = openBackupSecret(deps, recipients)
  await refuseOthers(target, secret.installation)
  const backup = after ?? (await newestOf(target))
  if (backup === null) return false
  const folder = sha256(Buffer.from(keptSecret(join(deps.dataFolder, folderFile)))).slice(0, 8)
  const from = await carriedTo(target, backup, folder)
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
    const name = writeName({ backup: backup.id, folder, act: last, size: Math.max(from.size, log?.size ?? 0) }, sha256(bytes))
    await target.write('since', name, bytes)
    return true
  } finally {
    await client.end()
  }
}

export async function newestOf(target: BackupTarget): Promise<Manifest | null> {
  const [newest] = await listBackups(target)
  return newest === undefined ? null : await readManifest(target, newest)
}

/** Up to where this folder carried it already, or the backup reaches. */
async function carriedTo(
  target: BackupTarget,
  { id, database, log }: Manifest,
  folder: string,
): Promise<{ act: number; size: number }> {
  let found = { act: database.last_act, size: log?.size ?? 0 }
  for await (const { name } of target.list('since')) {
    const of = readName(name)
    if (of?.backup !== id || of.folder !== folder) continue
    found = { act: Math.max(found.act, of.act), size: Math.max(found.size, of.size) }
  }
  return found
}
