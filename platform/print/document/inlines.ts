/** Short names for what is written often. */
import type { Block, Cell, Inline, Inlines, Tone } from '../../../kernel/document/blocks.ts'

export const strong = (of: Inlines): Inline => ({ kind: 'strong', of })
export const soft = (of: Inlines): Inline => ({ kind: 'soft', of })
export const code = (text: string, tone?: Tone): Inline =>
  tone === undefined ? { kind: 'code', text } : { kind: 'code', text, tone }
export const lineBreak: Inline = { kind: 'line-break' }
export const paragraph = (text: Inlines, look?: Extract<Block, { kind: 'paragraph' }>['look']): Block =>
  look === undefined ? { kind: 'paragraph', text } : { kind: 'paragraph', text, look }
export const heading = (level: 1 | 2 | 3, text: Inlines): Block => ({ kind: 'heading', level, text })

/** Rows of facts, those left out that are null. */
export const facts = (...rows: readonly (readonly [name: string, value: Cell] | null)[]): Extract<Block, { kind: 'facts' }> => ({
  kind: 'facts',
  rows: rows.filter((row) => row !== null),
})

/** Blocks in order, nested as they were made; what is null or false is left out. */
export type Blocks = Block | null | false | readonly Blocks[]

const isList = (value: Blocks): value is readonly Blocks[] => Array.isArray(value)
export const flatten = (value: Blocks): readonly Block[] =>
  isList(value) ? value.flatMap(flatten) : value === null || value === false ? [] : [value]
