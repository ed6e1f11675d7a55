import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import type { DigestName } from '../algorithms.ts'
import { verifyCms } from '../cms/verify-cms.ts'
import { MalformedError } from '../der.ts'
import type { Readable } from '../package-source.ts'
import { collapse } from '../pdf/collapse-checks.ts'
import { proofReport } from '../proof.ts'
import type { Bound, Fact, ProofCheck, ProofDeps, ProofReport, ProvenDate } from '../proof.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { digestEntry, largestUnpacked } from '../zip/digest-entry.ts'
import { readAnyZip, readEntry } from '../zip/read-any-zip.ts'
import type { AnyEntry, AnyZip } from '../zip/read-any-zip.ts'
import { readAnyManifest } from './read-any-manifest.ts'
import type { AnyReference } from './read-any-manifest.ts'

/** Words `verification.proof.asic.<id>.{title,passed,failed,indeterminate}`. */
export const asicCheckIds = [
  'container',
  'mimetype',
  'signed',
  'manifest',
  'data_object',
  'signature',
  'timestamp',
  'trust',
  'xades',
  'evidence_record',
  'covered',
] as const

/** Words `verification.proof.asic.reason.<reason>`, besides those of the container, of signatures and of time stamps. */
export const asicReasons = [
  'malformed',
  'missing',
  'differs',
  'unknown_digest',
  'weak_digest',
  'unpackable',
  'not_first',
  'compressed_mimetype',
  'mimetype_extra',
  'mimetype_absent',
  'unknown_mimetype',
  'unsigned',
  'signature_missing',
  'signature_shared',
  'several_objects',
  'no_object',
  'not_checked_here',
  'uncovered',
  'coverage_unknown',
] as const

export const asicFactIds = ['entries', 'signer', 'level', 'gen_time', 'authority'] as const

const largestSignature = 16 << 20
const mostBound = 200
const manifestName = /^META-INF\/[^/]*ASiC(?:Archive)?Manifest[^/]*\.xml$/i
const cmsName = /^META-INF\/[^/]*signature[^/]*\.p7[sm]$/i
const tokenName = /^META-INF\/[^/]*timestamp[^/]*\.tst$/i
const xadesName = /^META-INF\/[^/]*signatures?[^/]*\.xml$/i
const recordName = /^META-INF\/[^/]*(?:evidencerecord[^/]*\.(?:ers|xml)|ASiCEvidenceRecordManifest[^/]*\.xml)$/i
const types: Readonly<Record<string, string>> = {
  'application/vnd.etsi.asic-s+zip': 'ASiC-S',
  'application/vnd.etsi.asic-e+zip': 'ASiC-E',
}

type Input = { readonly file: Readable; readonly zip: AnyZip; readonly deps: ProofDeps }

/**
 * An associated signature container (EN 319 162-1): ASiC-S and ASiC-E with CAdES signatures or time stamps. Which files each covers,
 * whether their bytes are those, and what is covered by none. XAdES and evidence records are recognised and said not to be checked
 * here (decision 0150). Throws nothing but VerificationStopped and what reading the file throws.
 */
export async function verifyAsicProof(
  input: { readonly file: Readable; readonly name?: string },
  deps: ProofDeps,
): Promise<ProofReport> {
  const zip = await readAnyZip(input.file)
  const [flaw] = zip.flaws
  if (zip.entries.length === 0 || flaw?.reason === 'overlap')
    return proofReport('asic', deps, {
      unusable: flaw?.reason === 'not_zip',
      checks: [{ id: 'container', status: 'failed', data: { reason: flaw?.reason ?? 'truncated', path: flaw?.path ?? '' } }],
    })
  const context: Input = { file: input.file, zip, deps }
  const checks: ProofCheck[] = [containerCheck(zip), await mimetypeCheck(context)]
  const found = await checkSignatures(context)
  if (found.signatures === 0)
    checks.push({
      id: 'signed',
      status: found.others > 0 ? 'indeterminate' : 'failed',
      data: { reason: found.others > 0 ? 'not_checked_here' : 'unsigned', count: 0 },
    })
  else checks.push({ id: 'signed', status: 'passed', data: { count: found.signatures } })
  checks.push(...found.checks, coveredCheck(zip, found))
  return proofReport('asic', deps, {
    checks,
    facts: [{ id: 'entries', value: zip.entries.length, form: 'count' }, ...found.facts],
    bound: found.bound.slice(0, mostBound),
    dates: found.dates,
  })
}

