import { concatBytes, utf8 } from '../../kernel/bytes.ts'
import { octetString, retag, sequence, setOf } from '../../modules/sealing/server/encoding/write-der.ts'
import { recordOf } from './evidence-records.ts'
import {
  attribute,
  authority,
  certificate,
  data,
  day,
  digestOf,
  keyOf,
  oid,
  pem,
  revocationList,
  sha256Id,
  signed,
  signedData,
  stampInfo,
  timeStamping,
  tstInfo,
} from './issue.ts'
import type { Issued } from './issue.ts'

/** A signature, and what is added to it to prove since when it exists: made by another writer than the product has. */
export const content = utf8('Probant signed document\n')
export const laterRoot = authority('Later root', keyOf(41), 1)
const signer = certificate(
  { name: 'Later signer', serial: 2, key: keyOf(42), usage: [0, 1], until: day('2026-08-01') },
  laterRoot,
)
const unit = certificate({ name: 'Later time-stamping unit', serial: 3, key: keyOf(43), purposes: [timeStamping] }, laterRoot)
const witness = certificate({ name: 'Later witness', serial: 4, key: keyOf(44), usage: [0] }, laterRoot)
const crl = revocationList(laterRoot, [], day('2026-07-01'))
export const laterRoots = pem('CERTIFICATE', laterRoot.der)

export const attributeIds = {
  signature: '1.2.840.113549.1.9.16.2.14',
  certificateReferences: '1.2.840.113549.1.9.16.2.21',
  revocationReferences: '1.2.840.113549.1.9.16.2.22',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  complete: '1.2.840.113549.1.9.16.2.25',
  references: '1.2.840.113549.1.9.16.2.26',
  oldest: '1.2.840.113549.1.9.16.2.27',
  version2: '1.2.840.113549.1.9.16.2.48',
  version3: '0.4.0.1733.2.4',
  internal: '1.2.840.113549.1.9.16.2.49',
  external: '1.2.840.113549.1.9.16.2.50',
  counter: '1.2.840.113549.1.9.6',
} as const
const indexIds = { 1: '0.4.0.1733.2.5', 2: '0.4.0.19122.1.4', 3: '0.4.0.19122.1.5' } as const

/** The elements inside a constructed one, as they stand. */
export function inside(encoded: Uint8Array): Uint8Array[] {
  const size = (at: number): [number, number] => {
    const first = encoded[at + 1] ?? 0
    if (first < 0x80) return [2, first]
    return [2 + (first & 0x7f), encoded.subarray(at + 2, at + 2 + (first & 0x7f)).reduce((sum, octet) => sum * 256 + octet, 0)]
  }
  const found: Uint8Array[] = []
  for (let at = size(0)[0]; at < encoded.length;) {
    const [head, length] = size(at)
    found.push(encoded.subarray(at, at + head + length))
    at += head + length
  }
  return found
}

function partsOf(cms: Uint8Array) {
  const members = inside(inside(inside(cms)[1] ?? cms)[0] ?? cms)
  const info = inside(inside(members.at(-1) ?? cms)[0] ?? cms)
  const hasUnsigned = info.at(-1)?.[0] === 0xa1
  return {
    encapsulated: members[2] ?? cms,
    certificates: members.find(([tag]) => tag === 0xa0),
    crls: members.find(([tag]) => tag === 0xa1),
    fields: hasUnsigned ? info.slice(0, -1) : info,
    unsigned: hasUnsigned ? (info.at(-1) ?? cms) : undefined,
  }
}
const unwrapped = (attributes: Uint8Array): Uint8Array => concatBytes(...inside(attributes))

export function stamp(over: Uint8Array, at: string, unsigned?: readonly Uint8Array[], by: Issued = unit): Uint8Array {
  return signedData({
    contentType: tstInfo,
    content: stampInfo({ digest: digestOf(over), genTime: new Date(at) }),
    signer: by,
    issuer: laterRoot.subject,
    certificates: [by.der],
    ...(unsigned === undefined ? {} : { unsigned }),
  })
}

/** A step that adds something to a signature: what was there, and its value. */
export type Step = (cms: Uint8Array, value: Uint8Array) => Uint8Array
const find = (cms: Uint8Array, ...ids: readonly string[]): Uint8Array[] => {
  const all = inside(partsOf(cms).unsigned ?? octetString(new Uint8Array()))
  return ids.flatMap((id) => all.filter((each) => Buffer.from(each).includes(Buffer.from(oid(id)))))
}

