import { createHash } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import { readPieces, type Manifest } from '../manifest/manifest.ts'
import { openPieces, readContents, readObject } from '../manifest/read-contents.ts'
import type { Decipher } from '../pieces/cipher.ts'
import type { BackupTarget } from '../target/backup-target.ts'

export type Fault = { readonly object: string; readonly code: string }

export type VerifiedBackup = {
  /** Objects that were read whole, and their octets. */
  readonly pieces: number
  readonly bytes: number
  /** What was deciphered and recomputed; null without an identity. */
  readonly opened: { readonly tables: number; readonly rows: number; readonly blobs: number; readonly files: number } | null
  readonly faults: readonly Fault[]
}

/** Every object as it is stored, by the hash in its name; nothing is deciphered. */
export async function verifyStored(
  target: BackupTarget,
  manifest: Manifest,
): Promise<Pick<VerifiedBackup, 'pieces' | 'bytes' | 'faults'>> {
  const faults: Fault[] = []
  const read = { pieces: 0, bytes: 0 }
  for (const { object } of await readPieces(target, manifest)) {
    const fault = await faultOf(object, async () => {
      read.bytes += (await readObject(target, object)).length
      read.pieces += 1
    })
    if (fault !== null) faults.push(fault)
  }
  return { ...read, faults }
}

/** Reads all of a backup, and with an identity recomputes the hash of all that it holds. */
export async function verifyBackup(target: BackupTarget, manifest: Manifest, decipher: Decipher | null): Promise<VerifiedBackup> {
  const stored = await verifyStored(target, manifest)
  if (decipher === null || stored.faults.length > 0) return { ...stored, opened: null }
  const faults: Fault[] = []
  const opened = { tables: 0, rows: 0, blobs: 0, files: 0 }
  for await (const line of readContents(target, decipher, manifest)) {
    if (!('objects' in line)) continue
    const hash = createHash('sha256')
    for await (const chunk of openPieces(target, decipher, line.objects)) hash.update(chunk)
    if (hash.digest('hex') !== line.sha256)
      faults.push({
        object: line.kind === 'file' ? line.path : line.kind === 'table' ? line.name : line.sha256,
        code: 'backup.altered',
      })
    if (line.kind === 'table') opened.rows += line.rows
    opened[`${line.kind}s`] += 1
  }
  return { ...stored, faults, opened }
}

async function faultOf(object: string, read: () => Promise<void>): Promise<Fault | null> {
  try {
    await read()
    return null
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { object, code: error.code }
  }
}
