import { concatBytes, toHex } from '../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../hash/digests.ts'
import { ids } from '../certificate/object-ids.ts'
import type { DigestName } from '../hash/digests.ts'
import { children, octets, oidOf, sequence, tagged } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import { derElement, derSequence } from '../evidence-record/hashes-of-record.ts'
import { compareBytes } from '../opentimestamps/operation.ts'
import { readCms } from '../cms/read-cms.ts'
import type { AnyCms, AnySigner } from '../cms/read-cms.ts'

/** Unsigned attributes that prove something of what stands before them (EN 319 122-1 §5.3 to §5.6, TS 101 733 §6.2 to §6.4, RFC 4998 App. A). */
export const laterForms: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.9.16.2.14': 'signature-time-stamp',
  '1.2.840.113549.1.9.16.2.25': 'CAdES-C-time-stamp',
  '1.2.840.113549.1.9.16.2.26': 'time-stamped-certs-crls-references',
  '1.2.840.113549.1.9.16.2.48': 'archive-time-stamp-v2',
  '0.4.0.1733.2.4': 'archive-time-stamp-v3',
  '1.2.840.113549.1.9.16.2.49': 'internal-evidence-record',
  '1.2.840.113549.1.9.16.2.50': 'external-evidence-record',
}

export const attributeId = (attribute: Der): string => oidOf(sequence(attribute, 2)[0])
export const formOf = (attribute: Der): string | undefined => laterForms[attributeId(attribute)]
export const valuesOf = (attribute: Der): Der[] => children(tagged(sequence(attribute, 2)[1], 0x31))

export type Question = {
  readonly cms: AnyCms
  readonly signer: AnySigner
  /** Digest of the content, with octets around it; undefined when it is not at hand. */
  readonly digestOf: (
    algorithm: DigestName,
    around?: { readonly before: Uint8Array; readonly after: Uint8Array },
  ) => Promise<Uint8Array | undefined>
}

/** What was stamped, in the forms that writers have; the attributes that this covers. */
export type Imprint = {
  readonly digests: readonly Uint8Array[]
  readonly covered: readonly Der[]
  /** An index of version 3 names what is not here. */
  readonly isUnmatched?: boolean
}

/** @returns undefined when the content is needed and not at hand. @throws MalformedError */
export async function laterImprint(
  { form, value, algorithm }: { form: string; value: Der; algorithm: DigestName },
  question: Question,
  earlier: (attribute: Der) => boolean,
): Promise<Imprint | undefined> {
  const { signer } = question
  const over = (signature: Uint8Array, ...ids: readonly string[]): Imprint => {
    const inOrder = ids.flatMap((id) => signer.attributes.filter((each) => attributeId(each) === id))
    const asTheyStand = signer.attributes.filter((each) => inOrder.includes(each))
    // Type and values without the sequence around them (TS 101 733 §6.3.5, note 2).
    const octets = (covered: readonly Der[]) => concatBytes(signature, ...covered.map(({ contents }) => contents))
    return { digests: [inOrder, asTheyStand].map((each) => digests[algorithm](octets(each))), covered: inOrder }
  }
  if (form === 'signature-time-stamp') return over(signer.signature)
  if (form === 'time-stamped-certs-crls-references') return over(new Uint8Array(), ...references)
  if (form === 'CAdES-C-time-stamp') return over(signer.signature, ids.signatureTimestamp, ...references)
  if (form === 'archive-time-stamp-v2') return await version2(algorithm, question, earlier)
  if (form === 'archive-time-stamp-v3') return await version3(value, algorithm, question)
  const content = await question.digestOf(algorithm)
  return content === undefined ? undefined : { digests: [content], covered: [] }
}

const references = ['1.2.840.113549.1.9.16.2.21', '1.2.840.113549.1.9.16.2.22']

/** EN 319 122-1 §5.5.3: type and digest of the content, the signer's own elements, and an index of the digests of all that stands beside. */
async function version3(value: Der, algorithm: DigestName, { cms, signer, digestOf }: Question): Promise<Imprint | undefined> {
  const { encapsulated, certificates, revocation } = cms.elements
  const content = await digestOf(algorithm)
  if (content === undefined) return undefined
  const unsigned = readCms(value.encoded).signers[0]?.unsigned
  const version = indexes.find((each) => unsigned?.has(each))
  const [index] = unsigned?.get(version ?? '') ?? []
  const parts = index === undefined ? [] : sequence(index, 3, 4)
  const name = parts.length === 4 ? digestNamed(oidOf(sequence(parts.shift(), 1, 2)[0])) : 'sha256'
  const listed = parts.map((each) => new Set(children(each).map((one) => toHex(octets(one)))))
  const has = (i: number, ...bytes: readonly Uint8Array[]): boolean =>
    name !== undefined && listed[i]?.delete(toHex(digests[name](concatBytes(...bytes)))) === true
  for (const [i, set] of [certificates, revocation].entries())
    for (const each of set === undefined ? [] : children(set)) has(i, each.encoded)
  const covered = signer.attributes.filter((attribute) => {
    if (version !== indexes[0]) return has(2, attribute.encoded)
    const found = valuesOf(attribute).map((each) => has(2, encodedId(attribute), each.encoded))
    return found.length > 0 && found.every(Boolean)
  })
  const parties = [
    ...children(encapsulated)
      .slice(0, 1)
      .map(({ encoded }) => encoded),
    content,
    ...signer.fields.map(({ encoded }) => encoded),
  ]
  return {
    digests: [digests[algorithm](concatBytes(...parties, index?.encoded ?? new Uint8Array()))],
    covered,
    isUnmatched: index === undefined || listed.some(({ size }) => size > 0),
  }
}

