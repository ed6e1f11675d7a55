import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, equalBytes } from '../../../kernel/bytes.ts'
import { ids } from './algorithms.ts'
import { checkSignedData, hasStrayCertificate, readSignedData } from './cms.ts'
import { malformed, readDer } from './der.ts'
import type { Der } from './der.ts'
import { digestPart } from './package-source.ts'
import type { Readable, VerifyDeps } from './package-source.ts'
import { verifyTimestamp } from './verify-timestamp.ts'
import type { TimestampFacts } from './verify-timestamp.ts'
import { buildChain } from './x509.ts'
import type { Certificate } from './x509.ts'

export type PdfOutcome =
  | {
      readonly status: 'passed'
      readonly signer: string
      readonly signer_sha256: string
      readonly root_sha256: string
      readonly timestamp: TimestampFacts
    }
  | { readonly status: 'failed' | 'indeterminate'; readonly reason: string }

/** The last signature's dictionary stands in the last update; ours leaves 64 kB for Contents. */
const tailBytes = 1 << 20

/**
 * Checks the last signature of a PDF at level PAdES B-T (EN 319 142-1): its ByteRange covers the whole file but the gap of its own
 * Contents, the CMS holds, and a token over the signature dates it. @throws MalformedError, or what reading throws.
 */
export async function verifyPdf(
  file: Readable,
  known: { readonly platform: readonly Certificate[]; readonly time: readonly Certificate[] },
  deps: VerifyDeps,
): Promise<PdfOutcome> {
  const fail = (reason: string): PdfOutcome => ({ status: 'failed', reason })
  const gap = await findGap(file)
  if (gap === undefined) return fail('unsigned')
  const hex = latin(await file.read(gap.start, gap.end - gap.start))
  const cmsBytes = contentsOf(hex)
  const data = readSignedData(cmsBytes)
  if (data.contentType !== ids.data || data.content !== undefined || data.digest !== 'sha256') return fail('content_type')
  const digest = await digestPart(
    file,
    [
      { offset: 0, length: gap.start },
      { offset: gap.end, length: file.size - gap.end },
    ],
    deps,
  )
  const checked = checkSignedData(data, digest.sha256)
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
    signer: checked.signer.name,
    signer_sha256: checked.signer.sha256,
    root_sha256: chain.root.sha256,
    timestamp: timestamp.facts,
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
  const bytes = fromHex(gap.slice(1, -1))
  const header = bytes.subarray(0, 6)
  const count = (header[1] ?? 0) - 0x80
  if (header[0] !== 0x30 || count < 1 || count > 4) malformed('no CMS in Contents')
  const length = 2 + count + Array.from(bytes.subarray(2, 2 + count)).reduce((size, octet) => size * 256 + octet, 0)
  if (bytes.subarray(length).some((octet) => octet !== 0)) malformed('bytes after the CMS')
  return readDer(bytes.subarray(0, length), 0x30).encoded
}

function latin(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return parts.join('')
}
