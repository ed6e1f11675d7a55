import { ids } from './object-ids.ts'
import {
  boolean,
  children,
  explicit,
  malformed,
  MalformedError,
  octets,
  oidOf,
  readDer,
  sequence,
  smallInteger,
  tagged,
} from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'

/**
 * `strict`: RFC 5280 version 3, as everything in our own packages is. `lenient`: also what authorities of others issued and signed:
 * versions 1 and 2, negative serial numbers, times and keys written otherwise. What is signed is never read two ways.
 */
export type Reading = 'strict' | 'lenient'

/** What a certificate's extensions say (RFC 5280 §4.2). */
export type Extensions = {
  readonly isAuthority: boolean
  readonly pathLength: number | undefined
  /** keyUsage bits by number; undefined when the extension is absent. */
  readonly keyUsage: ReadonlySet<number> | undefined
  readonly extendedKeyUsage: { readonly critical: boolean; readonly purposes: readonly string[] } | undefined
  readonly subjectKeyId: Uint8Array | undefined
  readonly unknownCritical: boolean
  /** Every extension, by dotted identifier; `value` is what its OCTET STRING holds. */
  readonly extensions: ReadonlyMap<string, { readonly critical: boolean; readonly value: Uint8Array }>
}

/** @throws MalformedError */
export function readExtensions(wrapper: Der | undefined, reading: Reading): Extensions {
  const extensions = new Map<string, { critical: boolean; value: Uint8Array }>()
  let read: Extensions = {
    isAuthority: false,
    pathLength: undefined,
    keyUsage: undefined,
    extendedKeyUsage: undefined,
    subjectKeyId: undefined,
    unknownCritical: false,
    extensions,
  }
  if (wrapper === undefined) return read
  for (const each of children(tagged(explicit(wrapper, 0xa3), 0x30))) {
    const [id, ...rest] = sequence(each, 2, 3)
    const name = oidOf(id)
    if (extensions.has(name)) malformed('an extension twice')
    const critical = rest.length === 2 && rest[0] !== undefined && boolean(rest[0])
    const value = octets(rest.at(-1))
    extensions.set(name, { critical, value })
    try {
      read = { ...read, ...readExtension(name, critical, value, reading) }
    } catch (error) {
      // One that cannot be read restricts in a way that nobody knows.
      if (reading === 'strict' || !(error instanceof MalformedError)) throw error
      read = { ...read, unknownCritical: true }
    }
  }
  return read
}

function readExtension(name: string, critical: boolean, value: Uint8Array, reading: Reading): Partial<Extensions> {
  if (name === ids.basicConstraints) {
    const parts = children(readDer(value, 0x30))
    const flag = parts[0]?.tag === 0x01 ? boolean(parts[0]) : false
    const length = parts.find((part) => part.tag === 0x02)
    return { isAuthority: flag, pathLength: length === undefined ? undefined : smallInteger(length) }
  }
  if (name === ids.keyUsage) return { keyUsage: bits(readDer(value, 0x03)) }
  if (name === ids.extendedKeyUsage)
    return { extendedKeyUsage: { critical, purposes: children(readDer(value, 0x30)).map(oidOf) } }
  if (name === ids.subjectKeyIdentifier) return { subjectKeyId: octets(readDer(value, 0x04)) }
  const known = name === ids.certificatePolicies || (reading === 'lenient' && harmless.includes(name))
  return critical && !known ? { unknownCritical: true } : {}
}

/** They restrict nothing that is decided here, or are read where they are needed. */
const harmless: readonly string[] = [ids.subjectAlternativeName, ids.privateKeyUsagePeriod, ids.authorityKeyIdentifier]

function bits(found: Der): ReadonlySet<number> {
  const set = new Set<number>()
  found.contents.subarray(1, 4).forEach((octet, i) => {
    for (let bit = 0; bit < 8; bit += 1) if (octet & (0x80 >> bit)) set.add(i * 8 + bit)
  })
  return set
}
