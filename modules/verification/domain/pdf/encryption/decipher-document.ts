import { cbc } from '@noble/ciphers/aes.js'
import { md5 } from '@noble/hashes/legacy.js'
import { concatBytes, utf8 } from '../../../../../kernel/bytes.ts'
import { malformed } from '../../encoding/der.ts'
import { decode, filtersOf } from '../document/decode-stream.ts'
import type { PdfDocument } from '../document/document.ts'
import type { Resolve, PdfDictionary, PdfString, PdfValue, StreamPlace } from '../document/syntax.ts'
import { isDictionary, isList, isString, nameOf } from '../document/syntax.ts'
import { rc4 } from './rc4.ts'
import type { Encryption, Method } from './read-encryption.ts'

type Open = (octets: Uint8Array) => Uint8Array | undefined
type Holder = Pick<StreamPlace, 'number' | 'generation'>

/** A file says how often its streams are read: what is deciphered is bounded in all. */
const mostOctets = 512 << 20

/** The same document in clear (ISO 32000-2 §7.6): its cross-references are, and the strings of object streams with their stream. */
export function decipherDocument(document: PdfDocument, encryption: Encryption): PdfDocument {
  let left = mostOctets
  const inClear = (method: Method, bytes: Uint8Array, holder: Holder): Uint8Array | undefined => {
    left -= bytes.length
    if (left < 0) malformed('too much to decipher')
    return decipher(method, encryption.key ?? malformed('a password is needed'), bytes, holder)
  }
  const rawStream: PdfDocument['rawStream'] = async (dictionary, resolve, most) => {
    const bytes = await document.rawStream(dictionary, resolve, most)
    const method = await methodOf(encryption, dictionary, resolve)
    if (method === 'none' || dictionary.stream === undefined) return bytes
    return inClear(method, bytes, dictionary.stream) ?? malformed('an enciphered stream')
  }
  return {
    ...document,
    objectAt: async (offset) => {
      const object = await document.objectAt(offset)
      if (encryption.strings === 'none' || object.number === encryption.own) return object
      return { ...object, value: stringsInClear(object.value, (octets) => inClear(encryption.strings, octets, object)) }
    },
    rawStream,
    stream: async (dictionary, resolve, most) =>
      await decode(await rawStream(dictionary, resolve, most), dictionary, resolve, most),
  }
}

async function methodOf(encryption: Encryption, dictionary: PdfDictionary, resolve: Resolve): Promise<Method> {
  const type = nameOf(dictionary.entries.get('Type'))
  if (type === 'XRef') return 'none'
  const [first] = await filtersOf(dictionary, resolve)
  if (first?.name === 'Crypt') {
    const name = isDictionary(first.parameters) ? await resolve(first.parameters.entries.get('Name')) : undefined
    return encryption.named(nameOf(name) ?? 'Identity')
  }
  if (type === 'Metadata' && !encryption.encryptsMetadata) return 'none'
  return type === 'EmbeddedFile' ? encryption.embedded : encryption.streams
}

/**
 * The signature in `Contents` is never enciphered (§7.6.2). Some programs leave the other strings of what they sign in clear too: what
 * cannot have been enciphered stands as it is, and is equal to nothing that was.
 */
function stringsInClear(value: PdfValue, open: Open): PdfValue {
  if (isString(value)) return openString(value, open)
  if (isList(value)) return value.map((each) => stringsInClear(each, open))
  if (!isDictionary(value) || nameOf(value.entries.get('Type')) === 'XRef') return value
  const isSignature = value.entries.has('ByteRange')
  const entries = [...value.entries].map(
    ([key, each]) => [key, isSignature && key === 'Contents' ? each : stringsInClear(each, open)] as const,
  )
  return { ...value, entries: new Map(entries) }
}

function openString(string: PdfString, open: Open): PdfString {
  if (string.octets.length === 0) return string
  const octets = open(string.octets)
  return octets === undefined ? { ...string, asItStands: true } : { ...string, octets }
}

/** Undefined when it is no outcome of that cipher. */
function decipher(method: Method, key: Uint8Array, bytes: Uint8Array, holder: Holder): Uint8Array | undefined {
  if (method === 'none' || bytes.length === 0) return bytes
  if (method === 'rc4') return rc4(keyOfObject(key, holder, ''), bytes)
  if (bytes.length < 32 || bytes.length % 16 !== 0) return undefined
  const own = method === 'aes' ? keyOfObject(key, holder, 'sAlT') : key
  const padded = cbc(own, bytes.subarray(0, 16), { disablePadding: true }).decrypt(bytes.subarray(16))
  const padding = padded.at(-1) ?? 0
  const end = padded.length - padding
  return padding > 0 && padding <= 16 && padded.subarray(end).every((octet) => octet === padding)
    ? padded.subarray(0, end)
    : undefined
}

/** §7.6.3.2 (algorithm 1). */
function keyOfObject(key: Uint8Array, { number, generation }: Holder, salt: string): Uint8Array {
  const place = [number, number >> 8, number >> 16, generation, generation >> 8]
  return md5(concatBytes(key, Uint8Array.from(place), utf8(salt))).subarray(0, Math.min(16, key.length + 5))
}