export const steps = {
  signature:
    (at: string): Step =>
    (_, value) =>
      attribute(attributeIds.signature, stamp(value, at)),
  references: (): Step => () =>
    attribute(attributeIds.certificateReferences, sequence(sequence(octetString(digestOf(laterRoot.der, 'sha1'))))),
  revocations: (): Step => () =>
    attribute(attributeIds.revocationReferences, sequence(sequence(octetString(digestOf(crl, 'sha1'))))),
  values: (): Step => () => attribute(attributeIds.certificateValues, sequence(laterRoot.der)),
  complete:
    (at: string): Step =>
    (cms, value) => {
      const { signature, certificateReferences, revocationReferences } = attributeIds
      const those = find(cms, signature, certificateReferences, revocationReferences).map(unwrapped)
      return attribute(attributeIds.complete, stamp(concatBytes(value, ...those), at))
    },
  referencesStamped:
    (at: string): Step =>
    (cms) => {
      const those = find(cms, attributeIds.certificateReferences, attributeIds.revocationReferences).map(unwrapped)
      return attribute(attributeIds.references, stamp(concatBytes(...those), at))
    },
  version2:
    (at: string, form: 'whole' | 'bare' = 'whole'): Step =>
    (cms) => {
      const { encapsulated, certificates, crls, fields, unsigned } = partsOf(cms)
      const isDetached = inside(encapsulated).length === 1
      const last = unsigned === undefined ? [] : [form === 'whole' ? unsigned : unwrapped(unsigned)]
      const all = [encapsulated, ...(isDetached ? [content] : []), certificates, crls, ...fields, ...last]
      return attribute(
        attributeIds.version2,
        stamp(concatBytes(...all.flatMap((each) => (each === undefined ? [] : [each]))), at),
      )
    },
  version3:
    (at: string, version: 1 | 2 | 3 = 3, more: readonly Uint8Array[] = []): Step =>
    (cms) => {
      const { encapsulated, certificates, crls, fields, unsigned } = partsOf(cms)
      const hashes = (all: readonly Uint8Array[]): Uint8Array => sequence(...all.map((each) => octetString(digestOf(each))))
      const attributes = unsigned === undefined ? [] : inside(unsigned)
      const values = attributes.flatMap((each) => {
        const [type, set] = inside(each)
        return inside(set ?? each).map((value) => concatBytes(type ?? each, value))
      })
      const index = sequence(
        ...(version === 1 ? [] : [sha256Id]),
        hashes(certificates === undefined ? [] : inside(certificates)),
        hashes([...(crls === undefined ? [] : inside(crls)), ...more]),
        hashes(version === 3 ? values : attributes),
      )
      const [type = encapsulated] = inside(encapsulated)
      const over = concatBytes(type, digestOf(content), ...fields, index)
      return attribute(attributeIds.version3, stamp(over, at, [attribute(indexIds[version], index)]))
    },
  internal:
    (at: string): Step =>
    (cms) =>
      attribute(attributeIds.internal, recordOf({ chains: [[{ token: stamp(cms, at) }]] })),
  external:
    (at: string, over: Uint8Array = content): Step =>
    (cms) => {
      const both = [digestOf(cms), digestOf(over)]
      const token = stamp(concatBytes(...both.toSorted((a, b) => Buffer.compare(a, b))), at)
      return attribute(attributeIds.external, recordOf({ chains: [[{ lists: [both], token }]] }))
    },
  /** RFC 5652 §11.4: over the signature value, without a type of content. */
  counter:
    (over?: Uint8Array): Step =>
    (_, value) => {
      const named = sequence(sequence(sequence(octetString(digestOf(witness.der)))))
      const attributes = setOf([
        attribute('1.2.840.113549.1.9.4', octetString(digestOf(over ?? value))),
        attribute('1.2.840.113549.1.9.16.2.47', named),
      ])
      const info = sequence(
        Uint8Array.of(2, 1, 1),
        sequence(laterRoot.subject, Uint8Array.of(2, 1, 4)),
        sha256Id,
        retag(attributes, 0xa0),
        sequence(oid('1.2.840.10045.4.3.2')),
        octetString(signed(attributes, witness.key)),
      )
      return attribute(attributeIds.counter, info)
    },
  oldest:
    (at: string): Step =>
    (cms) =>
      attribute(attributeIds.oldest, stamp(cms, at)),
}

/** A signature with what the steps add, one after the other. */
export function grown(
  given: readonly Step[],
  options: { readonly detached?: boolean; readonly crls?: boolean } = {},
): Uint8Array {
  const all = {
    contentType: data,
    content,
    signer,
    issuer: laterRoot.subject,
    certificates: [signer.der, witness.der],
    detached: options.detached !== false,
    ...(options.crls === true ? { crls: [crl] } : {}),
  }
  let value: Uint8Array = new Uint8Array()
  let cms = signedData({ ...all, alter: (made) => (value = made) })
  const unsigned: Uint8Array[] = []
  for (const step of given) {
    unsigned.push(step(cms, value))
    cms = signedData({ ...all, unsigned, alter: () => value })
  }
  return cms
}
