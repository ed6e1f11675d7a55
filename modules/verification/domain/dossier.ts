import { toHex } from '../../../kernel/bytes.ts'
import { dossierUnits } from './dossier-units.ts'
import type { DossierFile, DossierUnit } from './dossier-units.ts'
import { hashFile } from './hash-file.ts'
import type { HostHashes } from './hash-file.ts'
import { linksOf, partnerOf } from './link-items.ts'
import type { Link } from './link-items.ts'
import { VerificationStopped } from './package-source.ts'
import type { PackageSource, Readable } from './package-source.ts'
import type { Bound, DigestAlgorithm, ProofDeps, ProofReport } from './proof.ts'
import { filesOfArchive } from './open-archives.ts'
import { platformKeysOf } from './platform-keys/published-keys.ts'
import { givenKeys, givenLists, readCertificates, readKeys } from './read-given.ts'
import { glanceLength, recognise } from './recognise.ts'
import type { ItemKind } from './recognise.ts'
import type { VerificationReport, Verdict } from './report.ts'
import { withGivenLists } from './trusted-list/given-lists.ts'
import { verifiers } from './verifiers.ts'
import type { ReaderFields } from './verifiers.ts'
import { verifyPackage } from './verify-package.ts'
import { readAnyZip } from './zip/read-any-zip.ts'

export type ItemResult =
  | { readonly form: 'package'; readonly report: VerificationReport }
  | { readonly form: 'proof'; readonly report: ProofReport }
  /** Nothing in it proves anything; its digests do link it to what does. */
  | { readonly form: 'document' }
  /** Roots that the reader may decide to trust; names of their subjects. */
  | { readonly form: 'certificates'; readonly names: readonly string[] }
  /** Published keys, compared with as what the reader gave; how many. */
  | { readonly form: 'keys'; readonly count: number }
  | { readonly form: 'unreadable'; readonly reason: 'read' | 'too_large' | 'defect' }

export type DossierItem = {
  readonly name: string
  readonly size: number
  readonly kind: ItemKind
  readonly result: ItemResult
  /** Of the file itself and of what it commits to. */
  readonly bound: readonly Bound[]
}

export type Dossier = {
  readonly verified_at: string
  readonly items: readonly DossierItem[]
  readonly links: readonly Link[]
  /** Null when nothing in it can be verified: documents alone. */
  readonly verdict: Verdict | null
  /** Files that were more than can be shown; none of them was looked at. */
  readonly left_out: number
}

export type DossierDeps = ProofDeps & {
  readonly hashes?: HostHashes
  readonly fields?: ReaderFields
  /** An item is known to be there, then verified. */
  readonly onItem?: (index: number, item: { readonly name: string; readonly size: number; readonly kind: ItemKind }) => void
  readonly onResult?: (index: number, item: DossierItem) => void
}

export const mostItems = 200

/**
 * Verifies what was given together, one thing at a time, and finds what speaks about what. Bounded whatever it is given.
 * @throws VerificationStopped when `deps.signal` says so; nothing else on any input.
 */
export async function verifyDossier(files: readonly DossierFile[], deps: DossierDeps): Promise<Dossier> {
  const all = dossierUnits(await withArchives(files))
  const units = all.slice(0, mostItems)
  const kinds: ItemKind[] = []
  for (const [i, unit] of units.entries()) {
    const kind = unit.form === 'folder' ? 'package' : await kindOfUnit(unit.file, files)
    kinds.push(kind)
    deps.onItem?.(i, { name: unit.name, size: sizeOf(unit), kind })
  }
  const keys = await givenKeys(units, kinds, files)
  const trustedLists = await withGivenLists(deps.trustedLists, givenLists(units, kinds), deps.now())
  const known = {
    ...deps,
    ...(keys === undefined ? {} : { keys: platformKeysOf(keys) }),
    ...(trustedLists === undefined ? {} : { trustedLists }),
  }
  const progress = progressOf(units, deps)
  const items: DossierItem[] = []
  for (const [i, unit] of units.entries()) {
    const item = await verifyUnit(unit, kinds[i] ?? 'document', { ...known, onProgress: (done) => progress.within(done) })
    items.push(item)
    if (item.result.form !== 'document') progress.finished(sizeOf(unit))
    await deps.pause?.()
  }
  await hashUnits(units, items, deps, progress)
  await compareWithPartners(units, items, known)
  for (const [i, item] of items.entries()) deps.onResult?.(i, item)
  return {
    verified_at: deps.now().toISOString(),
    items,
    links: linksOf(items),
    verdict: dossierVerdict(items),
    left_out: all.length - units.length,
  }
}

