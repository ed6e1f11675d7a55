import { sha256 } from '@noble/hashes/sha2.js'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import type { Bound } from '../report/proof-report.ts'

/**
 * How the text that was signed relates to the one given. `as_given`: it is it. `seal_of_root` and `digest_of_text` are bound to
 * what was given without a loss; the others are another text, and are said to be.
 */
export const messageForms = [
  'as_given',
  'seal_of_root',
  'digest_of_text',
  'line_feeds',
  'carriage_returns',
  'without_last_break',
  'with_last_break',
  'trimmed',
] as const
export type MessageForm = (typeof messageForms)[number]
export const isExact = (form: MessageForm): boolean => form === 'as_given' || form === 'seal_of_root' || form === 'digest_of_text'

export type FormedMessage = { readonly form: MessageForm; readonly text: string; readonly bytes: Uint8Array }

/** The text of a seal's message signatures, `seal/message.txt`: no line break at its end. */
export const sealMessage = (root: string): string => `probant-seal/1 ${root}`
const sealText = /^probant-seal\/1 ([0-9a-f]{64})$/

/** Root of a seal whose message this is. */
export const rootOfSealMessage = (text: string): string | undefined => sealText.exec(text)?.[1]

/** 1 MiB: the longest text that is hashed for each form. */
export const longestMessage = 1_048_576

/** The text as it is first; then what an editor, a mail or a clerk may have made of the one that was signed. */
export function formsOf(message: string): readonly FormedMessage[] {
  const forms = new Map<string, MessageForm>([[message, 'as_given']])
  const add = (text: string, form: MessageForm) => {
    if (!forms.has(text)) forms.set(text, form)
  }
  if (/^[0-9a-fA-F]{64}$/.test(message.trim())) add(sealMessage(message.trim().toLowerCase()), 'seal_of_root')
  add(toHex(sha256(utf8(message))), 'digest_of_text')
  add(message.replace(/\r\n/g, '\n'), 'line_feeds')
  add(message.replace(/\r?\n/g, '\r\n'), 'carriage_returns')
  add(message.replace(/\r?\n$/, ''), 'without_last_break')
  add(message.replace(/\r\n/g, '\n').replace(/\n$/, ''), 'without_last_break')
  add(`${message}\n`, 'with_last_break')
  add(message.trim(), 'trimmed')
  return [...forms].map(([text, form]) => ({ form, text, bytes: utf8(text) }))
}

/** What a signed text binds: its own digest, and the root of the seal that it names. */
export function boundOfMessage(message: string): Bound[] {
  if (message.length > longestMessage) return []
  const bound: Bound[] = [{ algorithm: 'sha256', hex: toHex(sha256(utf8(message))), of: 'message' }]
  const root = /^[0-9a-f]{64}$/.test(message.trim()) ? message.trim() : rootOfSealMessage(message.trim())
  if (root !== undefined) bound.push({ algorithm: 'sha256', hex: root, of: 'root' })
  return bound
}