function containerCheck({ entries, flaws }: AnyZip): ProofCheck {
  const [first] = flaws
  const base = { id: 'container', repeat_command: 'unzip -t container.asice' }
  if (first === undefined) return { ...base, status: 'passed', data: { count: entries.length } }
  // A name in another code page than the one it should be in: which file is meant may be read in two ways, no more.
  const status = flaws.every(({ reason }) => reason === 'name_encoding') ? 'indeterminate' : 'failed'
  return { ...base, status, data: { reason: first.reason, path: first.path ?? '', count: entries.length } }
}

/** EN 319 162-1 §A.1: first, stored, nothing beside it. Advice to recognise containers, so its lack alone fails nothing. */
async function mimetypeCheck({ file, zip }: Input): Promise<ProofCheck> {
  const id = 'mimetype'
  const entry = zip.entries.find(({ path }) => path === 'mimetype')
  if (entry === undefined) return { id, status: 'indeterminate', supplementary: true, data: { reason: 'mimetype_absent' } }
  const say = (reason: string, status: 'failed' | 'indeterminate' = 'indeterminate', name = ''): ProofCheck => ({
    id,
    status,
    ...(status === 'indeterminate' ? { supplementary: true as const } : {}),
    data: { reason, name },
  })
  const bytes = entry.size < 256 ? await readOrNone(file, entry) : undefined
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes)
  const name = types[text]
  if (name === undefined) return say('unknown_mimetype', 'failed', text.slice(0, 100))
  if (entry.headerAt !== 0) return say('not_first')
  if (entry.method !== 0) return say('compressed_mimetype')
  if (entry.dataAt !== 38) return say('mimetype_extra')
  return { id, status: 'passed', data: { name } }
}

type Found = {
  readonly signatures: number
  /** Signatures that are not checked here. */
  readonly others: number
  readonly covered: ReadonlySet<string>
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly bound: readonly Bound[]
  readonly dates: readonly ProvenDate[]
}

async function checkSignatures(context: Input): Promise<Found> {
  const { zip } = context
  const checks: ProofCheck[] = []
  const facts: Fact[] = []
  const bound: Bound[] = []
  const dates: ProvenDate[] = []
  const covered = new Set<string>()
  const used = new Set<string>()
  let signatures = 0
  const add = (report: ProofReport, path: string): void => {
    signatures += 1
    used.add(path)
    checks.push(...summary(report, path))
    facts.push(...report.facts.filter(({ id }) => (asicFactIds as readonly string[]).includes(id)))
    if (report.verdict !== 'TOTAL-FAILED') dates.push(...report.dates)
  }
  for (const entry of zip.entries.filter(({ path }) => manifestName.test(path))) {
    const { path } = entry
    const bytes = await readOrNone(context.file, entry)
    const manifest = bytes === undefined ? undefined : manifestOrNone(bytes)
    if (bytes === undefined || manifest === undefined) {
      checks.push({
        id: 'manifest',
        status: 'failed',
        data: { reason: bytes === undefined ? 'unpackable' : 'malformed' },
        subject: path,
      })
      continue
    }
    covered.add(path)
    checks.push({ id: 'manifest', status: 'passed', data: { count: manifest.references.length }, subject: path })
    for (const reference of manifest.references) {
      covered.add(reference.path)
      const { check, hex } = await checkReference(context, reference)
      checks.push(check)
      if (hex !== undefined && reference.algorithm === 'sha256') bound.push({ algorithm: 'sha256', hex, of: 'entry' })
    }
    // A signature is over one list: whoever names one in thousands of them wants it unpacked and read as often.
    if (used.has(manifest.signature)) {
      const data = { reason: 'signature_shared', path: manifest.signature }
      checks.push({ id: 'signature', status: 'failed', data, subject: path })
      continue
    }
    used.add(manifest.signature)
    const signature = zip.entries.find((each) => each.path === manifest.signature)
    const encoded = signature === undefined ? undefined : await readOrNone(context.file, signature)
    if (encoded === undefined) {
      checks.push({
        id: 'signature',
        status: 'failed',
        data: { reason: 'signature_missing', path: manifest.signature },
        subject: path,
      })
      continue
    }
    add(await verifySigned(context, manifest.signature, encoded, { bytes }), manifest.signature)
  }
  // ASiC-S (§4.3): without a manifest, over the one object at the root.
  const objects = zip.entries.filter(({ path }) => path !== 'mimetype' && !path.startsWith('META-INF/') && !path.endsWith('/'))
  for (const entry of zip.entries.filter(({ path }) => (cmsName.test(path) || tokenName.test(path)) && !used.has(path))) {
    const encoded = await readOrNone(context.file, entry)
    const [object, second] = objects
    if (encoded === undefined || object === undefined || second !== undefined) {
      const reason = encoded === undefined ? 'unpackable' : object === undefined ? 'no_object' : 'several_objects'
      checks.push({
        id: tokenName.test(entry.path) ? 'timestamp' : 'signature',
        status: 'failed',
        data: { reason },
        subject: entry.path,
      })
      continue
    }
    covered.add(object.path)
    add(await verifySigned(context, entry.path, encoded, { digests: await lazyDigests(context, object) }), entry.path)
  }
  let others = 0
  for (const { path } of zip.entries) {
    const id = xadesName.test(path) ? 'xades' : recordName.test(path) ? 'evidence_record' : undefined
    if (id === undefined) continue
    others += 1
    checks.push({
      id,
      status: 'indeterminate',
      data: { reason: 'not_checked_here' },
      subject: path,
      // A record adds to what the signatures prove; a signature of which nothing is known leaves it open.
      ...(id === 'evidence_record' ? { supplementary: true as const } : {}),
    })
  }
  return { signatures, others, covered, checks, facts, bound, dates }
}

