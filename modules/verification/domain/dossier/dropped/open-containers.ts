import { equalBytes } from '../../../../../kernel/bytes.ts'
import { fileOfBytes } from './dossier-units.ts'
import type { DossierFile } from './dossier-units.ts'
import { filesOfArchive } from './open-archives.ts'
import { VerificationStopped } from '../../file/readable.ts'
import { readAttachments } from '../../pdf/read-attachments.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { ItemKind } from '../../recognise/recognise.ts'

export type Opened = {
  /** The file itself first, then what is in it, by paths below its own. */
  readonly files: readonly DossierFile[]
  /** Entries and attachments that were not opened. */
  readonly left_out: number
}

/**
 * What is in an archive, and what is attached to a PDF, also to one in an archive; no deeper. What is attached and lies in the archive
 * too, octet for octet by the same name, is one thing.
 */
export async function openContainer(
  file: DossierFile,
  kindOf: (file: DossierFile) => Promise<ItemKind>,
  deps: Pick<VerifyDeps, 'signal'>,
): Promise<Opened> {
  const kind = await kindOf(file)
  if (kind === 'pdf') return await withAttachments(file, [], deps)
  if (kind !== 'archive') return { files: [file], left_out: 0 }
  const files: DossierFile[] = [file]
  const { files: entries, left_out: beyond } = await filesOfArchive(file)
  let leftOut = beyond
  for (const entry of entries) {
    if ((await kindOf(entry)) !== 'pdf') {
      files.push(entry)
      continue
    }
    const opened = await withAttachments(entry, [...entries, ...files], deps)
    files.push(...opened.files)
    leftOut += opened.left_out
  }
  return { files, left_out: leftOut }
}

async function withAttachments(
  file: DossierFile,
  beside: readonly DossierFile[],
  { signal }: Pick<VerifyDeps, 'signal'>,
): Promise<Opened> {
  const { files, left_out: leftOut } = await readAttachments(file, signal).catch((error: unknown) => {
    if (error instanceof VerificationStopped) throw error
    // What cannot be read is said when its turn comes.
    return { files: [], left_out: 0 }
  })
  const out = [file]
  for (const { name, bytes } of files) {
    if (await isAmong(name, bytes, beside)) continue
    out.push(fileOfBytes(`${file.path}/${name}`, bytes))
  }
  return { files: out, left_out: leftOut }
}

async function isAmong(name: string, bytes: Uint8Array, files: readonly DossierFile[]): Promise<boolean> {
  for (const each of files) {
    if (each.size !== bytes.length || baseOf(each.path) !== name) continue
    try {
      if (equalBytes(await each.read(0, each.size), bytes)) return true
    } catch {
      // One that cannot be unpacked is no other.
    }
  }
  return false
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folder, archive or PDF that it lay in; empty for none. */
export function placeOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
