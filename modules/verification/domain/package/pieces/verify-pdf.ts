import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, equalBytes } from '../../../../../kernel/bytes.ts'
import { ids } from '../../certificate/object-ids.ts'
import { findPath } from '../../certificate/certificate-path.ts'
import { checkSignedData, hasStrayCertificate, readSignedData } from '../seal/read-signed-data.ts'
import type { SignedData } from '../seal/read-signed-data.ts'
import { malformed, readDer } from '../../encoding/der.ts'
import type { Der } from '../../encoding/der.ts'
import { digestPart } from '../../file/digest-part.ts'
import { compareRevisions } from '../../pdf/changes/compare-revisions.ts'
import { openDocument, startOfCrossReference } from '../../pdf/document/document.ts'
import { hasEvidence } from '../../cms/judge-signer.ts'
import { openView } from '../../pdf/open-view.ts'
import { viewOf } from '../../pdf/document/view.ts'
import { findSignatures, gapOf } from '../../pdf/document/find-signatures.ts'
import { readSecurityStore } from '../../pdf/signature/read-dss.ts'
import { latin } from '../../pdf/document/syntax.ts'
import type { Readable } from '../../file/readable.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import { verifyTimestamp } from '../seal/verify-timestamp.ts'
import type { TimestampFacts } from '../../report/package-report.ts'
import { buildChain } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'

export type PdfOutcome =
  | {
      readonly status: 'passed'
      /** As measured (EN 319 142-1 §6). */
      readonly level: 'B-T' | 'B-LTA'
      readonly signer: string
      readonly signer_sha256: string
      readonly root_sha256: string
      readonly timestamp: TimestampFacts
      /** Over the signature, its validation data and the whole document. */
      readonly document_timestamp?: TimestampFacts
    }
  | { readonly status: 'failed' | 'indeterminate'; readonly reason: string }

/** The last signature's dictionary stands in the last update; ours leaves 64 kB for Contents. */
const tailBytes = 1 << 20

type Known = { readonly platform: readonly Certificate[]; readonly time: readonly Certificate[] }

/**
 * Checks a report: the platform's signature with a token over it (PAdES B-T, EN 319 142-1), and when there is one, the document
 * timestamp over that, its validation data and everything (B-LTA). Its ByteRange covers the whole file but the gap of its own Contents,
 * so that no octet changes unseen, and nothing but validation data may stand between. @throws MalformedError, or what reading the
 * file throws.
 */
export async function verifyPdf(file: Readable, known: Known, deps: VerifyDeps): Promise<PdfOutcome> {
  const gap = await findGap(file)
  if (gap === undefined) return { status: 'failed', reason: 'unsigned' }
  const cms = contentsOf(latin(await file.read(gap.start, gap.end - gap.start)))
  const data = readSignedData(cms)
  const { sha256: digest } = await digestPart(
    file,
    [
      { offset: 0, length: gap.start },
      { offset: gap.end, length: file.size - gap.end },
    ],
    deps,
  )
  if (data.contentType !== ids.tstInfo) return verifySigned(data, digest, known)
  const stamp = verifyTimestamp(cms, { digest, known: known.time, form: 'token' })
  if (stamp.status !== 'passed') return { status: stamp.status, reason: `timestamp_${stamp.reason}` }
  const stored = await readStored(file, deps)
  if (typeof stored === 'string') return { status: 'failed', reason: stored }
  const inner = await verifyPdf(stored.signed, known, deps)
  if (inner.status !== 'passed' || inner.level !== 'B-T') return inner
  const pool = [...known.platform, ...known.time, ...stored.store.certificates]
  const certificates = [...pool, ...stored.enclosed]
  const at = new Date(inner.timestamp.gen_time)
  const lasts = [inner.signer_sha256, inner.timestamp.signer_sha256].every((each) => {
    const leaf = certificates.find(({ sha256 }) => sha256 === each)
    return leaf !== undefined && hasEvidence(leaf, findPath(leaf, pool, [], at), stored.store.evidence, pool, at)
  })
  if (!lasts) return { status: 'failed', reason: 'revocation' }
  return { ...inner, level: 'B-LTA', document_timestamp: stamp.facts }
}

