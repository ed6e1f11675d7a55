import { toHex } from '../../../../kernel/bytes.ts'
import { digestCompared } from '../cms/digest-content.ts'
import type { Compared } from '../cms/digest-content.ts'
import { MalformedError } from '../encoding/der.ts'
import type { Readable } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { readSignedXml } from '../xml/dereference.ts'
import type { Outside, Reference, SignedXml } from '../xml/dereference.ts'
import { elementsOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { ds } from '../xml/xml-signature.ts'
import { partLeftOut } from './coverage.ts'
import { judgeSignature } from './judge-signature.ts'
import type { JudgedSignature } from './judge-signature.ts'

/** Words `verification.proof.xades.<id>`, or those of CMS, which has the same checks. */
export const xadesCheckIds = [
  'form',
  'reference',
  'signed_properties',
  'signer',
  'signing_certificate',
  'signature',
  'content_timestamp',
  'signature_timestamp',
  'references_timestamp',
  'archive_timestamp',
  'time_mark',
  'signing_time',
  'policy',
  'key_usage',
  'chain',
  'validity',
  'algorithms',
  'trust',
  'revocation',
  'current',
  'octets',
  'unevaluated',
  'unsigned',
  'covered',
] as const

/** Words `verification.proof.xades.reason.<reason>`, besides those of CMS and of time stamps. */
export const xadesReasons = [
  'no_signature',
  'document_type',
  'encoding',
  'malformed',
  'too_large',
  'too_many',
  'missing',
  'differs',
  'ambiguous_id',
  'not_xml',
  'unknown_digest',
  'unknown_pointer',
  'unknown_transform',
  'weak_digest',
  'properties_unsigned',
  'other_target',
  'other_type',
  'other_format',
  'not_evaluated',
  'timestamp_form',
  'out_of_order',
  'policy_implied',
  'policy_named',
  'part_uncovered',
  'other_countersigned',
  'other_mark',
  'mark_absent',
] as const

export type XadesProof = {
  readonly bytes: Uint8Array
  /** What a detached signature is over. */
  readonly content?: Compared
  /** Files of the container that it stands in, by the address of a reference. In place of `content`. */
  readonly outside?: SignedXml['outside']
}

/** With what each signature leads to. */
export type XadesReport = ProofReport & { readonly references: readonly Reference[] }

const largest = 16 << 20
const mostSignatures = 64

/**
 * Verifies the XML signatures of a document (XMLDSIG 1.1) and what XAdES adds (EN 319 132-1, TS 101 903 v1.3.2 and v1.4.1): enveloped,
 * enveloping, or over files beside it; certificates, time stamps and archive time stamps. Never throws but VerificationStopped and what
 * reading the content throws.
 */
export async function verifyXades(proof: XadesProof, deps: VerifyDeps): Promise<XadesReport> {
  const unusable = (reason: string, status: 'failed' | 'indeterminate' = 'failed'): XadesReport => ({
    ...proofReport('xades', deps, { checks: [{ id: 'form', status, data: { reason } }], unusable: status === 'failed' }),
    references: [],
  })
  if (proof.bytes.length > largest) return unusable('too_large', 'indeterminate')
  try {
    const outside = proof.outside ?? besides(proof.content, deps)
    const signed = readSignedXml(proof.bytes, outside)
    const all = [...elementsOf(signed.document.root)].filter(({ namespace, local }) => namespace === ds && local === 'Signature')
    if (all.length === 0) return unusable('no_signature')
    if (all.length > mostSignatures) return unusable('too_many', 'indeterminate')
    return await verify(all, signed, deps)
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    const head = new TextDecoder().decode(proof.bytes.subarray(0, 4096))
    if (head.includes('<!DOCTYPE')) return unusable('document_type', 'indeterminate')
    return /^<\?xml[^>]*encoding=["'](?!utf-8)/i.test(head) ? unusable('encoding', 'indeterminate') : unusable('malformed')
  }
}

async function verify(all: readonly XmlElement[], signed: SignedXml, deps: VerifyDeps): Promise<XadesReport> {
  const checks: ProofCheck[] = [{ id: 'form', status: 'passed', data: { count: all.length } }]
  const facts: Fact[] = []
  const bound: Bound[] = []
  const dates: ProvenDate[] = []
  const references: Reference[] = []
  for (const [i, element] of all.entries()) {
    const subject = all.length > 1 ? `signature ${i + 1}` : undefined
    const found = await judgeOrReason(element, signed, deps)
    checks.push(...found.checks.map((check) => (subject === undefined ? check : { ...check, subject: check.subject ?? subject })))
    facts.push(...found.facts)
    references.push(...found.references)
    if (!found.checks.some(({ status }) => status === 'failed')) dates.push(...found.dates)
    for (const each of found.bound) if (!bound.some(({ hex }) => hex === each.hex)) bound.push(each)
    await deps.pause?.()
  }
  checks.push(coveredCheck(signed, references))
  return { ...proofReport('xades', deps, { checks, facts, bound, dates }), references }
}

async function judgeOrReason(element: XmlElement, signed: SignedXml, deps: VerifyDeps): Promise<JudgedSignature> {
  try {
    return await judgeSignature(element, signed, deps)
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    const check: ProofCheck = { id: 'signature', status: 'failed', data: { reason: 'malformed', algorithm: '' } }
    return { checks: [check], facts: [], bound: [], dates: [], references: [] }
  }
}

/** Whether every part of the document is signed, or is the signatures themselves. */
function coveredCheck({ document }: SignedXml, references: readonly Reference[]): ProofCheck {
  const id = 'covered'
  const part = partLeftOut(document, references)
  return part === undefined
    ? { id, status: 'passed', data: { name: '' } }
    : { id, status: 'indeterminate', data: { name: part, reason: 'part_uncovered' } }
}

/** Where nothing says which file is which, what is given is the one with the digest that is stated; of one reference it must be. */
function besides(content: Compared | undefined, deps: VerifyDeps): SignedXml['outside'] {
  const asked = new Set<string | undefined>()
  return (uri): Outside => {
    asked.add(uri)
    return {
      name: decoded(uri ?? ''),
      digest: async (name, stated) => {
        const found = content === undefined ? undefined : await digestCompared(content, name, deps)
        return found === undefined || asked.size === 1 || toHex(found) === toHex(stated) ? found : undefined
      },
      read: async () => (content === undefined ? undefined : await octetsOf(content)),
    }
  }
}

export const mostRead = 64 << 20

async function octetsOf(content: Compared): Promise<Uint8Array | undefined> {
  if ('bytes' in content) return content.bytes
  return 'file' in content && content.file.size <= mostRead ? await readWhole(content.file) : undefined
}

async function readWhole(file: Readable): Promise<Uint8Array> {
  return await file.read(0, file.size)
}

/** The path that a relative address means (RFC 3986). */
export function decoded(uri: string): string {
  const path = uri.replace(/^(?:\.?\/)+/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