/** Archives, and behind each what is in it. A whole folder of an unpacked package is left as it is. */
async function withArchives(files: readonly DossierFile[]): Promise<DossierFile[]> {
  const out: DossierFile[] = []
  const own = new Set(dossierUnits(files).flatMap((unit) => (unit.form === 'file' ? [unit.file] : [])))
  for (const file of files) {
    out.push(file)
    if (own.has(file) && out.length < mostItems && (await kindOf(file)) === 'archive') out.push(...(await filesOfArchive(file)))
  }
  return out
}

function sizeOf(unit: DossierUnit): number {
  return unit.form === 'file' ? unit.file.size : unit.files.reduce((sum, { size }) => sum + size, 0)
}

/** Octets of everything: those of a package as it is read, of another file when it is done with. */
function progressOf(units: readonly DossierUnit[], deps: DossierDeps): Progress {
  const total = units.reduce((sum, unit) => sum + sizeOf(unit), 0)
  let done = 0
  let within = 0
  const tell = (): void => deps.onProgress?.(Math.min(total, done + within), total)
  return {
    within: (octets) => {
      within = octets
      tell()
    },
    finished: (octets) => {
      done += octets
      within = 0
      tell()
    },
  }
}

type Progress = { within(octets: number): void; finished(octets: number): void }

/**
 * What is given by the name of a ZIP file and is none that can be opened is judged as the package it may have been: cut within its first
 * octets, or no container at all. It is unusable then; never a document about which nothing is concluded.
 */
async function kindOfUnit(file: DossierFile, given: readonly DossierFile[]): Promise<ItemKind> {
  const kind = await kindOf(file)
  if ((kind !== 'document' && kind !== 'archive') || !/\.zip$/i.test(file.path) || !given.includes(file)) return kind
  try {
    return (await readAnyZip(file)).flaws.some(({ reason }) => reason === 'not_zip' || reason === 'truncated') ? 'package' : kind
  } catch {
    return kind
  }
}

async function kindOf(file: Readable): Promise<ItemKind> {
  try {
    const head = await file.read(0, Math.min(glanceLength, file.size))
    const from = Math.max(0, file.size - glanceLength)
    return recognise({ size: file.size, head, tail: from === 0 ? head : await file.read(from, file.size - from) })
  } catch {
    // It is there and cannot be read: said when its turn comes.
    return 'document'
  }
}

async function verifyUnit(unit: DossierUnit, kind: ItemKind, deps: DossierDeps): Promise<DossierItem> {
  const base = { name: unit.name, size: sizeOf(unit), kind }
  if (kind === 'package') {
    const source: PackageSource =
      unit.form === 'folder' ? { kind: 'folder', files: unit.files } : { kind: 'zip', file: unit.file }
    const report = await verifyPackage(source, deps)
    return { ...base, result: { form: 'package', report }, bound: boundOfPackage(report) }
  }
  if (unit.form === 'folder') return { ...base, result: { form: 'document' }, bound: [] }
  if (kind === 'keys') return { ...base, result: await readKeys(unit.file), bound: [] }
  if (kind === 'certificates') return { ...base, ...(await readCertificates(unit.file)) }
  const result = await verifyFile(unit.file, kind, deps, deps.fields ?? {})
  // Any compressed stream may look like binary Chainpoint: what is none is a document like any other.
  if (kind === 'chainpoint' && result.form === 'proof' && result.report.unusable)
    return { ...base, kind: 'document', result: { form: 'document' }, bound: [] }
  return { ...base, result, bound: result.form === 'proof' ? result.report.bound.slice(0, mostBound) : [] }
}

const mostBound = 2_000

async function verifyFile(
  file: DossierFile,
  kind: ItemKind,
  deps: DossierDeps,
  fields: ReaderFields & { readonly partner?: Readable },
): Promise<ItemResult> {
  const verifier = kind in verifiers ? verifiers[kind as keyof typeof verifiers] : undefined
  if (verifier === undefined) return { form: 'document' }
  if (file.size > verifier.largest) return { form: 'unreadable', reason: 'too_large' }
  try {
    return { form: 'proof', report: await verifier.verify({ ...fields, name: file.path, file }, deps) }
  } catch (error) {
    if (error instanceof VerificationStopped) throw error
    // A file that became shorter while it was read, or a defect here: nothing was concluded in either case.
    return { form: 'unreadable', reason: error instanceof RangeError ? 'read' : 'defect' }
  }
}