/** ats-hash-index-v3 (each value by itself), -v2 and the first (each attribute). */
const indexes = ['0.4.0.19122.1.5', '0.4.0.19122.1.4', '0.4.0.1733.2.5']

/** TS 101 733 §6.4.1 and annex K: everything as it stands; an older edition left the tag and length of the unsigned attributes out. */
async function version2(
  algorithm: DigestName,
  { cms, signer, digestOf }: Question,
  earlier: (attribute: Der) => boolean,
): Promise<Imprint | undefined> {
  const covered = signer.attributes.filter(earlier)
  const unsigned = covered.map(({ encoded }) => encoded)
  const found: Uint8Array[] = []
  for (const { encapsulated, sets } of writtenForms(cms))
    for (const last of [[derElement(0xa1, unsigned)], unsigned]) {
      const around = {
        before: encapsulated,
        after: concatBytes(...sets, ...signer.fields.map(({ encoded }) => encoded), ...last),
      }
      const digest =
        cms.content === undefined
          ? await digestOf(algorithm, around)
          : digests[algorithm](concatBytes(around.before, around.after))
      if (digest === undefined) return undefined
      found.push(digest)
    }
  return { digests: found, covered }
}

/** With definite lengths, and as received where that is something else. */
function writtenForms({ elements, received }: AnyCms): { encapsulated: Uint8Array; sets: Uint8Array[] }[] {
  const { encapsulated, certificates, revocation } = elements
  const sets = [certificates, revocation].flatMap((each) => (each === undefined ? [] : [each.encoded]))
  const definite = { encapsulated: encapsulated.encoded, sets }
  const [, , content, ...rest] = received?.members ?? []
  return content === undefined ? [definite] : [definite, { encapsulated: content, sets: rest.slice(0, -1) }]
}

/**
 * The signature as it stood before an attribute was added (RFC 4998 Appendix A, EN 319 122-1 §5.6): what an evidence record in it is over.
 * As DER, with the signers where they stand or where their new lengths put them (X.690 §11.6), and as received.
 */
export function asItStood({ elements, received }: AnyCms, signer: AnySigner, earlier: (attribute: Der) => boolean): Uint8Array[] {
  const { before, encapsulated, certificates, revocation, signers } = elements
  const kept = signer.attributes.filter(earlier).map(({ encoded }) => encoded)
  const own = derSequence([
    ...signer.fields.map(({ encoded }) => encoded),
    ...(kept.length === 0 ? [] : [derElement(0xa1, kept)]),
  ])
  const infos = signers.map((each) => (isOf(each, signer) ? own : each.encoded))
  const parts = [...before, encapsulated, certificates, revocation].flatMap((each) => (each === undefined ? [] : [each.encoded]))
  const forms = [infos, infos.toSorted(compareBytes)].map((each) =>
    derSequence([signedDataId, derElement(0xa0, [derSequence([...parts, derElement(0x31, each)])])]),
  )
  if (received === undefined) return forms
  const [outer, wrapper, inner] = received.indefinite.map((isIndefinite) =>
    isIndefinite
      ? (tag: number, all: readonly Uint8Array[]) => concatBytes(Uint8Array.of(tag, 0x80), ...all, new Uint8Array(2))
      : derElement,
  )
  if (outer === undefined || wrapper === undefined || inner === undefined) return forms
  const whole = inner(0x30, [...received.members.slice(0, -1), derElement(0x31, infos)])
  return [...forms, outer(0x30, [signedDataId, wrapper(0xa0, [whole])])]
}

const isOf = (info: Der, { fields }: AnySigner): boolean =>
  children(info)[0]?.encoded.byteOffset === fields[0]?.encoded.byteOffset
const encodedId = (attribute: Der): Uint8Array => children(attribute)[0]?.encoded ?? attribute.encoded
const signedDataId = Uint8Array.of(0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2)
