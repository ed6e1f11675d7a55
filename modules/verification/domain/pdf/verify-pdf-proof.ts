import { toHex } from '../../../../kernel/bytes.ts'
import { readTrust } from '../certificate/read-trust.ts'
import { MalformedError } from '../encoding/der.ts'
import type { Readable } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { judgeChanges } from './judge-changes.ts'
import { openDocument } from './document/document.ts'
import { openView } from './open-view.ts'
import type { PdfDocument } from './document/document.ts'
import type { View } from './document/view.ts'
import { findSignatures } from './document/find-signatures.ts'
import type { FieldSignature } from './document/find-signatures.ts'
import { checkOneSignature } from './signature/check-one-signature.ts'
import type { CheckedSignature } from './signature/checked-signature.ts'
import { latin } from './document/syntax.ts'

/** Words `verification.proof.pdf.<id>.{title,passed,failed,indeterminate}`. */
export const pdfCheckIds = [
  'structure',
  'signed',
  'byte_range',
  'contents',
  'sub_filter',
  'signature',
  'algorithm',
  'octets',
  'certificate',
  'trust',
  'timestamp',
  'time_trust',
  'revocation',
  'later_changes',
  'permissions',
  'covered',
] as const
export type PdfCheckId = (typeof pdfCheckIds)[number]

/** Words `verification.proof.pdf.reason.<reason>`, besides those that the reader of CMS names. */
export const pdfReasons = [
  'ambiguous',
  'annotations_changed',
  'attribute_absent',
  'attribute_malformed',
  'attribute_repeated',
  'bytes_after',
  'bytes_before',
  'certificate_absent',
  'content_absent',
  'content_changed',
  'critical_extension',
  'empty',
  'ends_inside',
  'encrypted',
  'expired',
  'expired_undated',
  'false_signature',
  'form_filled',
  'gap_is_not_contents',
  'history_rewritten',
  'indirect',
  'issuer_absent',
  'locked_field',
  'malformed',
  'mixed_case',
  'names_issuer',
  'no_roots',
  'not_a_token',
  'not_among_roots',
  'not_an_authority',
  'not_four_numbers',
  'not_from_start',
  'not_hexadecimal',
  'not_named',
  'not_pdf',
  'not_permitted',
  'not_yet_valid',
  'other_certificate',
  'other_content',
  'other_content_type',
  'other_imprint',
  'other_serial',
  'past_the_end',
  'path_length',
  'private_key_period',
  'purpose',
  'range_absent',
  'revocation_absent',
  'revocation_older',
  'revoked_before',
  'revoked_compromised',
  'several_signers',
  'sha1_format',
  'timestamp_absent',
  'too_large',
  'too_many',
  'uncovered',
  'unknown_algorithm',
  'unknown_format',
  'unreadable',
  'unsigned',
  'unusual_token',
  'weak_since',
  'weak_then',
] as const

/** Words `verification.proof.pdf.fact.<fact>`. */
export const pdfFactIds = [
  'signature_field',
  'timestamp_field',
  'signer',
  'claimed_time',
  'proven_time',
  'level',
  'authority',
  'stamped_at',
] as const

const mostSignatures = 64

/**
 * Every signature and document timestamp of a PDF by anybody (ISO 32000-2 §12.8, EN 319 142-1): what each covers, whether it holds,
 * who made it and when, the level reached, and what was changed after it. Reads by ranges; throws nothing but VerificationStopped
 * and what reading the file throws.
 */
export async function verifyPdfProof(
  input: { readonly file: Readable; readonly name?: string },
  deps: VerifyDeps,
): Promise<ProofReport> {
  const document = openDocument(input.file, deps.signal)
  const head = latin(await document.read(0, Math.min(1024, document.size)))
  const base = { repeat_command: 'pdfsig document.pdf' }
  if (!head.includes('%PDF-'))
    return proofReport('pdf', deps, {
      unusable: true,
      checks: [{ id: 'structure', status: 'failed', data: { reason: 'not_pdf' }, ...base }],
    })
  try {
    return await verify(document, head, deps)
  } catch (error) {
    if (!(error instanceof MalformedError || error instanceof RangeError)) throw error
    return proofReport('pdf', deps, {
      unusable: error instanceof MalformedError && !(await mayBeSigned(document)),
      checks: [{ id: 'structure', status: 'failed', data: { reason: 'malformed' }, ...base }],
    })
  }
}

