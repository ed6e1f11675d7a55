import { toHex } from '../../../../kernel/bytes.ts'
import { answersOf } from './linked/answer-files.ts'
import type { FileAnswer } from './linked/answer-files.ts'
import { withHeaders } from '../bitcoin/examine-block.ts'
import { headersAmong, readStated } from './dropped/companions.ts'
import type { DossierItem, ItemResult } from './dropped/item.ts'
import type { DossierFile, DossierUnit } from './dropped/dossier-units.ts'
import { hashFile } from '../file/hash-file.ts'
import { linksOf } from './linked/link-items.ts'
import type { Link } from './linked/link-items.ts'
import { baseOf } from './dropped/open-containers.ts'
import { VerificationStopped } from '../file/readable.ts'
import type { PackageSource } from '../file/package-source.ts'
import type { Readable } from '../file/readable.ts'
import { partnerOf } from './linked/partners.ts'
import type { Bound } from '../report/proof-report.ts'
import type { DigestAlgorithm } from '../hash/digests.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { readCertificates, readKeys } from './dropped/read-given.ts'
import type { ItemKind } from '../recognise/recognise.ts'
import type { VerificationReport } from '../report/package-report.ts'
import { verifiers } from '../proof/verifiers.ts'
import type { ReaderFields } from '../proof/verifiers.ts'
import { verifyPackage } from '../package/verify-package.ts'

/** What the place hands in for all of a dossier. */
export type DossierDeps = VerifyDeps & {
  readonly fields?: ReaderFields
  /** Digests that are known: of a file that belongs to several things each is computed once. */
  readonly computed?: WeakMap<DossierFile, Partial<Record<DigestAlgorithm, string>>>
  /** An item is known to be there, then verified. */
  readonly onItem?: (index: number, item: { readonly name: string; readonly size: number; readonly kind: ItemKind }) => void
  readonly onResult?: (index: number, item: DossierItem) => void
}

export type Progress = { within(octets: number): void; finished(octets: number): void }

export type VerifiedUnits = {
  readonly items: readonly DossierItem[]
  readonly links: readonly Link[]
  readonly answers: readonly FileAnswer[]
}

export function sizeOf(unit: DossierUnit): number {
  return unit.form === 'file' ? unit.file.size : unit.files.reduce((sum, { size }) => sum + size, 0)
}

export type Together = {
  readonly units: readonly DossierUnit[]
  /** Of each unit. */
  readonly kinds: readonly ItemKind[]
  /** A PDF that cannot be read is a file like any other; given alone it may be a proof that was cut. */
  readonly several: boolean
  /** More files, once it is known which digests the proofs are over. */
  readonly found?: (items: readonly DossierItem[]) => readonly DossierUnit[]
}

/** Verifies things that belong together, one at a time, then each proof against the file that it is about or should be. @throws VerificationStopped */
export async function verifyUnits(given: Together, deps: DossierDeps, progress: Progress): Promise<VerifiedUnits> {
  const headers = await headersAmong(given.units.flatMap((unit) => (unit.form === 'file' ? [unit.file] : [])))
  const known = headers.length === 0 ? deps : { ...deps, headers: withHeaders(headers, deps) }
  const items: DossierItem[] = []
  for (const [i, unit] of given.units.entries()) {
    const within = { ...known, onProgress: (done: number) => progress.within(done) }
    const item = await verifyUnit(unit, given.kinds[i] ?? 'document', within, given.several)
    items.push(item)
    if (item.result.form !== 'document') progress.finished(sizeOf(unit))
    await deps.pause?.()
  }
  const more = given.found?.(items) ?? []
  const units = [...given.units, ...more]
  for (const unit of more)
    items.push({ name: unit.name, size: sizeOf(unit), kind: 'document', result: { form: 'document' }, bound: [] })
  await hashUnits(units, items, deps, progress)
  const meant = await compareWithPartners(units, items, known)
  return { items, links: linksOf(items), answers: answersOf(items, meant) }
}

