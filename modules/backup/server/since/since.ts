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

/**
 * What an object is about: after which backup, carried by which data folder, up to which act and size of the log. A restored installation
 * counts its acts on from the backup, as the one that is gone did: by its data folder one tells them apart.
 */
export type SinceName = { readonly backup: string; readonly folder: string; readonly act: number; readonly size: number }

const nameForm = /^(\d{8}T\d{9}Z-[0-9a-f]{8})\.([0-9a-f]{8})\.(\d{15})-(\d{15})\.[0-9a-f]{64}$/

export function writeName({ backup, folder, act, size }: SinceName, hash: string): string {
  return `${backup}.${folder}.${String(act).padStart(15, '0')}-${String(size).padStart(15, '0')}.${hash}`
}

/** Null for what is none of ours. */
export function readName(name: string): SinceName | null {
  const [, backup = '', folder = '', act = '', size = ''] = nameForm.exec(name) ?? []
  return backup === '' ? null : { backup, folder, act: Number(act), size: Number(size) }
}

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

/** Of this backup and of later ones: what was taken away since each. @throws DomainError `backup.altered`, `backup.wrong_identity` */
export async function readSince(target: BackupTarget, decipher: Decipher, manifest: Manifest): Promise<AllSince> {
  const named: { readonly name: string; readonly of: SinceName }[] = []
  for await (const { name } of target.list('since')) {
    const of = readName(name)
    if (of !== null && of.backup >= manifest.id) named.push({ name, of })
  }
  const acts = new Map<string, TakenAway>()
  const first = manifest.log?.size ?? 0
  const entries: Buffer[] = []
  let checkpoint: Buffer | null = null
  for (const { name, of } of named.toSorted((a, b) => a.of.size - b.of.size)) {
    const said = await readObject(target, decipher, manifest, name)
    for (const act of said.acts) acts.set(`${of.folder} ${String(act.number)}`, act)
    const from = first + entries.length
    if (said.log === null || said.log.size <= from || said.log.first > from) continue
    entries.push(...said.log.entries.slice(from - said.log.first).map((entry) => Buffer.from(entry, 'base64')))
    checkpoint = Buffer.from(said.log.checkpoint, 'base64')
  }
  return {
    acts: [...acts.values()].toSorted((a, b) => a.at.localeCompare(b.at) || a.number - b.number),
    log: checkpoint === null ? null : { first, entries, checkpoint },
  }
}

async function readObject(target: BackupTarget, decipher: Decipher, { installation }: Manifest, name: string): Promise<Since> {
  const bytes = await target.read('since', name)
  if (bytes === null || sha256(bytes) !== name.slice(-64)) throw new DomainError('conflict', 'backup.altered', { name })
  const clear = await decipher(bytes)
  if (clear === null) throw new DomainError('conflict', 'backup.wrong_identity', { object: name })
  const said = readOne(clear, installation)
  if (said === null) throw new DomainError('conflict', 'backup.altered', { name })
  return said
}

function readOne(clear: Buffer, installation: string): Since | null {
  const [text = '', key = '', signature = ''] = clear.toString('utf8').split('\n')
  if (signerOf(Buffer.from(text), key, signature) !== installation) return null
  return since.parse(JSON.parse(text))
}

/** Those that no kept backup is before. */
export async function removeOldSince(target: BackupTarget, oldest: Manifest): Promise<void> {
  for await (const { name } of target.list('since')) {
    const of = readName(name)
    if (of !== null && of.backup < oldest.id) await target.remove('since', name)
  }
}
