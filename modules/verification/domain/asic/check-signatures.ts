import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import type { DigestName } from '../hash/digests.ts'
import { orUndefined } from '../cms/check-signer.ts'
import type { Compared } from '../cms/digest-content.ts'
import { labelOf } from '../certificate/strength.ts'
import { verifyCms } from '../cades/verify-cms.ts'
import type { DocumentDigest } from '../evidence-record/check-renewals.ts'
import { digestOfCanonical, verifyEvidenceRecord } from '../evidence-record/verify-evidence-record.ts'
import type { Readable } from '../file/readable.ts'
import { collapse } from '../report/collapse-checks.ts'
import type { Bound, Fact, ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { weighs } from '../report/verdict.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { decoded, mostRead, verifyXades } from '../xades/verify-xades.ts'
import type { SignedXml } from '../xml/dereference.ts'
import { digestEntry } from '../zip/digest-entry.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { readEntry } from '../zip/read-any-zip.ts'
import type { AnyEntry, AnyZip } from '../zip/read-any-zip.ts'
import { readAnyManifest } from './read-any-manifest.ts'
import type { AnyReference } from './read-any-manifest.ts'

export type AsicInput = { readonly file: Readable; readonly zip: AnyZip; readonly deps: VerifyDeps }

export type AsicSignatures = {
  readonly signatures: number
  readonly covered: ReadonlySet<string>
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly bound: readonly Bound[]
  readonly dates: readonly ProvenDate[]
}

/** Facts of each signature or time stamp that a container's report repeats. */
export const signerFactIds = ['signer', 'level', 'gen_time', 'authority'] as const

const largestSignature = 16 << 20
const manifestName = /^META-INF\/[^/]*ASiC[^/]*Manifest[^/]*\.xml$/i
const cmsName = /^META-INF\/[^/]*signature[^/]*\.p7[sm]$/i
const tokenName = /^META-INF\/[^/]*timestamp[^/]*\.tst$/i
const xadesName = /^META-INF\/[^/]*signature[^/]*\.xml$/i
const recordName = /^META-INF\/(?![^/]*Manifest)[^/]*evidencerecord[^/]*\.(?:ers|xml)$/i

const inMetaInf = /^META-INF\//i
/**
 * What speaks about no file that is asked about: lists of the formats that containers are built on (EN 319 162-1 §4.4.3.1), and the
 * certificates that came with a time stamp.
 */
const aside = /^META-INF\/(?:(?:container|manifest|metadata)\.xml|timestamp\d+-ca\.pem)$/i

/** Neither of the container itself nor a folder: what signatures are about. */
const isObject = ({ path, size }: AnyEntry): boolean =>
  path !== 'mimetype' && !inMetaInf.test(path) && !(path.endsWith('/') && size === 0)

/** What must be covered, or be a proof that was looked at: also what was put where only proofs belong. */
export const isData = (entry: AnyEntry): boolean =>
  isObject(entry) || (inMetaInf.test(entry.path) && !entry.path.endsWith('/') && !aside.test(entry.path))

type Gathered = {
  readonly signatures: { count: number; readonly paths: Set<string> }
  readonly covered: Set<string>
  readonly checks: ProofCheck[]
  readonly facts: Fact[]
  readonly bound: Bound[]
  readonly dates: ProvenDate[]
  /** Since when a file exists, by a time stamp or record over it that holds. */
  readonly proven: Map<string, Date>
}

type Manifest = { readonly entry: AnyEntry; readonly bytes: Uint8Array } & ReturnType<typeof readAnyManifest>

/** Every signature and time stamp of a container, what each covers, and whether that is what was signed. */
export async function checkSignatures(input: AsicInput): Promise<AsicSignatures> {
  const found: Gathered = {
    signatures: { count: 0, paths: new Set() },
    covered: new Set(),
    checks: [],
    facts: [],
    bound: [],
    dates: [],
    proven: new Map(),
  }
  await checkManifests(input, found)
  const isLone = (path: string): boolean =>
    (cmsName.test(path) || tokenName.test(path) || recordName.test(path)) && !found.signatures.paths.has(path)
  const objects = input.zip.entries.filter(isObject)
  for (const entry of input.zip.entries) if (isLone(entry.path)) await checkLone(input, entry, objects, found)
  for (const entry of input.zip.entries) if (xadesName.test(entry.path)) await checkXades(input, entry, objects, found)
  const { covered, facts, bound, dates } = found
  return {
    signatures: found.signatures.count,
    covered,
    checks: found.checks,
    facts,
    bound,
    dates,
  }
}

/**
 * What covers another signature or time stamp is judged before it, which then is judged as of that instant (EN 319 162-1 §4.4.4 and
 * annex A.7: lists for archiving; EN 319 102-1 §5.6.3). Said in the order of the container.
 */
async function checkManifests(input: AsicInput, found: Gathered): Promise<void> {
  const manifests: (Manifest | AnyEntry)[] = []
  for (const entry of input.zip.entries) {
    if (!manifestName.test(entry.path)) continue
    found.covered.add(entry.path)
    const bytes = await readSmall(input, entry)
    const manifest = bytes === undefined ? undefined : orUndefined(() => readAnyManifest(bytes))
    manifests.push(bytes === undefined || manifest === undefined ? entry : { entry, bytes, ...manifest })
    if (manifest !== undefined) continue
    const reason = bytes === undefined ? 'unpackable' : 'malformed'
    found.checks.push({ id: 'manifest', status: 'failed', data: { reason }, subject: entry.path })
  }
  const read = manifests.filter((each) => 'entry' in each)
  const judged = new Map<Manifest, Gathered>()
  const covering = new Map<string, Manifest[]>()
  for (const each of read) for (const { path } of each.references) covering.set(path, [...(covering.get(path) ?? []), each])
  const visit = async (manifest: Manifest): Promise<void> => {
    if (judged.has(manifest)) return
    const own = { ...found, checks: [], facts: [], dates: [] }
    judged.set(manifest, own)
    for (const each of covering.get(manifest.signature) ?? []) await visit(each)
    await checkManifest(input, manifest, own)
  }
  for (const each of read) await visit(each)
  for (const each of read) {
    const own = judged.get(each)
    found.checks.push(...(own?.checks ?? []))
    found.facts.push(...(own?.facts ?? []))
    found.dates.push(...(own?.dates ?? []))
  }
}

/** ASiC-E (EN 319 162-1 §4.4.4): a signature over a list of digests, or an evidence record over the files of one. */
async function checkManifest(input: AsicInput, manifest: Manifest, found: Gathered): Promise<void> {
  const { bytes, references, signature: path } = manifest
  const subject = manifest.entry.path
  const fail = (id: string, data: ProofCheck['data']): void => {
    found.checks.push({ id, status: 'failed', data, subject })
  }
  found.checks.push({ id: 'manifest', status: 'passed', data: { count: references.length }, subject })
  const same: string[] = []
  for (const reference of references) {
    found.covered.add(reference.path)
    const { check, hex } = await checkReference(input, reference)
    found.checks.push(check)
    if (check.status === 'passed') same.push(reference.path)
    if (hex !== undefined && reference.algorithm === 'sha256') found.bound.push({ algorithm: 'sha256', hex, of: 'entry' })
  }
  // A signature is over one list: whoever names one in thousands of them wants it unpacked and read as often.
  const id = recordName.test(path) ? 'evidence_record' : 'signature'
  if (found.signatures.paths.has(path)) return fail(id, { reason: 'signature_shared', path })
  found.signatures.paths.add(path)
  found.covered.add(path)
  const signature = input.zip.entries.find((each) => each.path === path)
  const encoded = signature === undefined ? undefined : await readSmall(input, signature)
  if (encoded === undefined) return fail(id, { reason: 'signature_missing', path })
  const named = new Set(references.map((each) => each.path))
  const objects = input.zip.entries.filter((each) => named.has(each.path))
  const report = await verifySigned(input, path, encoded, objects, found.proven.get(path), { bytes })
  addReport(found, report, path)
  // What the list says of a file is then not what was dated (EN 319 162-1 §A.7).
  const used = report.checks.find((check) => report.kind === 'evidence_record' && check.id === 'document')?.data['algorithm']
  if (used !== undefined && references.some(({ algorithm }) => algorithm !== undefined && labelOf(algorithm) !== used))
    found.checks.push({ id, status: 'indeterminate', data: { reason: 'other_digest' }, subject: path })
  if (report.verdict !== 'TOTAL-PASSED' || report.kind === 'cms') return
  for (const { at } of report.dates)
    for (const each of same)
      if (new Date(at) < (found.proven.get(each) ?? new Date(8.64e15))) found.proven.set(each, new Date(at))
}

/** ASiC-S (EN 319 162-1 §4.3): without a manifest, over the one object at the root. */
async function checkLone(
  input: AsicInput,
  entry: AnyEntry,
  [object, second]: readonly AnyEntry[],
  found: Gathered,
): Promise<void> {
  const { path } = entry
  found.covered.add(path)
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
  addReport(found, await verifySigned(input, path, encoded, [object], found.proven.get(path)), path)
}

/** XAdES names what it is over by its address in the container, and needs no list (EN 319 162-1 §4.3.3.2, §4.4.3.2). */
async function checkXades(input: AsicInput, entry: AnyEntry, objects: readonly AnyEntry[], found: Gathered): Promise<void> {
  const { file, zip } = input
  const since = found.proven.get(entry.path)
  const deps = since === undefined ? input.deps : { ...input.deps, now: () => since }
  found.covered.add(entry.path)
  const bytes = await readSmall(input, entry)
  if (bytes === undefined) {
    found.checks.push({ id: 'signature', status: 'failed', data: { reason: 'unpackable' }, subject: entry.path })
    return
  }
  const outside: SignedXml['outside'] = (uri) => {
    const path = uri === undefined && objects.length === 1 ? (objects[0]?.path ?? '') : decoded(uri ?? '')
    const at = (wanted: string): AnyEntry | undefined => zip.entries.find((each) => each.path === wanted)
    // Some wrote names as forms write them.
    const object = at(path) ?? at(decoded((uri ?? '').replaceAll('+', ' ')))
    if (object === undefined) return undefined
    found.covered.add(object.path)
    return {
      name: object.path,
      digest: async (name) => await ifReadable(digestEntry(file, object, name, deps)),
      read: async () => await ifReadable(readEntry(file, object, mostRead)),
    }
  }
  const report = await verifyXades({ bytes, outside }, deps)
  for (const { target, stated } of report.references)
    if (target !== undefined && 'digest' in target && stated.name === 'sha256')
      found.bound.push({ algorithm: 'sha256', hex: toHex(stated.value), of: 'entry' })
  // What a file is not is said of the file.
  const said = new Set(found.checks.map(({ id, subject, status }) => `${id} ${subject} ${status}`))
  const isOfFile = ({ id, subject }: ProofCheck): boolean => id === 'reference' && subject?.startsWith('#') === false
  for (const check of report.checks.filter(isOfFile))
    if (!said.has(`data_object ${check.subject} ${check.status}`)) found.checks.push({ ...check, id: 'data_object' })
  addReport(found, { ...report, checks: report.checks.filter((check) => !isOfFile(check)) }, entry.path)
}

function addReport(found: Gathered, report: ProofReport, path: string): void {
  found.signatures.count += 1
  found.checks.push(...summary(report, path))
  found.facts.push(...report.facts.filter(({ id }) => (signerFactIds as readonly string[]).includes(id)))
  if (report.verdict !== 'TOTAL-FAILED') found.dates.push(...report.dates)
}

/** @param at since when it exists, as far as proven. @param list what was signed; absent: the one object itself. */
async function verifySigned(
  input: AsicInput,
  path: string,
  encoded: Uint8Array,
  objects: readonly AnyEntry[],
  at: Date | undefined,
  list?: { readonly bytes: Uint8Array },
): Promise<ProofReport> {
  const { file } = input
  const deps = at === undefined ? input.deps : { ...input.deps, now: () => at }
  if (recordName.test(path)) {
    const documents = objects.map((object): DocumentDigest => async (name, form) => {
      if (form === undefined) return await ifReadable(digestEntry(file, object, name, deps))
      const bytes = await ifReadable(readEntry(file, object, largestSignature))
      return bytes === undefined ? undefined : digestOfCanonical(bytes, name, form)
    })
    return await verifyEvidenceRecord({ record: encoded, documents }, deps)
  }
  const [object] = objects
  const over = list ?? (object === undefined ? { digests: {} } : await objectOf(input, object))
  return tokenName.test(path)
    ? await verifyTimestampProof({ token: encoded, data: over }, deps)
    : await verifyCms(
        { signature: encoded, content: over, mustNameCertificate: true, ...(at === undefined ? {} : { provenAt: at }) },
        input.deps,
      )
}

/** The object itself where it is small: an archive time stamp hashes it together with other things. */
async function objectOf(input: AsicInput, entry: AnyEntry): Promise<Compared> {
  const bytes = entry.size <= largestSignature ? await readSmall(input, entry) : undefined
  return bytes === undefined ? { digests: await usualDigests(input, entry) } : { bytes }
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
  const id = report.kind === 'cms' || report.kind === 'xades' ? 'signature' : report.kind
  const trust = report.checks.filter((check) => check.id === 'trust')
  const isNote = (check: ProofCheck): boolean => report.kind === 'evidence_record' && !weighs(check)
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
