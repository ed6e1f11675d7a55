import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../../../../platform/files/hash-file.ts'

/**
 * File systems count time in ticks of some milliseconds: a file that changed this recently could change again unseen, within
 * the tick, and is read again at the next look.
 */
const settledMs = 1_000
/** Bound of what one look may walk through. */
const maxFiles = 20_000

export type FileHashes = {
  /**
   * SHA-256 over `sha256  path\n` of every regular file beneath, in byte order of the paths (as `sha256sum` prints it); null
   * when nothing is there or a file cannot be read. Folders that this user may not open are left out: their names are in `closed`.
   */
  hash(root: string, options?: { readonly accept?: (path: string) => boolean }): Promise<TreeHash | null>
  /** SHA-256 of one regular file; null when it is not there, is none, or cannot be read. */
  hashFile(path: string): Promise<string | null>
}
export type TreeHash = { readonly sha256: string; readonly files: number; readonly closed: readonly string[] }

/**
 * Hashes of files, read again only when the file system says that they changed: device, inode, size, modification and
 * status-change time. The last cannot be set back by utime(2), so that a file that was swapped does not pass as its predecessor.
 */
export function createFileHashes(): FileHashes {
  const known = new Map<string, { readonly key: string; readonly sha256: string }>()
  const trees = new Map<string, { readonly key: string; readonly tree: TreeHash }>()

  async function hashOnce(path: string, { key, settled }: FoundFile): Promise<string> {
    const before = known.get(path)
    if (settled && before?.key === key) return before.sha256
    const sha256 = await hashFile(path)
    known.set(path, { key, sha256 })
    return sha256
  }

  return {
    async hash(root, options = {}) {
      const found = await list(root, options.accept ?? (() => true)).catch(() => null)
      if (found === null || found.files.length === 0) return null
      const key = found.files.map(({ path, key: each }) => `${path}\0${each}`).join('\n')
      const before = trees.get(root)
      if (before?.key === key && found.files.every(({ settled }) => settled)) return before.tree
      const whole = createHash('sha256')
      try {
        for (const each of found.files) whole.update(`${await hashOnce(join(root, each.path), each)}  ${each.path}\n`)
      } catch {
        return null
      }
      const tree = { sha256: whole.digest('hex'), files: found.files.length, closed: found.closed }
      trees.set(root, { key, tree })
      return tree
    },
    async hashFile(path) {
      const found = await look(path, path).catch(() => null)
      return found === null ? null : await hashOnce(path, found).catch(() => null)
    },
  }
}

type FoundFile = { readonly path: string; readonly key: string; readonly settled: boolean }

/** @returns null for what is no regular file. A link counts as what it leads to: that is what runs. */
async function look(file: string, path: string): Promise<FoundFile | null> {
  const info = await stat(file, { bigint: true })
  if (!info.isFile()) return null
  const key = [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(':')
  return { path, key, settled: Date.now() - Number(info.ctimeMs) > settledMs }
}

type Found = { readonly files: FoundFile[]; readonly closed: string[] }

async function list(root: string, accept: (path: string) => boolean): Promise<Found> {
  const found: Found = { files: [], closed: [] }
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (folder === '' || error.code !== 'EACCES') throw error
      found.closed.push(folder)
      return []
    })
    const paths = entries.map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    for (const { path } of paths.filter(({ entry, path: each }) => entry.isDirectory() && accept(each))) await walk(path)
    const files = paths.filter(({ entry, path }) => !entry.isDirectory() && accept(path))
    if (found.files.length + files.length > maxFiles) throw new RangeError(`${root} holds more than ${String(maxFiles)} files`)
    await Promise.all(
      files.map(async ({ path }) => {
        const file = await look(join(root, path), path)
        if (file !== null) found.files.push(file)
      }),
    )
  }
  await walk('')
  found.files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  found.closed.sort()
  return found
}
