import { spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchMemory } from '../../browser/watch-memory.ts'
import type { PrintedDocument } from '../document/blocks.ts'
import { encodeDocument } from './encode.ts'

const program = fileURLToPath(new URL('./typesetter.ts', import.meta.url))
/** Of what is said of a failure, in characters. */
const longestWord = 4_000

/** The document could not be set: it took too much, or the compiler refused it. */
export class TypesetFailed extends Error {}

export type TypesetOptions = {
  /** Of this document alone: made, and removed again. */
  readonly folder: string
  readonly signal: AbortSignal
  /** How much it may hold at once; 1.5 GiB unless told. */
  readonly memoryBytes?: number
}

/**
 * A document as tagged PDF/A-3a (ISO 19005-3), the same bytes for the same document. A program of its own sets it, which reads its folder and our fonts.
 * @throws TypesetFailed, or the signal's reason; nothing is left in the folder
 */
export async function typeset(document: PrintedDocument, options: TypesetOptions): Promise<Uint8Array> {
  const { folder, signal } = options
  signal.throwIfAborted()
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'document.json'), JSON.stringify(encodeDocument(document)))
    for (const [name, files] of [
      ['attachments', document.attachments],
      ['files', document.files],
    ] as const) {
      await mkdir(join(folder, name))
      for (const file of files) await writeFile(join(folder, name, file.name), file.bytes)
    }
    await run(folder, signal, options.memoryBytes ?? 1.5 * 1024 ** 3)
    return await readFile(join(folder, 'document.pdf'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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