async function verifyUnit(unit: DossierUnit, kind: ItemKind, deps: DossierDeps, several: boolean): Promise<DossierItem> {
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
  if (result.form === 'proof' && result.report.unusable) {
    const document: DossierItem = { ...base, result: { form: 'document' }, bound: [] }
    // Any compressed stream may look like binary Chainpoint: what is none is a document like any other.
    if (kind === 'chainpoint' || (kind === 'xades' && result.report.checks[0]?.data['reason'] === 'no_signature'))
      return { ...document, kind: 'document' }
    // Most PDFs are not signed, and are documents like any other; one that cannot be read may have been, when it is all there is.
    if (kind === 'pdf' && (several || result.report.checks.every(({ id, status }) => id !== 'structure' || status !== 'failed')))
      return document
  }
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
      const digests = await digestsOf(unit.file, algorithms, deps, (count) => progress.within((done += count)))
      const own = Object.entries(digests).map(([algorithm, hex]): Bound => ({
        algorithm: algorithm as DigestAlgorithm,
        hex,
        of: 'file',
      }))
      const isDocument = item.result.form === 'document'
      if (isDocument) progress.finished(unit.file.size)
      const held = isDocument ? await boundHeld(unit.file) : []
      items[i] = { ...item, bound: [...own, ...held, ...item.bound.filter(({ of }) => of !== 'file')] }
    } catch (error) {
      if (error instanceof VerificationStopped) throw error
      items[i] = { ...item, result: { form: 'unreadable', reason: 'read' } }
    }
  }
}

/** Those that are not known yet are computed. @throws as {@link hashFile} */
export async function digestsOf(
  file: DossierFile,
  algorithms: readonly DigestAlgorithm[],
  deps: DossierDeps,
  onBytes: (count: number) => void,
): Promise<Partial<Record<DigestAlgorithm, string>>> {
  const known = deps.computed?.get(file) ?? {}
  const fresh = algorithms.filter((algorithm) => known[algorithm] === undefined)
  const all = fresh.length === 0 ? known : { ...known, ...(await hashFile(file, fresh, deps, onBytes)) }
  deps.computed?.set(file, all)
  return Object.fromEntries(
    algorithms.flatMap((algorithm) => (all[algorithm] === undefined ? [] : [[algorithm, all[algorithm]]])),
  )
}

/**
 * `seal/root.bin` beside a token over the root: the file's octets are what was stamped, not what they digest to. Or the record of a
 * deposit, which states the digest of a file.
 */
async function boundHeld(file: DossierFile): Promise<readonly Bound[]> {
  if (baseOf(file.path) === 'deposit.json' && file.size <= 1 << 20) return readStated(await file.read(0, file.size))?.bound ?? []
  const algorithm = ({ 32: 'sha256', 48: 'sha384', 64: 'sha512' } as const)[file.size]
  return algorithm === undefined ? [] : [{ algorithm, hex: toHex(await file.read(0, file.size)), of: 'digest' }]
}

/**
 * A proof is verified again with the digest of the file that it is about, or should be: then it says itself whether it is.
 * @returns item of the file by that of the proof, where it is not
 */
async function compareWithPartners(
  units: readonly DossierUnit[],
  items: DossierItem[],
  deps: DossierDeps,
): Promise<Map<number, number>> {
  const meant = new Map<number, number>()
  const before = [...items]
  for (const [i, unit] of units.entries()) {
    const item = before[i]
    if (item?.result.form !== 'proof' || unit.form === 'folder') continue
    const log = item.kind === 'log_proof' ? await octetsOf(unit.file, 1 << 20) : undefined
    const partner = partnerOf(i, before, log, deps.now())
    if (partner === undefined) continue
    const about = partner.file === undefined ? undefined : units[partner.file]
    const known = about?.form === 'file' ? { partner: about.file } : {}
    const result = await verifyFile(unit.file, item.kind, deps, { ...deps.fields, digest: partner.digest, ...known })
    if (result.form !== 'proof') continue
    const own = item.kind === 'log_proof' ? [...item.bound.filter(({ of }) => of === 'file'), ...result.report.bound] : item.bound
    items[i] = { ...item, result, bound: [...own, ...partner.bound] }
    if (partner.file === undefined) continue
    if (!partner.exact && result.report.verdict === 'TOTAL-FAILED') meant.set(i, partner.file)
    // What the log was given begins with the root that was sealed (decision 0282).
    const logged = items[partner.file]
    if (log === undefined || !partner.exact || about?.form !== 'file' || about.file.size !== 64 || logged === undefined) continue
    const root: Bound = { algorithm: 'sha256', hex: toHex((await octetsOf(about.file, 32)) ?? new Uint8Array()), of: 'digest' }
    items[partner.file] = { ...logged, bound: [...logged.bound.filter(({ of }) => of !== 'digest'), root] }
  }
  return meant
}

/** As many as are wanted, or all; undefined when they cannot be read any more. */
async function octetsOf(file: Readable, most: number): Promise<Uint8Array | undefined> {
  try {
    return await file.read(0, Math.min(file.size, most))
  } catch {
    return undefined
  }
}
