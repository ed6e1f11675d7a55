/** Short names for what is written often. */
import type { Block, Inline, Inlines, Tone } from './blocks.ts'

export const strong = (of: Inlines): Inline => ({ kind: 'strong', of })
export const soft = (of: Inlines): Inline => ({ kind: 'soft', of })
export const code = (text: string, tone?: Tone): Inline =>
  tone === undefined ? { kind: 'code', text } : { kind: 'code', text, tone }
export const lineBreak: Inline = { kind: 'line-break' }
export const paragraph = (text: Inlines, look?: Extract<Block, { kind: 'paragraph' }>['look']): Block =>
  look === undefined ? { kind: 'paragraph', text } : { kind: 'paragraph', text, look }
export const heading = (level: 1 | 2 | 3, text: Inlines): Block => ({ kind: 'heading', level, text })
