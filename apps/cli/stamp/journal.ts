import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, unlink, type FileHandle } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { forgetContents, type Seen } from './forget-contents.ts'
import { parseJournalLine, type JournalLine } from './journal-lines.ts'
import { createJournalState, type Kept, type Wanted } from './journal-state.ts'

export type Journal = {
  /** By content. */
  readonly wanted: ReadonlyMap<string, Wanted>
  /** By path and content. */
  readonly kept: ReadonlyMap<string, Kept>
  readonly looks: ReadonlyMap<string, { readonly look: string; readonly sha256: string }>
  readonly stems: ReadonlySet<string>
  /** On the disk when it resolves. */
  add(lines: readonly JournalLine[]): Promise<void>
  /** Whether it has so many more lines than at its shortest that it is worth while to write it anew. */
  isLong(): boolean
  /**
   * Writes anew what still matters (forget-contents.ts), beside, and puts it in the place of the former as a whole. For whoever is alone with it.
   * @returns how many contents were forgotten
   */
  shorten(seen: Seen, now: Date): Promise<number>
  close(): Promise<void>
}

/** @param of what tells this journal from others: the server, and the folder that is watched */
export function journalFile(stateFolder: string, ...of: readonly string[]): string {
  const name = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32)
  return join(stateFolder, 'probant', `stamp-${name}.jsonl`)
}

const inText = (lines: readonly JournalLine[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('')
const writtenTogether = 1000

/**
 * @param options.longFrom lines from which it is worth while to write it anew
 * @throws errors of the file system
 */
export async function openJournal(path: string, { longFrom = 10_000 }: { readonly longFrom?: number } = {}): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  let file: FileHandle = await open(path, 'a', 0o600)
  const state = createJournalState()
  const text = await readFile(path, 'utf8')
  let count = 0
  for (const each of text.split('\n')) {
    const line = parseJournalLine(each)
    if (line === null) continue
    state.apply(line)
    count += 1
  }
  if (text !== '' && !text.endsWith('\n')) await file.write('\n')
  let shortest = 0

  async function writeAnew(): Promise<number> {
    const beside = `${path}.${randomUUID()}.new`
    let written = 0
    try {
      await using fresh = await open(beside, 'wx', 0o600)
      let some: JournalLine[] = []
      const write = async () => {
        await fresh.appendFile(inText(some))
        written += some.length
        some = []
      }
      for (const each of state.lines()) if (some.push(each) === writtenTogether) await write()
      await write()
      await fresh.sync()
      await rename(beside, path)
    } catch (error) {
      await unlink(beside).catch(() => undefined)
      throw error
    }
    await using folder = await open(dirname(path), 'r')
    await folder.sync()
    return written
  }

  return {
    ...state,
    async add(lines) {
      if (lines.length === 0) return
      await file.appendFile(inText(lines))
      await file.datasync()
      for (const each of lines) state.apply(each)
      count += lines.length
    },
    isLong: () => count >= Math.max(longFrom, 2 * shortest),
    async shorten(seen, now) {
      await removeLeftovers(path)
      const forgotten = forgetContents(state, seen, now)
      shortest = await writeAnew()
      count = shortest
      const former = file
      file = await open(path, 'a', 0o600)
      await former.close()
      return forgotten
    },
    close: async () => await file.close(),
  }
}

/** Of one that was killed while it wrote its journal anew. */
async function removeLeftovers(path: string): Promise<void> {
  const isOne = (name: string) => name.startsWith(`${basename(path)}.`) && name.endsWith('.new')
  for (const name of await readdir(dirname(path))) if (isOne(name)) await unlink(join(dirname(path), name))
}

/**
 * Two programs never watch one folder: held by a socket without a file (unix(7), abstract), which the kernel takes away with whoever held
 * it, however he ended.
 * @returns null when another holds it
 */
export async function holdAlone(path: string): Promise<{ release(): Promise<void> } | null> {
  const server = createServer((socket) => socket.destroy())
  return await new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    server.listen({ path: `\0probant-${createHash('sha256').update(path).digest('hex').slice(0, 40)}` }, () => {
      server.unref()
      resolve({ release: async () => await new Promise((done) => server.close(() => done())) })
    })
  })
}