async function verifySigned(
  { deps }: Input,
  path: string,
  encoded: Uint8Array,
  over: { readonly bytes: Uint8Array } | { readonly digests: Readonly<Partial<Record<DigestName, string>>> },
): Promise<ProofReport> {
  return tokenName.test(path)
    ? await verifyTimestampProof({ token: encoded, data: over }, deps)
    : await verifyCms({ signature: encoded, content: over, mustNameCertificate: true }, deps)
}

/** The digests that signatures are made with in practice; the object is read once for each. */
async function lazyDigests({ file, deps }: Input, entry: AnyEntry): Promise<Partial<Record<DigestName, string>>> {
  const found: Partial<Record<DigestName, string>> = {}
  try {
    for (const name of ['sha256', 'sha384', 'sha512', 'sha1'] as const)
      found[name] = toHex(await digestEntry(file, entry, name, deps))
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
  }
  return found
}

/** A signature in a few lines: whether it holds, and whose word it is. */
function summary(report: ProofReport, path: string): ProofCheck[] {
  const id = report.kind === 'timestamp' ? 'timestamp' : 'signature'
  const trust = report.checks.filter((check) => check.id === 'trust')
  const others = report.checks.filter((check) => check.id !== 'trust')
  const whole = collapse(id, path, others)
  return [{ ...whole, data: { name: '', ...whole.data } }, ...(trust.length > 0 ? [collapse('trust', path, trust)] : [])]
}

async function checkReference(
  { file, zip, deps }: Input,
  reference: AnyReference,
): Promise<{ check: ProofCheck; hex: string | undefined }> {
  const { path, algorithm } = reference
  const base = { id: 'data_object', subject: path }
  const say = (status: ProofCheck['status'], reason: string, hex?: string) => ({
    check: { ...base, status, data: { reason, algorithm: algorithm ?? '' } },
    hex,
  })
  const entry = zip.entries.find((each) => each.path === path)
  if (entry === undefined) return say('failed', 'missing')
  if (algorithm === undefined) return say('indeterminate', 'unknown_digest')
  try {
    const digest = await digestEntry(file, entry, algorithm, deps)
    const hex = toHex(digest)
    if (!equalBytes(digest, reference.digest)) return say('failed', 'differs', hex)
    if (algorithm === 'sha1') return say('indeterminate', 'weak_digest', hex)
    const step = {
      operation: algorithm,
      input: toHex(entry.method === 0 ? await file.read(entry.dataAt, Math.min(256, entry.size)) : new Uint8Array()),
      input_bytes: entry.size,
      output: hex,
    }
    return {
      check: {
        ...base,
        status: 'passed',
        data: { algorithm },
        ...(entry.method === 0 ? { steps: [step] } : {}),
        repeat_command: `unzip -p container.asice '${path.replaceAll("'", '')}' | openssl dgst -${algorithm}`,
      },
      hex,
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    return say('failed', 'unpackable')
  }
}

/** Files outside META-INF that no signature speaks of; with signatures that are not read here, nobody can say. */
function coveredCheck(zip: AnyZip, found: Found): ProofCheck {
  const id = 'covered'
  const left = zip.entries.filter(
    ({ path }) => path !== 'mimetype' && !path.startsWith('META-INF/') && !path.endsWith('/') && !found.covered.has(path),
  )
  const [first] = left
  if (first === undefined) return { id, status: 'passed', data: { count: 0, path: '' } }
  const reason = found.others > 0 ? 'coverage_unknown' : 'uncovered'
  return { id, status: 'indeterminate', data: { reason, count: left.length, path: first.path }, subject: first.path }
}

async function readOrNone(file: Readable, entry: AnyEntry): Promise<Uint8Array | undefined> {
  try {
    return await readEntry(file, entry, Math.min(largestSignature, largestUnpacked))
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

function manifestOrNone(bytes: Uint8Array): ReturnType<typeof readAnyManifest> | undefined {
  try {
    return readAnyManifest(bytes)
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}