function boundOfPackage(report: VerificationReport): Bound[] {
  const root: Bound[] = report.root === null ? [] : [{ algorithm: 'sha256', hex: report.root, of: 'root' }]
  const pieces = report.pieces.flatMap(({ sha256, state }): Bound[] =>
    sha256 === null || state !== 'intact' ? [] : [{ algorithm: 'sha256', hex: sha256, of: 'entry' }],
  )
  return [...root, ...pieces.slice(0, mostBound)]
}

/**
 * Documents are always hashed. Proofs and packages are, when something here may speak about them: a token over a package, a proof
 * over a signed PDF.
 */
async function hashUnits(
  units: readonly DossierUnit[],
  items: DossierItem[],
  deps: DossierDeps,
  progress: Progress,
): Promise<void> {
  const wanted = items.flatMap(({ bound }) => bound.filter(({ of }) => of === 'imprint' || of === 'root' || of === 'message'))
  const algorithms = [...new Set<DigestAlgorithm>(['sha256', ...wanted.map(({ algorithm }) => algorithm)])]
  for (const [i, unit] of units.entries()) {
    const item = items[i]
    let done = 0
    if (item === undefined || unit.form === 'folder') continue
    const others = items.some((other) => other !== item && other.bound.some(({ of }) => of === 'imprint'))
    if (item.result.form !== 'document' && item.result.form !== 'unreadable' && !others) continue
    try {
      const digests = await hashFile(unit.file, algorithms, deps, (count) => progress.within((done += count)))
      const own = Object.entries(digests).map(([algorithm, hex]): Bound => ({
        algorithm: algorithm as DigestAlgorithm,
        hex,
        of: 'file',
      }))
      if (item.result.form === 'document') progress.finished(unit.file.size)
      const held = item.result.form === 'document' ? await digestHeld(unit.file) : []
      items[i] = { ...item, bound: [...own, ...held, ...item.bound.filter(({ of }) => of !== 'file')] }
    } catch (error) {
      if (error instanceof VerificationStopped) throw error
      items[i] = { ...item, result: { form: 'unreadable', reason: 'read' } }
    }
  }
}

/** `seal/root.bin` beside a token over the root: the file's octets are what was stamped, not what they digest to. */
async function digestHeld(file: DossierFile): Promise<Bound[]> {
  const algorithm = ({ 32: 'sha256', 48: 'sha384', 64: 'sha512' } as const)[file.size]
  return algorithm === undefined ? [] : [{ algorithm, hex: toHex(await file.read(0, file.size)), of: 'digest' }]
}

/** A proof is verified again with the digest of the file that it is about, or should be: then it says itself whether it is. */
async function compareWithPartners(units: readonly DossierUnit[], items: DossierItem[], deps: DossierDeps): Promise<void> {
  for (const [i, unit] of units.entries()) {
    const item = items[i]
    const partner = item === undefined ? undefined : partnerOf(i, items)
    if (item === undefined || partner === undefined || unit.form === 'folder' || item.result.form !== 'proof') continue
    const own = partner.of === 'file' ? items.findIndex(({ bound }) => bound.includes(partner)) : -1
    const about = units[own]
    const known = about?.form === 'file' ? { partner: about.file } : {}
    const result = await verifyFile(unit.file, item.kind, deps, { ...deps.fields, digest: partner.hex, ...known })
    if (result.form === 'proof') items[i] = { ...item, result }
  }
}

function dossierVerdict(items: readonly DossierItem[]): Verdict | null {
  const verdicts = items.flatMap(({ result }): Verdict[] => {
    if (result.form === 'package' || result.form === 'proof') return [result.report.verdict]
    return result.form === 'unreadable' ? ['TOTAL-FAILED'] : []
  })
  if (verdicts.length === 0) return null
  if (verdicts.includes('TOTAL-FAILED')) return 'TOTAL-FAILED'
  return verdicts.includes('INDETERMINATE') ? 'INDETERMINATE' : 'TOTAL-PASSED'
}
