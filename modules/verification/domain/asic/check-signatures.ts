import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import type { DigestName } from '../algorithms.ts'
import { orUndefined } from '../cms/check-signer.ts'
import { verifyCms } from '../cms/verify-cms.ts'
import type { DocumentDigest } from '../evidence-record/check-renewals.ts'
import { verifyEvidenceRecord } from '../evidence-record/verify-evidence-record.ts'
import type { Readable } from '../package-source.ts'
import { collapse } from '../pdf/collapse-checks.ts'
import type { Bound, Fact, ProofCheck, ProofDeps, ProofReport, ProvenDate } from '../proof.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { digestEntry } from '../zip/digest-entry.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { readEntry } from '../zip/read-any-zip.ts'
import type { AnyEntry, AnyZip } from '../zip/read-any-zip.ts'
import { readAnyManifest } from './read-any-manifest.ts'
import type { AnyReference } from './read-any-manifest.ts'

export type AsicInput = { readonly file: Readable; readonly zip: AnyZip; readonly deps: ProofDeps }

export type AsicSignatures = {
  readonly signatures: number
  /** Signatures that are not checked here. */
  readonly others: number
  readonly covered: ReadonlySet<string>
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly bound: readonly Bound[]
  readonly dates: readonly ProvenDate[]
}

/** Facts of each signature or time stamp that a container's report repeats. */
export const signerFactIds = ['signer', 'level', 'gen_time', 'authority'] as const

const largestSignature = 16 << 20
const manifestName = /^META-INF\/[^/]*ASiC(?:Archive|EvidenceRecord)?Manifest[^/]*\.xml$/i
const cmsName = /^META-INF\/[^/]*signature[^/]*\.p7[sm]$/i
const tokenName = /^META-INF\/[^/]*timestamp[^/]*\.tst$/i
const xadesName = /^META-INF\/[^/]*signatures?[^/]*\.xml$/i
const recordName = /^META-INF\/[^/]*evidencerecord[^/]*\.ers$/i
/** RFC 6283: recognised, not verified. */
const xmlRecordName = /^META-INF\/(?![^/]*Manifest)[^/]*evidencerecord[^/]*\.xml$/i

/** Neither of the container itself nor a folder: what signatures are about. */
export const isData = (path: string): boolean => path !== 'mimetype' && !path.startsWith('META-INF/') && !path.endsWith('/')

type Gathered = {
  readonly signatures: { count: number; readonly paths: Set<string> }
  readonly covered: Set<string>
  readonly checks: ProofCheck[]
  /** Of evidence records. */
  readonly records: ProofCheck[]
  readonly facts: Fact[]
  readonly bound: Bound[]
  readonly dates: ProvenDate[]
}

/** Every signature and time stamp of a container, what each covers, and whether that is what was signed. */
export async function checkSignatures(input: AsicInput): Promise<AsicSignatures> {
  const found: Gathered = {
    signatures: { count: 0, paths: new Set() },
    covered: new Set(),
    checks: [],
    records: [],
    facts: [],
    bound: [],
    dates: [],
  }
  for (const entry of input.zip.entries) if (manifestName.test(entry.path)) await checkManifest(input, entry, found)
  const isLone = (path: string): boolean =>
    (cmsName.test(path) || tokenName.test(path) || recordName.test(path)) && !found.signatures.paths.has(path)
  const objects = input.zip.entries.filter(({ path }) => isData(path))
  for (const entry of input.zip.entries) if (isLone(entry.path)) await checkLone(input, entry, objects, found)
  const others = input.zip.entries.flatMap(({ path }) => notCheckedHere(path))
  const { covered, facts, bound, dates } = found
  // Beside signatures a record adds to them: what it leaves open is noted.
  const isAlone = !found.checks.some(({ id }) => id === 'signature' || id === 'timestamp')
  const records = found.records.map((check): ProofCheck =>
    check.status === 'indeterminate' && !isAlone ? { ...check, supplementary: true } : check,
  )
  return {
    signatures: found.signatures.count,
    others: others.length,
    covered,
    checks: [...found.checks, ...records, ...others],
    facts,
    bound,
    dates,
  }
}

/** ASiC-E (EN 319 162-1 §4.4.4): a signature over a list of digests, or an evidence record over the files of one. */
async function checkManifest(input: AsicInput, entry: AnyEntry, found: Gathered): Promise<void> {
  const subject = entry.path
  const fail = (id: string, data: ProofCheck['data']): void => {
    found.checks.push({ id, status: 'failed', data, subject })
  }
  const bytes = await readSmall(input, entry)
  if (bytes === undefined) return fail('manifest', { reason: 'unpackable' })
  const manifest = orUndefined(() => readAnyManifest(bytes))
  if (manifest === undefined) return fail('manifest', { reason: 'malformed' })
  const { references, signature: path } = manifest
  if (xmlRecordName.test(path)) return
  found.covered.add(subject)
  found.checks.push({ id: 'manifest', status: 'passed', data: { count: references.length }, subject })
  for (const reference of references) {
    found.covered.add(reference.path)
    const { check, hex } = await checkReference(input, reference)
    found.checks.push(check)
    if (hex !== undefined && reference.algorithm === 'sha256') found.bound.push({ algorithm: 'sha256', hex, of: 'entry' })
  }
  // A signature is over one list: whoever names one in thousands of them wants it unpacked and read as often.
  const id = recordName.test(path) ? 'evidence_record' : 'signature'
  if (found.signatures.paths.has(path)) return fail(id, { reason: 'signature_shared', path })
  found.signatures.paths.add(path)
  const signature = input.zip.entries.find((each) => each.path === path)
  const encoded = signature === undefined ? undefined : await readSmall(input, signature)
  if (encoded === undefined) return fail(id, { reason: 'signature_missing', path })
  const named = new Set(references.map((each) => each.path))
  const objects = input.zip.entries.filter((each) => named.has(each.path))
  addReport(found, await verifySigned(input, path, encoded, objects, { bytes }), path)
}

