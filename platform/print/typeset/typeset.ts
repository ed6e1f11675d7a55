import { spawn } from 'node:child_process'
import { constants, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchMemory } from '../../browser/watch-memory.ts'
import type { PrintedDocument } from '../document/printed-document.ts'
import { encodeDocument } from './encode.ts'

const program = fileURLToPath(new URL('./typesetter.ts', import.meta.url))
/** Of what is said of a failure, in characters. */
const longestWord = 4_000

/** The document could not be set: it took too much, or the compiler refused it. */
export class TypesetFailed extends Error {}

export type TypesetOptions = {
  /** Of this call alone: made, and removed again. */
  readonly folder: string
  readonly signal: AbortSignal
  /** How much it may hold at once; 1.5 GiB unless told. */
  readonly memoryBytes?: number
}

/** One document; as `typesetAll`. */
export async function typeset(document: PrintedDocument, options: TypesetOptions): Promise<Uint8Array> {
  const [pdf] = await typesetAll([document], options)
  if (pdf === undefined) throw new TypesetFailed('the typesetter made nothing')
  return pdf
}

/**
 * Documents as tagged PDF/A-3a (ISO 19005-3), the same bytes for the same document. A program of its own sets them, which reads its folder and our
 * fonts; files of one name are one file.
 * @throws TypesetFailed, or the signal's reason; nothing is left in the folder
 */
export async function typesetAll(documents: readonly PrintedDocument[], options: TypesetOptions): Promise<readonly Uint8Array[]> {
  const { folder, signal } = options
  signal.throwIfAborted()
  const named = (number: number, ending: string): string => join(folder, `document-${String(number)}.${ending}`)
  try {
    await mkdir(join(folder, 'files'), { recursive: true })
    const files = new Map(documents.flatMap((document) => document.files.map(({ name, content }) => [name, content] as const)))
    for (const [name, content] of files) await place(join(folder, 'files', name), content)
    for (const [number, document] of documents.entries()) {
      await writeFile(named(number, 'json'), JSON.stringify(encodeDocument(document)))
      const attachments = join(folder, `attachments-${String(number)}`)
      await mkdir(attachments)
      for (const { name, bytes } of document.attachments) await writeFile(join(attachments, name), bytes)
    }
    await run(folder, signal, options.memoryBytes ?? 1.5 * 1024 ** 3)
    const made: Uint8Array[] = []
    for (const number of documents.keys()) made.push(await readFile(named(number, 'pdf')))
    return made
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function place(path: string, content: Uint8Array | string): Promise<void> {
  if (typeof content !== 'string') return await writeFile(path, content)
  // Elsewhere a link is no file of the folder, which is all that the program reads.
  await copyFile(content, path, constants.COPYFILE_FICLONE)
}

async function run(folder: string, signal: AbortSignal, memoryBytes: number): Promise<void> {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
    signal,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, longestWord)))
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error))
    child.once('exit', (code, killed) =>
      code === 0 ? resolve() : reject(new TypesetFailed(`the typesetter ended with ${String(code ?? killed)}: ${said.trim()}`)),
    )
  })
  const memory = watchMemory(child.pid ?? 0, memoryBytes, () => child.kill('SIGKILL'))
  try {
    await ended
  } finally {
    memory.stop()
  }
}
