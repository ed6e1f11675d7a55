import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import type { Readable } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { digestEntry } from '../zip/digest-entry.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { readAnyZip } from '../zip/read-any-zip.ts'
import type { AnyZip } from '../zip/read-any-zip.ts'
import { checkDigestFile } from './check-digest-file.ts'
import { asObject, readObject } from './read-object.ts'
import type { JsonObject } from './read-object.ts'

/** Words `verification.proof.wacz.<id>.{title,passed,failed,indeterminate}`. */
export const waczCheckIds = [
  'container',
  'datapackage',
  'resource',
  'resources',
  'unlisted',
  'digest',
  'signature',
  'trust',
  'time_trust',
] as const

/** Words `verification.proof.wacz.reason.<reason>`, besides those of the container. */
export const waczReasons = [
  'missing',
  'malformed',
  'not_listed',
  'differs',
  'size',
  'unknown_digest',
  'unpackable',
  'no_digest_file',
  'other_digest',
  'created_differs',
  'unsigned',
  'signature',
  'chain',
  'archive_domain',
  'expired',
  'timestamp_failed',
  'archive_created',
  'anonymous',
  'no_roots',
  'not_among_roots',
] as const
export const waczFactIds = ['created', 'software', 'title', 'resources', 'key', 'domain'] as const

const mostResources = 10_000
const mostBound = 200

/**
 * A web archive (WACZ 1.1.1, and WACZ Signing and Verification 0.1.0), of any maker: every resource against the digest in
 * datapackage.json, that file against its own digest, and the signature over it, anonymous or of a domain. Throws nothing but
 * VerificationStopped and what reading the file throws.
 */
export async function verifyWaczProof(
  input: { readonly file: Readable; readonly name?: string },
  deps: VerifyDeps,
): Promise<ProofReport> {
  const { file } = input
  const zip = await readAnyZip(file)
  const [flaw] = zip.flaws
  const container: ProofCheck =
    flaw === undefined
      ? { id: 'container', status: 'passed', data: { count: zip.entries.length } }
      : { id: 'container', status: 'failed', data: { reason: flaw.reason, path: flaw.path ?? '', count: zip.entries.length } }
  const checks: ProofCheck[] = [container]
  if (zip.entries.length === 0 && flaw !== undefined)
    return proofReport('wacz', deps, { checks, unusable: flaw.reason === 'not_zip' })
  const read = await readObject(file, zip, 'datapackage.json')
  if (typeof read === 'string') {
    checks.push({ id: 'datapackage', status: 'failed', data: { reason: read, count: 0 } })
    return proofReport('wacz', deps, { checks })
  }
  const { bytes, found } = read
  const hex = toHex(sha256(bytes))
  const resources = Array.isArray(found['resources']) ? found['resources'].map(asObject) : undefined
  if (resources === undefined || resources.length > mostResources || resources.includes(undefined)) {
    checks.push({ id: 'datapackage', status: 'failed', data: { reason: 'malformed', count: 0 } })
    return proofReport('wacz', deps, { checks })
  }
  checks.push({
    id: 'datapackage',
    status: 'passed',
    data: { count: resources.length },
    steps: [{ operation: 'sha256', input: toHex(bytes.subarray(0, 256)), input_bytes: bytes.length, output: hex }],
    repeat_command: 'unzip -p archive.wacz datapackage.json | sha256sum; unzip -p archive.wacz datapackage-digest.json',
  })
  const listed = await checkResources(file, zip, resources as readonly JsonObject[], deps)
  checks.push(...listed.checks, unlistedCheck(zip, listed.paths))
  const signed = await checkDigestFile({ file, zip, hash: `sha256:${hex}`, created: found['created'] }, deps)
  checks.push(...signed.checks)
  return proofReport('wacz', deps, {
    checks,
    facts: [...factsOf(found), { id: 'resources', value: resources.length, form: 'count' }, ...signed.facts],
    bound: [{ algorithm: 'sha256', hex, of: 'message' }, ...listed.bound.slice(0, mostBound)],
    dates: signed.dates,
  })
}

function factsOf(found: JsonObject): Fact[] {
  const facts: Fact[] = []
  for (const id of ['created', 'software', 'title'] as const) {
    const value = found[id]
    if (typeof value === 'string' && value !== '')
      facts.push({ id, value: value.slice(0, 500), form: id === 'created' ? 'instant' : 'text' })
  }
  return facts
}

async function checkResources(
  file: Readable,
  zip: AnyZip,
  resources: readonly JsonObject[],
  deps: VerifyDeps,
): Promise<{ checks: ProofCheck[]; paths: ReadonlySet<string>; bound: Bound[] }> {
  const checks: ProofCheck[] = []
  const paths = new Set<string>()
  const bound: Bound[] = []
  const byPath = new Map(zip.entries.map((entry) => [entry.path, entry]))
  let whole = 0
  for (const resource of resources) {
    const { path, hash, bytes } = resource
    const name = typeof path === 'string' ? path : ''
    paths.add(name)
    const entry = byPath.get(name)
    const fail = (status: 'failed' | 'indeterminate', reason: string): void => {
      if (checks.length < 1000) checks.push({ id: 'resource', status, data: { reason }, subject: name })
    }
    if (entry === undefined) fail('failed', 'missing')
    else if (typeof hash !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(hash)) fail('indeterminate', 'unknown_digest')
    else if (typeof bytes === 'number' && bytes !== entry.size) fail('failed', 'size')
    else {
      const digest = await ifReadable(digestEntry(file, entry, 'sha256', deps))
      const hex = digest === undefined ? '' : toHex(digest)
      if (digest === undefined) fail('failed', 'unpackable')
      else if (`sha256:${hex}` !== hash) fail('failed', 'differs')
      else {
        whole += 1
        bound.push({ algorithm: 'sha256', hex, of: 'entry' })
      }
    }
  }
  const status =
    whole === resources.length ? 'passed' : checks.some((each) => each.status === 'failed') ? 'failed' : 'indeterminate'
  checks.push({
    id: 'resources',
    status,
    data: { whole, count: resources.length, ...(status === 'passed' ? {} : { reason: 'differs' }) },
  })
  return { checks, paths, bound }
}

/** Files that the list does not name: nobody can say when they came (WACZ §5.2 lists the only ones that may stand outside). */
function unlistedCheck(zip: AnyZip, listed: ReadonlySet<string>): ProofCheck {
  const own = ['datapackage.json', 'datapackage-digest.json']
  const left = zip.entries.filter(({ path }) => !listed.has(path) && !own.includes(path) && !path.endsWith('/'))
  const [first] = left
  if (first === undefined) return { id: 'unlisted', status: 'passed', data: { count: 0, path: '' } }
  return {
    id: 'unlisted',
    status: 'indeterminate',
    data: { reason: 'not_listed', count: left.length, path: first.path },
    subject: first.path,
  }
}
