import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { concatBytes, equalBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'

/**
 * C2SP signed-note: text, an empty line, signature lines `— <key name> base64(key id ‖ signature)`. A line's key is known by
 * name and id together; what is signed by nobody we know says nothing.
 */
export type NoteSignature = {
  readonly name: string
  /** 4 octets. */
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

export type Note = {
  /** With its last line break: the very text that is signed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** What C2SP assigned: the note itself signed, or a checkpoint cosigned with an instant. */
export const ed25519Type = 0x01
export const cosignatureType = 0x04

export type VerifierKey = {
  readonly name: string
  /** 4 octets. */
  readonly keyId: Uint8Array
  readonly type: typeof ed25519Type | typeof cosignatureType
  /** Ed25519, RFC 8032: 32 octets. */
  readonly publicKey: Uint8Array
}

/** Ours have a dozen lines; the specification asks for 16 signatures at least. */
const largestNote = 1 << 16
const mostSignatures = 64
const emDash = '\u2014'

/** Neither empty, nor with blanks of Unicode, nor with a plus sign (signed-note, "Format"). */
function isKeyName(name: string): boolean {
  return name.length > 0 && name.length <= 512 && !/[\s+\p{Z}\p{Cc}]/u.test(name)
}

/** @returns null for what is not a signed note, longer than 64 KiB or of more than 64 signatures. */
export function parseNote(bytes: Uint8Array): Note | null {
  if (bytes.length > largestNote) return null
  const whole = decode(bytes)
  // eslint-disable-next-line no-control-regex -- named by the specification
  if (whole === null || /[\u0000-\u0009\u000b-\u001f]/.test(whole)) return null
  const end = whole.lastIndexOf('\n\n')
  if (end < 0 || !whole.endsWith('\n')) return null
  const lines = whole.slice(end + 2, -1).split('\n')
  if (lines.length > mostSignatures) return null
  const signatures: NoteSignature[] = []
  for (const line of lines) {
    const signature = parseSignatureLine(line)
    if (signature === null) return null
    signatures.push(signature)
  }
  return { text: whole.slice(0, end + 1), signatures }
}

/** One line, without its line break. */
export function parseSignatureLine(line: string): NoteSignature | null {
  const [dash, name, encoded, ...rest] = line.split(' ')
  if (dash !== emDash || name === undefined || encoded === undefined || rest.length > 0 || !isKeyName(name)) return null
  const octets = decodeBase64(encoded)
  if (octets === null || octets.length < 5) return null
  return { name, keyId: octets.subarray(0, 4), signature: octets.subarray(4) }
}

/** With its line break. */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  return `${emDash} ${name} ${base64.encode(concatBytes(keyId, signature))}\n`
}

/** UTF-8. @throws RangeError when the text does not end in a line break. */
export function formatNote(text: string, signatures: readonly NoteSignature[]): Uint8Array<ArrayBuffer> {
  if (!text.endsWith('\n')) throw new RangeError('the text of a note ends in a line break')
  return utf8(`${text}\n${signatures.map(signatureLine).join('')}`)
}

/** `SHA-256(name ‖ "\n" ‖ type ‖ public key)`, first four octets. */
export function noteKeyId(name: string, type: number, publicKey: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4)
}

export function verifierKey(name: string, type: VerifierKey['type'], publicKey: Uint8Array): VerifierKey {
  return { name, type, publicKey, keyId: noteKeyId(name, type, publicKey) }
}

/** `name+hash+base64(type ‖ key)`. */
export function formatVerifierKey({ name, keyId, type, publicKey }: VerifierKey): string {
  return `${name}+${toHex(keyId)}+${base64.encode(concatBytes(Uint8Array.of(type), publicKey))}`
}

/** @returns null when malformed, of a kind that we do not verify, or when its id is not that of its key. */
export function parseVerifierKey(text: string): VerifierKey | null {
  // The base64 part may hold plus signs, the others may not.
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? []
  const octets = decodeBase64(encoded)
  const type = octets?.[0]
  if (!isKeyName(name) || octets?.length !== 33 || (type !== ed25519Type && type !== cosignatureType)) return null
  const key = verifierKey(name, type, octets.subarray(1))
  return toHex(key.keyId) === id ? key : null
}

/** `unknown`: no line of that key. A line of a known key that does not verify makes the whole note `false` (signed-note). */
export type SignatureOutcome = 'valid' | 'false' | 'unknown'

export function linesOf(note: Note, key: VerifierKey): readonly NoteSignature[] {
  return note.signatures.filter(({ name, keyId }) => name === key.name && equalBytes(keyId, key.keyId))
}

/** Plain signature of the text by `key` (type 0x01). */
export function checkNoteSignature(note: Note, key: VerifierKey): SignatureOutcome {
  const lines = key.type === ed25519Type ? linesOf(note, key) : []
  if (lines.length === 0) return 'unknown'
  const text = utf8(note.text)
  return lines.every(({ signature }) => verifyEd25519(signature, text, key.publicKey)) ? 'valid' : 'false'
}

/** RFC 8032 to the letter: canonical encodings, no cofactor leniency. False on anything malformed. */
export function verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return signature.length === 64 && ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}

/** Canonical base64 of RFC 4648 §4 with its padding, or null. */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    return base64.decode(text)
  } catch {
    return null
  }
}

export function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
