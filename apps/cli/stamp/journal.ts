import { createHash } from 'node:crypto'
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { z } from 'zod'

export const proofKinds = ['tsr', 'ers', 'ots', 'chainpoint'] as const
export type ProofKind = (typeof proofKinds)[number]

/**
 * What was done, one line of JSON each, only ever added: before something is sent or written, and after it was. Whatever is cut off in
 * between is done again with the same mark, of which the server makes one deposit.
 */
const line = z.discriminatedUnion('t', [
  /** A file had this content when it looked so; `base`: where its proofs go, without ending. */
  z.object({ t: z.literal('file'), path: z.string(), base: z.string(), look: z.string(), sha256: z.string() }),
  /** The content is to be deposited, under this mark. */
  z.object({
    t: z.literal('wanted'),
    sha256: z.string(),
    sha512: z.string(),
    mark: z.uuid(),
    name: z.string().nullable(),
    label: z.string().nullable(),
  }),
  z.object({ t: z.literal('deposited'), mark: z.uuid(), id: z.uuid(), earlier: z.uuid().nullable() }),
  /** The server says that it will never be one. */
  z.object({ t: z.literal('lost'), mark: z.uuid(), code: z.string() }),
  /** Where proofs of that content of that file are written: the path without the ending. */
  z.object({ t: z.literal('place'), path: z.string(), sha256: z.string(), stem: z.string() }),
  z.object({ t: z.literal('proof'), path: z.string(), sha256: z.string(), kind: z.enum(proofKinds) }),
])
export type JournalLine = z.infer<typeof line>

export type Wanted = {
  readonly sha256: string
  readonly sha512: string
  readonly mark: string
  readonly name: string | null
  readonly label: string | null
  /** Of the deposit, once there is one. */
  id: string | null
  earlier: string | null
  /** Why there will be none. */
  lost: string | null
}

/** One content of one file, and what there is of its proofs. */
export type Kept = {
  readonly path: string
  readonly sha256: string
  base: string
  stem: string | null
  readonly proofs: Set<ProofKind>
}

export type Journal = {
  /** By content. */
  readonly wanted: ReadonlyMap<string, Wanted>
  /** By path and content. */
  readonly kept: ReadonlyMap<string, Kept>
  /** How each file looked when its content was last read. */
  readonly looks: ReadonlyMap<string, { readonly look: string; readonly sha256: string }>
  /** Places that proofs are written to. */
  readonly stems: ReadonlySet<string>
  /** On the disk when it resolves. */
  add(lines: readonly JournalLine[]): Promise<void>
  close(): Promise<void>
}

export const keptKey = (path: string, sha256: string): string => `${path}\0${sha256}`

/** @param of what tells this journal from others: the server, and the folder that is watched */
export function journalFile(stateFolder: string, ...of: readonly string[]): string {
  const name = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32)
  return join(stateFolder, 'probant', `stamp-${name}.jsonl`)
}

/** @throws errors of the file system */
export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file: FileHandle = await open(path, 'a', 0o600)
  const wanted = new Map<string, Wanted>()
  const byMark = new Map<string, Wanted>()
  const kept = new Map<string, Kept>()
  const looks = new Map<string, { look: string; sha256: string }>()
  const stems = new Set<string>()

  const keptOf = (of: { path: string; sha256: string }): Kept => {
    const key = keptKey(of.path, of.sha256)
    const found = kept.get(key) ?? { path: of.path, sha256: of.sha256, base: of.path, stem: null, proofs: new Set<ProofKind>() }
    kept.set(key, found)
    return found
  }
  const apply = (each: JournalLine): void => {
    switch (each.t) {
      case 'file':
        looks.set(each.path, { look: each.look, sha256: each.sha256 })
        keptOf(each).base = each.base
        break
      case 'wanted': {
        const { t: _t, ...of } = each
        const made: Wanted = { ...of, id: null, earlier: null, lost: null }
        wanted.set(each.sha256, made)
        byMark.set(each.mark, made)
        break
      }
      case 'deposited':
        Object.assign(byMark.get(each.mark) ?? {}, { id: each.id, earlier: each.earlier })
        break
      case 'lost':
        Object.assign(byMark.get(each.mark) ?? {}, { lost: each.code })
        break
      case 'place':
        keptOf(each).stem = each.stem
        stems.add(each.stem)
        break
      default:
        keptOf(each).proofs.add(each.kind)
    }
  }

  const text = await readFile(path, 'utf8')
  for (const each of text.split('\n')) {
    const parsed = line.safeParse(parseLine(each))
    // A line that was cut off was never acted upon.
    if (parsed.success) apply(parsed.data)
  }
  if (text !== '' && !text.endsWith('\n')) await file.write('\n')
  return {
    wanted,
    kept,
    looks,
    stems,
    async add(lines) {
      if (lines.length === 0) return
      await file.write(lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
      await file.datasync()
      for (const each of lines) apply(each)
    },
    close: async () => await file.close(),
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
