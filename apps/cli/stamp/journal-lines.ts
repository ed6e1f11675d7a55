import { z } from 'zod'

export const proofKinds = ['tsr', 'ers', 'ots', 'chainpoint'] as const
export type ProofKind = (typeof proofKinds)[number]

/**
 * What was done, one line of JSON each, only ever added: before something is sent or written, and after it was. Whatever is cut off in
 * between is done again with the same mark, of which the server makes one deposit.
 */
export const journalLine = z.discriminatedUnion('t', [
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
    /** The file is to be uploaded too. */
    store: z.boolean().default(false),
    /** The deposit that this one declares to replace, as was asked for. */
    replaces: z.uuid().nullable().default(null),
    /** The content that the same file had before: its deposit is the one to replace. */
    after: z.string().nullable().default(null),
  }),
  z.object({ t: z.literal('deposited'), mark: z.uuid(), id: z.uuid(), earlier: z.uuid().nullable() }),
  /** The server says that it will never be one. */
  z.object({ t: z.literal('lost'), mark: z.uuid(), code: z.string() }),
  /** What it was to replace is not there: it is deposited without saying so. */
  z.object({ t: z.literal('unchained'), mark: z.uuid() }),
  /** A piece of the file came to the server, of so many. */
  z.object({ t: z.literal('piece'), mark: z.uuid(), upload: z.uuid(), part: z.int(), parts: z.int() }),
  /** How the copy stands; `code`: why there is none, `until`: how long it is kept. */
  z.object({
    t: z.literal('copy'),
    mark: z.uuid(),
    state: z.enum(['wanted', 'sent', 'stored', 'refused']),
    code: z.string().nullable(),
    until: z.string().nullable(),
  }),
  /** Where proofs of that content of that file are written: the path without the ending. */
  z.object({ t: z.literal('place'), path: z.string(), sha256: z.string(), stem: z.string() }),
  z.object({ t: z.literal('proof'), path: z.string(), sha256: z.string(), kind: z.enum(proofKinds) }),
  /** There are proofs there of a content that was forgotten: they are not stamped as files. */
  z.object({ t: z.literal('stem'), stem: z.string() }),
  /** The file is not there, as was first seen then. */
  z.object({ t: z.literal('gone'), path: z.string(), at: z.iso.datetime() }),
])
export type JournalLine = z.infer<typeof journalLine>

/** @returns null for one that was cut off, which was never acted upon */
export function parseJournalLine(text: string): JournalLine | null {
  try {
    const parsed = journalLine.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
