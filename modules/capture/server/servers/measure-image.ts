import { createHash } from 'node:crypto'
import { access, constants, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  imageListPath,
  readImageList,
  writeImageList,
  type ImageMeasurement,
  type ListedFile,
} from '../../domain/servers/image-files.ts'
import { createFileHashes } from './hash-files.ts'

/** What container engines lay into the root of each container. */
const ofEngines: readonly string[] = ['.dockerenv', 'run/.containerenv']
const mostNamed = 20
/** Files read at a time. */
const atATime = 16

/**
 * Measures the image that this process runs from: reads each file that the image lists, and looks for others beside them. Later calls read
 * again what the file system says has changed. Mounts are no part of an image.
 * @returns null where no list of an image is: the process does not run from one
 */
export function createImageMeasurement(options: {
  readonly digestAsStated: string | null
  readonly now: () => string
  /** Of the file system; `/` unless told. */
  readonly root?: string
  readonly mounts?: string
  /** Whether this user may read a file: what it may not read, it can neither run nor load, and no list has it. */
  readonly mayRead?: (path: string) => Promise<boolean>
}): () => Promise<ImageMeasurement | null> {
  const { root = '/', mounts = '/proc/self/mountinfo', mayRead = isReadable } = options
  const files = createFileHashes()

  return async () => {
    const text = await readFile(join(root, imageListPath), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    const listed = readImageList(text)
    if (listed === null) throw new Error(`${imageListPath} is no list of an image's files`)
    const changed: string[] = []
    const found: ListedFile[] = []
    let next = 0
    const readOn = async () => {
      for (let i = next++; i < listed.length; i = next++) {
        const each = listed[i]
        if (each === undefined) return
        const sha256 = (await files.hashFile(join(root, each.path))) ?? 'gone'
        found[i] = { sha256, path: each.path }
        if (sha256 !== each.sha256) changed.push(each.path)
      }
    }
    await Promise.all(Array.from({ length: atATime }, readOn))
    const own = new Set([...listed.map(({ path }) => path), imageListPath.slice(1), ...ofEngines])
    const added: string[] = []
    for (const path of await listOthers(root, own, await mountPoints(mounts)))
      if (await mayRead(join(root, path))) added.push(path)
    return {
      digest_as_stated: options.digestAsStated,
      list_sha256: sha256Of(text),
      files_sha256: sha256Of(writeImageList(found)),
      files: listed.length,
      changed: changed.toSorted().slice(0, mostNamed),
      added: added.toSorted().slice(0, mostNamed),
      measured_at: options.now(),
    }
  }
}

const isReadable = async (path: string) =>
  await access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

/** Paths of mounts below the root, without the first slash (proc(5): octal escapes). */
async function mountPoints(file: string): Promise<ReadonlySet<string>> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const unescape = (path: string) =>
    path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)))
  return new Set(lines.flatMap((line) => line.split(' ')[4] ?? []).map((path) => unescape(path).slice(1)))
}

/** Regular files that are neither known nor in a mount nor in a folder that this user may not open. */
async function listOthers(root: string, known: ReadonlySet<string>, mounts: ReadonlySet<string>): Promise<readonly string[]> {
  const others: string[] = []
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') return []
      throw error
    })
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (mounts.has(path)) continue
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile() && !known.has(path)) others.push(path)
    }
  }
  await walk('')
  return others
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
