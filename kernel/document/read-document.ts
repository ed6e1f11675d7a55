/** A document as it was kept or sent: JSON. Who reads it shows nothing that is not of the union in `blocks.ts`. */
import { z } from 'zod'
import type { Block, Cell, Column, Inline, Inlines, Picture, ShownDocument } from './blocks.ts'

/** A schema for each field, those that may be absent too: one that `blocks.ts` has and this has not, or the other way round, does not compile. */
type Shape<T> = { readonly [Field in keyof Omit<T, 'kind'>]-?: z.ZodType<T[Field & keyof T]> }
type Kinded = { readonly kind: string }
type Of<Kind, Member extends Kinded> = Member extends Kinded ? (Kind extends Member['kind'] ? Member : never) : never
type Shapes<Union extends Kinded> = { readonly [Kind in Union['kind']]: Shape<Of<Kind, Union>> }

const maybe = z.exactOptional
const tone = z.enum(['good', 'doubtful', 'bad', 'quiet'])
const words: z.ZodType<Inlines> = z.lazy(() => z.union([inline, z.array(words)]))
const blocks: z.ZodType<readonly Block[]> = z.lazy(() => z.array(block))
const cell: z.ZodType<Cell> = z.union([words, z.object({ blocks })])
const positive = z.int().positive()

const inlines = {
  strong: { of: words },
  soft: { of: words },
  toned: { tone, of: words },
  code: { text: z.string(), tone: maybe(tone) },
  outside: {
    parts: z.array(z.union([z.object({ text: z.string() }), z.object({ code: z.string() })])),
    leftOut: z.string().nullable(),
    mono: z.boolean(),
  },
  'line-break': {},
  reference: { to: z.string(), text: z.string() },
} satisfies Shapes<Exclude<Inline, string>>

const small = z.literal('small')
const column = z.object({ head: z.string(), share: maybe(z.number()), figures: maybe(z.boolean()) } satisfies Shape<Column>)
const sum = z.object({ name: z.string(), amount: z.string(), result: maybe(z.boolean()) } satisfies Shape<
  Of<'sums', Block>['rows'][number]
>)
type From = NonNullable<Picture['from']>
const rowsOfImage = z.object({ path: z.string(), firstRow: positive, lastRow: positive } satisfies Shape<From['rows'][number]>)
const from = z.object({ width: positive, height: positive, rows: z.array(rowsOfImage) } satisfies Shape<From>)
const picture = z.object({ file: z.string(), alt: z.string(), from: maybe(from) } satisfies Shape<Picture>)

const kinds = {
  heading: {
    level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    text: words,
    number: maybe(z.union([z.number(), z.string()])),
    id: maybe(z.string()),
    listed: maybe(z.boolean()),
  },
  contents: { title: z.string() },
  paragraph: { text: words, look: maybe(z.enum(['lead', 'annex', 'grave', 'small'])) },
  callout: { tone: z.enum(['note', 'alert']), text: words },
  quote: { text: words },
  facts: { rows: z.array(z.tuple([z.string(), cell])), look: maybe(z.literal('dense')) },
  table: {
    columns: z.array(column),
    rows: z.array(z.array(cell)),
    size: maybe(z.enum(['small', 'tiny'])),
  },
  sums: { rows: z.array(sum) },
  list: { ordered: z.boolean(), items: z.array(blocks), size: maybe(small) },
  lines: { text: z.string() },
  figure: {
    picture,
    caption: maybe(words),
    width: maybe(z.number()),
    framed: maybe(z.boolean()),
  },
  boxes: { boxes: z.array(blocks) },
  columns: { columns: z.array(blocks), shares: z.array(z.number()) },
  together: { blocks },
  brand: {},
  fill: {},
  'page-break': {},
} satisfies Shapes<Block>

/** One schema for all that are told apart by their kind. */
function oneOf(shapes: Readonly<Record<string, z.core.$ZodLooseShape>>) {
  const [first, ...rest] = Object.entries(shapes).map(([kind, shape]) => z.object({ kind: z.literal(kind), ...shape }))
  if (first === undefined) throw new TypeError('a union of nothing')
  return z.discriminatedUnion('kind', [first, ...rest])
}

// What `satisfies` held above, field by field, is lost in the table.
const inline = z.union([z.string(), oneOf(inlines)]) as unknown as z.ZodType<Inline>
const block = oneOf(kinds) as unknown as z.ZodType<Block>

const shownDocument = z.object({
  language: z.string().regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i),
  title: z.string(),
  mark: z.string().nullable(),
  blocks,
} satisfies Shape<ShownDocument>)

/** What `readDocument` reads. */
export function writeDocument({ language, title, mark, blocks }: ShownDocument): string {
  return JSON.stringify({ language, title, mark, blocks } satisfies ShownDocument)
}

/** @returns null of what is no document, or one of another version of this program */
export function readDocument(json: string): ShownDocument | null {
  try {
    const parsed = shownDocument.safeParse(JSON.parse(json))
    return parsed.success ? parsed.data : null
  } catch {
    // No JSON; or nested more deeply than any document is.
    return null
  }
}
