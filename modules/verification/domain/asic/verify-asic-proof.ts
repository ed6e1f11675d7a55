import type { Readable } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { ProofCheck, ProofReport } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { readAnyZip, readEntry } from '../zip/read-any-zip.ts'
import type { AnyZip } from '../zip/read-any-zip.ts'
import { checkSignatures, isData, signerFactIds } from './check-signatures.ts'
import type { AsicInput, AsicSignatures } from './check-signatures.ts'

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
  'other_digest',
  'no_object',
  'uncovered',
] as const

export const asicFactIds = ['entries', ...signerFactIds] as const

const mostBound = 200
const types: Readonly<Record<string, string>> = {
  'application/vnd.etsi.asic-s+zip': 'ASiC-S',
  'application/vnd.etsi.asic-e+zip': 'ASiC-E',
}

/**
 * An associated signature container (EN 319 162-1): ASiC-S and ASiC-E with CAdES or XAdES signatures, time stamps or evidence records. Which files
 * each covers, whether their bytes are those, and what is covered by none. Throws nothing but VerificationStopped and what reading the file throws.
 */
export async function verifyAsicProof(
  input: { readonly file: Readable; readonly name?: string },
  deps: VerifyDeps,
): Promise<ProofReport> {
  const zip = await readAnyZip(input.file)
  const [flaw] = zip.flaws
  if (zip.entries.length === 0 || flaw?.reason === 'overlap')
    return proofReport('asic', deps, {
      unusable: flaw?.reason === 'not_zip',
      checks: [{ id: 'container', status: 'failed', data: { reason: flaw?.reason ?? 'truncated', path: flaw?.path ?? '' } }],
    })
  const context: AsicInput = { file: input.file, zip, deps }
  const checks: ProofCheck[] = [containerCheck(zip), await mimetypeCheck(context)]
  const found = await checkSignatures(context)
  if (found.signatures === 0) checks.push({ id: 'signed', status: 'failed', data: { reason: 'unsigned', count: 0 } })
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
async function mimetypeCheck({ file, zip }: AsicInput): Promise<ProofCheck> {
  const id = 'mimetype'
  const entry = zip.entries.find(({ path }) => path === 'mimetype')
  if (entry === undefined) return { id, status: 'indeterminate', supplementary: true, data: { reason: 'mimetype_absent' } }
  const say = (reason: string, status: 'failed' | 'indeterminate' = 'indeterminate', name = ''): ProofCheck => ({
    id,
    status,
    ...(status === 'indeterminate' ? { supplementary: true as const } : {}),
    data: { reason, name },
  })
  const bytes = entry.size < 256 ? await ifReadable(readEntry(file, entry, 256)) : undefined
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes)
  const name = types[text] ?? (text.startsWith('application/vnd.oasis.opendocument.') ? 'OpenDocument' : undefined)
  // Some end it with a line.
  if (name === undefined)
    return say('unknown_mimetype', types[text.trim()] === undefined ? 'failed' : undefined, text.slice(0, 100))
  if (entry.headerAt !== 0) return say('not_first')
  if (entry.method !== 0) return say('compressed_mimetype')
  if (entry.dataAt !== 38) return say('mimetype_extra')
  return { id, status: 'passed', data: { name } }
}

/** Files that no signature speaks of. */
function coveredCheck(zip: AnyZip, found: AsicSignatures): ProofCheck {
  const id = 'covered'
  const left = zip.entries.filter((entry) => isData(entry) && !found.covered.has(entry.path))
  const [first] = left
  if (first === undefined) return { id, status: 'passed', data: { count: 0, path: '' } }
  return { id, status: 'indeterminate', data: { reason: 'uncovered', count: left.length, path: first.path }, subject: first.path }
}
