import { base64 } from '@scure/base'

export type SignatureVariant =
  | { readonly form: 'recoverable'; readonly bytes: Uint8Array }
  /** `prefixed`: the signer said which variant it is (BIP-322 1.0.0); before that nothing did. */
  | { readonly form: 'simple' | 'full' | 'unprefixed'; readonly bytes: Uint8Array }
  | { readonly form: 'proof_of_funds' }
export type FormatReason = 'empty' | 'too_long' | 'not_base64' | 'length'

/** A transaction of many inputs would be longer; none of one input is. */
const longest = 65_536
const longestArmour = 2_097_152
const prefixes = { smp: 'simple', ful: 'full' } as const

/**
 * Base64 as wallets give it: with its padding (RFC 4648 §4), nothing else; white space around and line breaks within are let
 * through, for a mail wraps lines. Other characters are refused, never skipped.
 */
export function readSignature(text: string): SignatureVariant | FormatReason {
  if (text.length > longest) return 'too_long'
  const given = text.replace(/[ \t\r\n]+/g, '')
  if (given === '') return 'empty'
  const prefix = given.slice(0, 3)
  if (prefix === 'pof') return decode(given.slice(3)) === undefined ? 'not_base64' : { form: 'proof_of_funds' }
  const form = prefix === 'smp' || prefix === 'ful' ? prefixes[prefix] : undefined
  const bytes = decode(form === undefined ? given : given.slice(3))
  if (bytes === undefined) return 'not_base64'
  if (form !== undefined) return { form, bytes }
  if (bytes.length === 65) return { form: 'recoverable', bytes }
  // Shorter than one signature of BIP-340 with its count and length.
  return bytes.length < 66 ? 'length' : { form: 'unprefixed', bytes }
}

function decode(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text)
  } catch {
    return undefined
  }
}

export type ArmouredMessage = { readonly message: string; readonly signature: string; readonly address?: string }

const opening = /^\s*-----BEGIN BITCOIN SIGNED MESSAGE-----[ \t]*\r?\n/
const middle = /\r?\n-----BEGIN (?:BITCOIN )?SIGNATURE-----[ \t]*\r?\n/
const closing = /\r?\n-----END BITCOIN (?:SIGNED MESSAGE|SIGNATURE)-----\s*$/

/**
 * The block that wallets show with a signature: text, address, signature. The text is what stands between the lines, without the
 * break before the signature's line; `- ` before a line of dashes is undone (RFC 4880 §7.1). Undefined when it is not one.
 */
export function readArmoured(text: string): ArmouredMessage | undefined {
  if (text.length > longestArmour) return undefined
  const start = opening.exec(text)
  const end = closing.exec(text)
  if (start === null || end === null || end.index < start[0].length - 1) return undefined
  const inside = text.slice(start[0].length, end.index)
  const parts = `\n${inside}`.split(middle)
  const [body, block] = parts
  if (parts.length !== 2 || body === undefined || block === undefined) return undefined
  const message = body.replace(/^\r?\n/, '').replace(/^- (?=-)/gm, '')
  const lines = block
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const headers = lines.filter((line) => /^[A-Za-z]+: /.test(line))
  const rest = lines.filter((line) => !/^[A-Za-z]+: /.test(line))
  const named = headers.find((line) => /^address: /i.test(line))?.slice(9)
  const [first, ...more] = rest
  if (first === undefined) return undefined
  const plainAddress = named === undefined && more.length > 0 ? first : undefined
  const address = named ?? plainAddress
  const signature = (plainAddress === undefined ? rest : more).join('')
  return { message, signature, ...(address === undefined ? {} : { address }) }
}
