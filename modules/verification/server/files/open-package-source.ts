import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hasher } from '../../domain/hash/running-hash.ts'
import type { PackageSource } from '../../domain/file/package-source.ts'
import type { Readable } from '../../domain/file/readable.ts'

/** More files than this are no package; a folder given by mistake must not take the memory. */
const mostFiles = 100_000

/**
 * Opens a package on disk, ZIP or unpacked folder. Files of a folder are opened when they are read; links are not followed.
 * @throws the error of node:fs when there is nothing to read; RangeError when the folder holds too many files.
 */
export async function openPackageSource(path: string): Promise<{ source: PackageSource; readonly close: () => Promise<void> }> {
  if ((await stat(path)).isDirectory()) {
    const files = await listFiles(path)
    return { source: { kind: 'folder', files }, close: async () => undefined }
  }
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  return {
    source: { kind: 'zip', file: { size, read: (offset, length) => readExactly(handle, offset, length) } },
    close: () => handle.close(),
  }
}

async function listFiles(folder: string): Promise<(Readable & { path: string })[]> {
  const files: (Readable & { path: string })[] = []
  const visit = async (under: string): Promise<void> => {
    for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
      const path = under === '' ? entry.name : `${under}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      else if (files.length === mostFiles) throw new RangeError('too many files')
      else files.push(await fileOf(join(folder, path), path, entry.isFile()))
    }
  }
  await visit('')
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function fileOf(file: string, path: string, isFile: boolean): Promise<Readable & { path: string }> {
  // A link or a device is not a piece: it is listed empty, so that it shows as added or altered.
  const size = isFile ? (await stat(file)).size : 0
  return {
    path,
    size,
    read: async (offset, length) => {
      const handle = await open(file, 'r')
      try {
        return await readExactly(handle, offset, length)
      } finally {
        await handle.close()
      }
    },
  }
}

async function readExactly(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(bytes, at, length - at, offset + at)
    if (bytesRead === 0) throw new RangeError('the file is shorter than it was')
    at += bytesRead
  }
  return bytes
}

/** SHA-256 of the host, about five times as fast as the portable one. */
export function hostSha256(hash = createHash('sha256')): Hasher {
  return {
    update: (bytes) => hash.update(bytes),
    digest: () => new Uint8Array(hash.digest()),
    copy: () => hostSha256(hash.copy()),
  }
}
