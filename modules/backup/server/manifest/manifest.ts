import { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import { signerOf, type BackupSecret } from '../pieces/backup-secret.ts'
import { pieceObject, sha256 } from '../pieces/piece-store.ts'
import type { BackupTarget } from '../target/backup-target.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const object = z.string().regex(pieceObject)
const count = z.int().min(0)

/** The version of the form; one that is higher is of a later version of the program. */
export const backupForm = 1

/** What a backup says of itself in clear: nothing of what it holds but sizes. Signed by the installation. */
const manifestBody = z.strictObject({
  form: z.literal(backupForm),
  id: z.string().regex(/^\d{8}T\d{9}Z-[0-9a-f]{8}$/),
  started_at: z.iso.datetime(),
  /** Of the database's snapshot. */
  taken_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  software: z.string(),
  /** Ed25519, base64. */
  key: z.string(),
  recipients: z.array(z.string()).min(1),
  database: z.strictObject({ migration: z.string(), tables: count, rows: count, last_act: count }),
  /** The newest tree head that the snapshot holds. */
  log: z.strictObject({ size: count, root_hash: hex }).nullable(),
  blobs: z.strictObject({ count, bytes: count, missing: count }),
  with_master_key: z.boolean(),
  /** What the pieces are, itself in pieces. */
  contents: z.array(object).min(1),
  /** Lines of the list `<id>.pieces`. */
  pieces: z.strictObject({ count, bytes: count, sha256: hex }),
})

export type ManifestBody = z.infer<typeof manifestBody>
/** @param installation by whose key it is signed */
export type Manifest = ManifestBody & { readonly installation: string }

export type NamedPiece = { readonly object: string; readonly bytes: number }

const manifestName = (id: string) => `${id}.backup`
const listName = (id: string) => `${id}.pieces`

/** The list first: a backup is one from the moment that its manifest is there. */
export async function writeManifest(
  target: BackupTarget,
  secret: BackupSecret,
  body: Omit<ManifestBody, 'key' | 'form' | 'pieces'>,
  pieces: readonly NamedPiece[],
): Promise<Manifest> {
  const list = Buffer.from(
    pieces
      .map(({ object, bytes }) => `${object} ${String(bytes)}\n`)
      .toSorted()
      .join(''),
  )
  const whole: ManifestBody = {
    form: backupForm,
    ...body,
    key: secret.publicKey,
    pieces: {
      count: pieces.length,
      bytes: pieces.reduce((total, { bytes }) => total + bytes, 0),
      sha256: sha256(list),
    },
  }
  const text = JSON.stringify(whole)
  await target.write('backups', listName(body.id), list)
  await target.write('backups', manifestName(body.id), Buffer.from(`${text}\n${secret.sign(Buffer.from(text))}\n`))
  return { ...whole, installation: secret.installation }
}

/** Ids, the newest first; files of other names are no backups. */
export async function listBackups(target: BackupTarget): Promise<string[]> {
  const ids = []
  for await (const { name } of target.list('backups')) if (name.endsWith('.backup')) ids.push(name.slice(0, -'.backup'.length))
  return ids.toSorted().toReversed()
}

/** @throws DomainError `backup.not_there`, `backup.altered`, `backup.newer_version` */
export async function readManifest(target: BackupTarget, id: string): Promise<Manifest> {
  const bytes = /^[0-9TZa-f-]{1,40}$/.test(id) ? await target.read('backups', manifestName(id)) : null
  if (bytes === null) throw new DomainError('not_found', 'backup.not_there', { id: id.slice(0, 80) })
  const altered = (cause?: unknown) => new DomainError('conflict', 'backup.altered', { name: manifestName(id) }, { cause })
  const [text = '', signature = '', ...rest] = bytes.toString('utf8').split('\n')
  try {
    const said = z.looseObject({ form: z.int(), key: z.string() }).parse(JSON.parse(text))
    const installation = signerOf(Buffer.from(text), said.key, signature)
    if (installation === null || rest.join('') !== '') throw altered()
    if (said.form > backupForm) throw new DomainError('conflict', 'backup.newer_version', { id })
    const body = manifestBody.parse(JSON.parse(text))
    if (body.id !== id) throw altered()
    return { ...body, installation }
  } catch (error) {
    throw error instanceof DomainError ? error : altered(error)
  }
}

/** Two installations never share a target: each would remove the pieces of the other. @throws DomainError `backup.other_installation` */
export async function refuseOthers(target: BackupTarget, installation: string): Promise<void> {
  const [newest] = await listBackups(target)
  if (newest === undefined) return
  const found = await readManifest(target, newest)
  if (found.installation !== installation)
    throw new DomainError('conflict', 'backup.other_installation', { address: target.address, installation: found.installation })
}

/** Every piece that the backup needs. @throws DomainError `backup.altered` */
export async function readPieces(target: BackupTarget, { id, pieces }: Manifest): Promise<NamedPiece[]> {
  const bytes = await target.read('backups', listName(id))
  if (bytes === null || sha256(bytes) !== pieces.sha256)
    throw new DomainError('conflict', 'backup.altered', { name: listName(id) })
  return bytes
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [object = '', size = ''] = line.split(' ')
      return { object, bytes: Number(size) }
    })
}

/** The manifest first: what is half removed is no backup. */
export async function removeBackup(target: BackupTarget, id: string): Promise<void> {
  await target.remove('backups', manifestName(id))
  await target.remove('backups', listName(id))
}