const glance = 1 << 16

/**
 * Whether octets of a signature stand anywhere in what cannot be read as a PDF: a dictionary with the digest's ranges is never within
 * a compressed stream (ISO 32000-2 §12.8.1). Where none do, it is a damaged document like any other file, and no broken proof.
 */
async function mayBeSigned(document: PdfDocument): Promise<boolean> {
  const mark = '/ByteRange'
  for (let at = 0; at < document.size; at += glance - mark.length)
    if (latin(await document.read(at, Math.min(glance, document.size - at))).includes(mark)) return true
  return false
}

async function verify(file: PdfDocument, head: string, deps: VerifyDeps): Promise<ProofReport> {
  const { document, cache, view, isLocked } = await openView(file)
  const checks: ProofCheck[] = [structureCheck(head, view)]
  const repeat = { repeat_command: 'pdfsig document.pdf' }
  if (isLocked) {
    // Streams of it are enciphered, those that hold objects too: what signs it is neither found nor judged.
    checks.push({ id: 'signed', status: 'indeterminate', data: { reason: 'encrypted' }, ...repeat })
    return proofReport('pdf', deps, { checks, unusable: !(await mayBeSigned(document)) })
  }
  const found = await findSignatures(view)
  if (found.length === 0 || found.length > mostSignatures) {
    const reason = found.length === 0 ? 'unsigned' : 'too_many'
    checks.push({ id: 'signed', status: 'failed', data: { reason, count: found.length }, ...repeat })
    return proofReport('pdf', deps, { checks, unusable: found.length === 0 })
  }
  checks.push({ id: 'signed', status: 'passed', data: { count: found.length }, ...repeat })
  const anchors = readTrust(deps.trust)
  const checked: CheckedSignature[] = []
  for (const signature of await inOrder(document, found))
    checked.push(
      await checkOneSignature({ document, cache, final: view, signature, subject: subjectOf(signature, checked), anchors }, deps),
    )
  const judged = await judgeChanges(document, view, checked)
  const facts: Fact[] = []
  const dates: ProvenDate[] = []
  const bound: Bound[] = []
  for (const each of checked) {
    const conclusion = each.conclude(checked)
    checks.push(...each.checks, ...conclusion.checks)
    facts.push(...conclusion.facts)
    dates.push(...conclusion.dates)
    if (each.digest !== undefined) bound.push({ algorithm: 'sha256', hex: toHex(each.digest), of: 'message' })
  }
  return proofReport('pdf', deps, { checks: [...checks, ...judged], facts, dates, bound })
}

function structureCheck(head: string, view: View): ProofCheck {
  const base = { id: 'structure' as const, data: { revisions: view.sections.length } }
  if (!head.startsWith('%PDF-')) return { ...base, status: 'indeterminate', data: { ...base.data, reason: 'bytes_before' } }
  return { ...base, status: 'passed' }
}

/** In the order in which they were made: by the end of what each covers. */
async function inOrder(document: PdfDocument, found: readonly FieldSignature[]): Promise<FieldSignature[]> {
  const end = ({ dictionary }: FieldSignature): number => {
    const range = dictionary.entries.get('ByteRange')
    const [second, third] = Array.isArray(range) ? [range[2], range[3]] : []
    return typeof second === 'number' && typeof third === 'number' ? second + third : document.size + 1
  }
  return found.toSorted((a, b) => end(a) - end(b))
}

/** `signature 1`, `document timestamp 2`. */
function subjectOf(signature: FieldSignature, before: readonly CheckedSignature[]): string {
  const number = before.filter((each) => each.isTimestamp === signature.isTimestamp).length + 1
  return `${signature.isTimestamp ? 'document timestamp' : 'signature'} ${number}`
}