/** ASiC-S (EN 319 162-1 §4.3): without a manifest, over the one object at the root. */
async function checkLone(
  input: AsicInput,
  entry: AnyEntry,
  [object, second]: readonly AnyEntry[],
  found: Gathered,
): Promise<void> {
  const { path } = entry
  const encoded = await readSmall(input, entry)
  if (encoded === undefined || object === undefined || second !== undefined) {
    const reason = encoded === undefined ? 'unpackable' : object === undefined ? 'no_object' : 'several_objects'
    found.checks.push({
      id: tokenName.test(path) ? 'timestamp' : recordName.test(path) ? 'evidence_record' : 'signature',
      status: 'failed',
      data: { reason },
      subject: path,
    })
    return
  }
  found.covered.add(object.path)
  addReport(found, await verifySigned(input, path, encoded, [object]), path)
}

function notCheckedHere(path: string): ProofCheck[] {
  const id = xadesName.test(path) ? 'xades' : xmlRecordName.test(path) ? 'evidence_record' : undefined
  if (id === undefined) return []
  // A record adds to what the signatures prove; a signature of which nothing is known leaves it open.
  const weight = id === 'evidence_record' ? { supplementary: true as const } : {}
  return [{ id, status: 'indeterminate', data: { reason: 'not_checked_here' }, subject: path, ...weight }]
}

function addReport(found: Gathered, report: ProofReport, path: string): void {
  found.signatures.count += 1
  const isRecord = report.kind === 'evidence_record'
  ;(isRecord ? found.records : found.checks).push(...summary(report, path))
  found.facts.push(...report.facts.filter(({ id }) => (signerFactIds as readonly string[]).includes(id)))
  if (report.verdict !== 'TOTAL-FAILED') found.dates.push(...report.dates)
}

/** @param list what was signed; absent: the one object itself. */
async function verifySigned(
  input: AsicInput,
  path: string,
  encoded: Uint8Array,
  objects: readonly AnyEntry[],
  list?: { readonly bytes: Uint8Array },
): Promise<ProofReport> {
  const { file, deps } = input
  if (recordName.test(path)) {
    const documents = objects.map(
      (object): DocumentDigest =>
        async (name) =>
          await ifReadable(digestEntry(file, object, name, deps)),
    )
    return await verifyEvidenceRecord({ record: encoded, documents }, deps)
  }
  const [object] = objects
  const over = list ?? { digests: object === undefined ? {} : await usualDigests(input, object) }
  return tokenName.test(path)
    ? await verifyTimestampProof({ token: encoded, data: over }, deps)
    : await verifyCms({ signature: encoded, content: over, mustNameCertificate: true }, deps)
}

/** The digests that signatures are made with in practice; the object is read once for each. */
async function usualDigests({ file, deps }: AsicInput, entry: AnyEntry): Promise<Partial<Record<DigestName, string>>> {
  const found: Partial<Record<DigestName, string>> = {}
  for (const name of ['sha256', 'sha384', 'sha512', 'sha1'] as const) {
    const digest = await ifReadable(digestEntry(file, entry, name, deps))
    if (digest === undefined) break
    found[name] = toHex(digest)
  }
  return found
}

/** A signature in a few lines: whether it holds, and whose word it is. */
function summary(report: ProofReport, path: string): ProofCheck[] {
  const id = report.kind === 'cms' ? 'signature' : report.kind
  const trust = report.checks.filter((check) => check.id === 'trust')
  const isNote = (check: ProofCheck): boolean => report.kind === 'evidence_record' && check.supplementary === true
  const others = report.checks.filter((check) => check.id !== 'trust' && !isNote(check))
  const whole = collapse(id, path, others)
  return [{ ...whole, data: { name: '', ...whole.data } }, ...(trust.length > 0 ? [collapse('trust', path, trust)] : [])]
}

async function checkReference(
  { file, zip, deps }: AsicInput,
  { path, algorithm, digest }: AnyReference,
): Promise<{ check: ProofCheck; hex: string | undefined }> {
  const base = { id: 'data_object', subject: path }
  const say = (status: ProofCheck['status'], reason: string, hex?: string) => ({
    check: { ...base, status, data: { reason, algorithm: algorithm ?? '' } },
    hex,
  })
  const entry = zip.entries.find((each) => each.path === path)
  if (entry === undefined) return say('failed', 'missing')
  if (algorithm === undefined) return say('indeterminate', 'unknown_digest')
  const found = await ifReadable(digestEntry(file, entry, algorithm, deps))
  if (found === undefined) return say('failed', 'unpackable')
  const hex = toHex(found)
  if (!equalBytes(found, digest)) return say('failed', 'differs', hex)
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
}

async function readSmall({ file }: AsicInput, entry: AnyEntry): Promise<Uint8Array | undefined> {
  return await ifReadable(readEntry(file, entry, largestSignature))
}
