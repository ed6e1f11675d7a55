import { z } from 'zod'
import { pieceObject } from '../pieces/piece-store.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const objects = z.array(z.string().regex(pieceObject))
const size = z.int().min(0)
const named = z.string().min(1).max(63)

/** A line of what a backup holds. Enciphered as all of it: it names accounts' files and tables. */
const contentsLine = z.discriminatedUnion('kind', [
  /** A migration that the schema had when the snapshot was taken. */
  z.strictObject({ kind: z.literal('migration'), name: z.string(), sha256: hex }),
  /** Rows as PostgreSQL's COPY writes them as text; the pieces joined are the rows. */
  z.strictObject({
    kind: z.literal('table'),
    schema: named,
    name: named,
    columns: z.array(named).min(1),
    rows: size,
    sha256: hex,
    objects,
  }),
  z.strictObject({
    kind: z.literal('sequence'),
    schema: named,
    name: named,
    value: z.string().regex(/^-?\d{1,19}$/),
    called: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('blob'), scope: z.string().nullable(), sha256: hex, bytes: size, objects }),
  /** Of the data folder. */
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1).max(400), sha256: hex, objects }),
])

export type ContentsLine = z.infer<typeof contentsLine>
export type TableLine = Extract<ContentsLine, { kind: 'table' }>
export type BlobLine = Extract<ContentsLine, { kind: 'blob' }>
export type FileLine = Extract<ContentsLine, { kind: 'file' }>
export type SequenceLine = Extract<ContentsLine, { kind: 'sequence' }>

export const writeLine = (line: ContentsLine): Buffer => Buffer.from(`${JSON.stringify(line)}\n`)

/** @param chunks cut anywhere. @throws z.ZodError, SyntaxError */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ContentsLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield contentsLine.parse(JSON.parse(line))
  }
  if (rest + decoder.decode() !== '') throw new SyntaxError('the last line is cut off')
}