function verifySigned(data: SignedData, digest: Uint8Array, known: Known): PdfOutcome {
  const fail = (reason: string): PdfOutcome => ({ status: 'failed', reason })
  if (data.contentType !== ids.data || data.content !== undefined || data.digest !== 'sha256') return fail('content_type')
  const checked = checkSignedData(data, digest)
  if (typeof checked === 'string') return fail(checked)
  const token: Der | undefined = data.unsigned.get(ids.signatureTimestamp)
  if (token === undefined) return fail('timestamp_absent')
  if (data.unsigned.size !== 1) return fail('unaccounted')
  const timestamp = verifyTimestamp(token.encoded, { digest: sha256(data.signature), known: known.time, form: 'token' })
  if (timestamp.status !== 'passed') return { status: timestamp.status, reason: `timestamp_${timestamp.reason}` }
  const pool = [...known.platform, ...data.certificates]
  const chain = buildChain(checked.signer, pool, new Date(timestamp.facts.gen_time))
  if (typeof chain === 'string') return fail(chain)
  if (!known.platform.some((each) => equalBytes(each.encoded, chain.root.encoded))) return fail('other_signer')
  if (hasStrayCertificate(data, pool)) return { status: 'indeterminate', reason: 'unaccounted' }
  if (checked.weak || chain.weak) return { status: 'indeterminate', reason: 'weak_algorithm' }
  return {
    status: 'passed',
    level: 'B-T',
    signer: checked.signer.name,
    signer_sha256: checked.signer.sha256,
    root_sha256: chain.root.sha256,
    timestamp: timestamp.facts,
  }
}

/** The report as it was signed, without what was added to keep it verifiable; or that something else was added. */
async function readStored(file: Readable, deps: VerifyDeps) {
  const { document, cache, view: final } = await openView(openDocument(file, deps.signal))
  const [first, second, third] = await findSignatures(final)
  if (first === undefined || second?.isTimestamp !== true || third !== undefined) return 'pdf_changed'
  const gap = await gapOf(document, first.dictionary)
  if (typeof gap === 'string') return 'pdf_changed'
  const size = gap.exactEnd
  const start = await startOfCrossReference(document, size)
  const at = final.sections.findIndex((section) => section.at === start)
  if (at < 1) return 'pdf_changed'
  const { changes } = await compareRevisions(document, viewOf(document, final.sections.slice(at), cache), final)
  if (changes.some(({ kind }) => kind !== 'validation_data' && kind !== 'timestamp')) return 'pdf_changed'
  const hex = latin(await file.read(gap.start, gap.end - gap.start))
  const enclosed = readSignedData(contentsOf(hex))
  const token = enclosed.unsigned.get(ids.signatureTimestamp)
  return {
    signed: { size, read: (offset: number, length: number) => file.read(offset, length) },
    store: await readSecurityStore(document, final),
    enclosed: [...enclosed.certificates, ...(token === undefined ? [] : readSignedData(token.encoded).certificates)],
  }
}

async function findGap(file: Readable): Promise<{ start: number; end: number } | undefined> {
  const from = Math.max(0, file.size - tailBytes)
  const tail = latin(await file.read(from, file.size - from))
  const at = tail.lastIndexOf('/ByteRange')
  const match = at < 0 ? null : /^\/ByteRange ?\[ ?0 +(\d{1,15}) +(\d{1,15}) +(\d{1,15}) *\]/.exec(tail.slice(at, at + 100))
  if (match === null) return undefined
  const [start = 0, end = 0, rest = 0] = match.slice(1).map(Number)
  const whole = start < end && end + rest === file.size && start >= from && end - start < tailBytes
  return whole && tail.charAt(start - from) === '<' && tail.charAt(end - from - 1) === '>' ? { start, end } : undefined
}

/** Hexadecimal of the CMS, then nothing but zeros. */
function contentsOf(gap: string): Uint8Array {
  // Nothing covers the case of a digit: whoever writes digits writes them one way.
  if (/[a-f]/.test(gap) && /[A-F]/.test(gap)) malformed('digits in two cases')
  const bytes = fromHex(gap.slice(1, -1))
  const header = bytes.subarray(0, 6)
  const count = (header[1] ?? 0) - 0x80
  if (header[0] !== 0x30 || count < 1 || count > 4) malformed('no CMS in Contents')
  const length = 2 + count + Array.from(bytes.subarray(2, 2 + count)).reduce((size, octet) => size * 256 + octet, 0)
  if (bytes.subarray(length).some((octet) => octet !== 0)) malformed('bytes after the CMS')
  return readDer(bytes.subarray(0, length), 0x30).encoded
}
