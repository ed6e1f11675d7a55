import { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { signerOf, type BackupSecret } from '../pieces/backup-secret.ts'
import type { Decipher } from '../pieces/cipher.ts'
import { sha256 } from '../pieces/piece-store.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import type { TakenAway } from './acts.ts'

const since = z.strictObject({
  acts: z.array(z.strictObject({ number: z.int(), at: z.iso.datetime(), action: z.string(), subject: z.string().nullable() })),
  log: z.strictObject({ first: z.int().min(0), size: z.int(), entries: z.array(z.base64()), checkpoint: z.base64() }).nullable(),
})

export type Since = z.infer<typeof since>

export const sinceName = ({ act, size }: { act: number; size: number }): string =>
  `${String(act).padStart(15, '0')}-${String(size).padStart(15, '0')}`

/** What happened, with the key and the signature of the installation: whoever may only write to the target cannot take anything away. */
export function writeSince(secret: BackupSecret, what: Since): Buffer {
  const text = JSON.stringify(what)
  return Buffer.from(`${text}\n${secret.publicKey}\n${secret.sign(Buffer.from(text))}\n`)
}

/** All that is known of what happened after the backup: once each, in order. */
export type AllSince = {
  readonly acts: readonly TakenAway[]
  /** Entries from the end of the log in the backup on; and the newest checkpoint. Null: the log has not grown. */
  readonly log: { readonly first: number; readonly entries: readonly Buffer[]; readonly checkpoint: Buffer } | null
}

/** @throws DomainError `backup.altered`, `backup.wrong_identity` */
export async function readSince(target: BackupTarget, decipher: Decipher, manifest: Manifest): Promise<AllSince> {
  const names = []
  for await (const { name } of target.list('since')) if (/^\d{15}-\d{15}\.[0-9a-f]{64}$/.test(name)) names.push(name)
  const acts = new Map<number, TakenAway>()
  const first = manifest.log?.size ?? 0
  const entries: Buffer[] = []
  let checkpoint: Buffer | null = null
  for (const name of names.toSorted()) {
    const bytes = await target.read('since', name)
    if (bytes === null || sha256(bytes) !== name.slice(-64)) throw new DomainError('conflict', 'backup.altered', { name })
    const clear = await decipher(bytes)
    if (clear === null) throw new DomainError('conflict', 'backup.wrong_identity', { object: name })
    const said = readOne(clear, manifest.installation)
    if (said === null) throw new DomainError('conflict', 'backup.altered', { name })
    for (const act of said.acts) if (act.number > manifest.database.last_act) acts.set(act.number, act)
    const from = first + entries.length
    if (said.log === null || said.log.size <= from || said.log.first > from) continue
    entries.push(...said.log.entries.slice(from - said.log.first).map((entry) => Buffer.from(entry, 'base64')))
    checkpoint = Buffer.from(said.log.checkpoint, 'base64')
  }
  return {
    acts: [...acts.values()].toSorted((a, b) => a.number - b.number),
    log: checkpoint === null ? null : { first, entries, checkpoint },
  }
}

function readOne(clear: Buffer, installation: string): Since | null {
  const [text = '', key = '', signature = ''] = clear.toString('utf8').split('\n')
  if (signerOf(Buffer.from(text), key, signature) !== installation) return null
  return since.parse(JSON.parse(text))
}

/** Those that no kept backup is before. */
export async function removeOldSince(target: BackupTarget, oldest: Manifest): Promise<void> {
  for await (const { name } of target.list('since')) {
    const [, act = '', size = ''] = /^(\d{15})-(\d{15})\./.exec(name) ?? []
    if (act !== '' && Number(act) <= oldest.database.last_act && Number(size) <= (oldest.log?.size ?? 0))
      await target.remove('since', name)
  }
}
