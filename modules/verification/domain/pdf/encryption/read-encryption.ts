import { malformed } from '../../encoding/der.ts'
import { isDictionary, isList, isReference, isString, nameOf } from '../document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../document/syntax.ts'
import type { View } from '../document/view.ts'
import { keyWithoutPassword } from './file-key.ts'
import type { Lock } from './file-key.ts'

/** §7.6.3: by what a string or a stream is enciphered. `rc4` and `aes` by a key of the object's own, `aes256` by that of the file. */
export type Method = 'none' | 'rc4' | 'aes' | 'aes256'

export type Encryption = {
  /** Undefined when it asks for a password: what is not enciphered may still be read. */
  readonly key: Uint8Array | undefined
  readonly streams: Method
  readonly strings: Method
  readonly embedded: Method
  readonly encryptsMetadata: boolean
  /** Of a crypt filter that a stream names. @throws MalformedError when there is none of that name */
  named(name: string): Method
  /** The dictionary's own object, whose strings stand as they are. */
  readonly own: number | undefined
}

const methods: Readonly<Record<string, Method>> = { V2: 'rc4', AESV2: 'aes', AESV3: 'aes256' }

/**
 * How a document is encrypted, and its key where it opens without a password (ISO 32000-2 §7.6). Undefined when it asks for one, or when
 * another handler or a later version locked it. @throws MalformedError
 */
export async function readEncryption(view: View): Promise<Encryption | undefined> {
  const given = view.trailer.get('Encrypt')
  const dictionary = await view.resolve(given)
  if (!isDictionary(dictionary) || dictionary.ambiguous) malformed('an encryption dictionary')
  const get = async (key: string): Promise<PdfValue | undefined> => await view.resolve(dictionary.entries.get(key))
  if (nameOf(await get('Filter')) !== 'Standard') return undefined
  const [version, revision] = [await get('V'), await get('R')]
  if (!isVersion(version) || !isRevision(revision) || (version === 5) !== revision >= 5) return undefined
  const octets = async (key: string, least: number): Promise<Uint8Array> => {
    const value = await get(key)
    return isString(value) && value.octets.length >= least ? value.octets.subarray(0, least) : malformed(`${key} of a lock`)
  }
  const permissions = await get('P')
  if (typeof permissions !== 'number' || !Number.isInteger(permissions) || Math.abs(permissions) >= 2 ** 32)
    malformed('P of a lock')
  const bits = version === 1 ? 40 : version === 2 ? ((await get('Length')) ?? 40) : version === 4 ? 128 : 256
  if (typeof bits !== 'number' || bits % 8 !== 0 || bits < 40 || bits > 256 || (version < 5 && bits > 128))
    malformed('length of a key')
  const encryptsMetadata = version < 4 || (await get('EncryptMetadata')) !== false
  const lock: Lock = {
    revision,
    length: revision === 2 ? 5 : bits / 8,
    owner: await octets('O', revision < 5 ? 32 : 48),
    user: await octets('U', revision < 5 ? 32 : 48),
    sealedKey: revision < 5 ? new Uint8Array() : await octets('UE', 32),
    permissions,
    encryptsMetadata,
    fileId: await readFileId(view),
  }
  const named = await readFilters(view, dictionary, version)
  const filterOf = async (key: string, usual: Method): Promise<Method | undefined> => {
    const name = await get(key)
    return name === undefined || name === null ? usual : named(nameOf(name) ?? malformed('name of a crypt filter'))
  }
  const early = version < 4 ? 'rc4' : undefined
  const streams = early ?? (await filterOf('StmF', 'none'))
  const strings = early ?? (await filterOf('StrF', 'none'))
  const embedded = early ?? (await filterOf('EFF', streams ?? 'none'))
  if (streams === undefined || strings === undefined || embedded === undefined) return undefined
  const key = keyWithoutPassword(lock)
  if (key === undefined && (streams !== 'none' || strings !== 'none')) return undefined
  return {
    key,
    streams,
    strings,
    embedded,
    encryptsMetadata,
    named: (name) => named(name) ?? malformed('an unusual crypt filter'),
    own: isReference(given) ? given.reference : undefined,
  }
}

const isVersion = (value: PdfValue | undefined): value is 1 | 2 | 4 | 5 => [1, 2, 4, 5].some((each) => each === value)
const isRevision = (value: PdfValue | undefined): value is Lock['revision'] => [2, 3, 4, 5, 6].some((each) => each === value)

/** The crypt filters that a dictionary defines (§7.6.6), of versions 4 and 5; of one, undefined when it enciphers in a way that its version does not have. */
async function readFilters(
  view: View,
  dictionary: PdfDictionary,
  version: 1 | 2 | 4 | 5,
): Promise<(name: string) => Method | undefined> {
  const found = new Map<string, Method | undefined>()
  const filters = await view.resolve(dictionary.entries.get('CF'))
  if (version >= 4 && isDictionary(filters))
    for (const [name, given] of filters.entries) {
      const filter = await view.resolve(given)
      const method = isDictionary(filter) ? methods[nameOf(await view.resolve(filter.entries.get('CFM'))) ?? ''] : undefined
      found.set(name, (method === 'aes256') === (version === 5) ? method : undefined)
    }
  // Of that name there is one, whatever a file defines (§7.6.6).
  return (name) => (name === 'Identity' ? 'none' : found.has(name) ? found.get(name) : malformed('an unknown crypt filter'))
}

/** Nothing, where a trailer has none: revisions 5 and 6 do not use it. */
async function readFileId(view: View): Promise<Uint8Array> {
  const both = await view.resolve(view.trailer.get('ID'))
  const first = isList(both) ? await view.resolve(both[0]) : undefined
  return isString(first) ? first.octets : new Uint8Array()
}
