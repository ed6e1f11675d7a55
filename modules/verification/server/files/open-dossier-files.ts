import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { DossierFile } from '../../domain/dossier/dropped/dossier-units.ts'
import type { HostHashes } from '../../domain/hash/host-hashes.ts'
import { openPackageSource } from './open-package-source.ts'

/**
 * Opens files and folders on disk to be verified together; files of a folder carry its name.
 * @throws the error of node:fs when there is nothing to read; RangeError when a folder holds too many files
 */
export async function openDossierFiles(paths: readonly string[]): Promise<{ files: DossierFile[]; close: () => Promise<void> }> {
  const files: DossierFile[] = []
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const each of closers) await each()
  }
  try {
    for (const path of paths) {
      const name = basename(path) === '' || basename(path) === '.' ? 'folder' : basename(path)
      const isFolder = (await stat(path)).isDirectory()
      const { source, close: closeOne } = await openPackageSource(path)
      closers.push(closeOne)
      if (source.kind === 'folder') {
        for (const file of source.files)
          files.push({ path: `${name}/${file.path}`, size: file.size, read: (at, length) => file.read(at, length) })
      } else if (!isFolder) files.push({ path: name, size: source.file.size, read: (at, length) => source.file.read(at, length) })
    }
  } catch (error) {
    await close()
    throw error
  }
  return { files, close }
}

const hostNames = new Set(['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'ripemd160'])

/** Hashes of the host's own library. */
export const nodeHashes: HostHashes = {
  running: (algorithm) => {
    if (!hostNames.has(algorithm)) return undefined
    const hash = createHash(algorithm)
    return { update: (bytes) => hash.update(bytes), digest: () => new Uint8Array(hash.digest()) }
  },
}
