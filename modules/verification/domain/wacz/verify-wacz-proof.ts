import { sha256 } from '@noble/hashes/sha2.js'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { readTrust } from '../cms/read-trust.ts'
import { MalformedError } from '../der.ts'
import type { Readable } from '../package-source.ts'
import { proofReport } from '../proof.ts'
import type { Bound, Fact, ProofCheck, ProofDeps, ProofReport, ProvenDate } from '../proof.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { verifySignedData } from '../verify-wacz.ts'
import { fromBase64, isIssuedBy, readPem } from '../x509.ts'
import type { Certificate } from '../x509.ts'
import { digestEntry } from '../zip/digest-entry.ts'
import { readAnyZip, readEntry } from '../zip/read-any-zip.ts'
import type { AnyEntry, AnyZip } from '../zip/read-any-zip.ts'

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

const largestJson = 16 << 20
const mostResources = 10_000
const mostBound = 200
/** authsign: a date counts for ten minutes before its timestamp. */
const latestMs = 10 * 60_000

/**
 * A web archive (WACZ 1.1.1, and WACZ Signing and Verification 0.1.0), of any maker: every resource against the digest in
 * datapackage.json, that file against its own digest, and the signature over it, anonymous or of a domain. Throws nothing but
 * VerificationStopped and what reading the file throws.
 */
export async function verifyWaczProof(
  input: { readonly file: Readable; readonly name?: string },
  deps: ProofDeps,
): Promise<ProofReport> {
  const { file } = input
  const zip = await readAnyZip(file)
  const [flaw] = zip.flaws
  const container: ProofCheck =
    flaw === undefined
      ? { id: 'container', status: 'passed', data: { count: zip.entries.length } }
      : { id: 'container', status: 'failed', data: { reason: flaw.reason, path: flaw.path ?? '', count: zip.entries.length } }
  const checks: ProofCheck[] = [container]
  if (zip.entries.length === 0) return proofReport('wacz', deps, { checks, unusable: flaw?.reason === 'not_zip' })
  const bytes = await readNamed(file, zip, 'datapackage.json')
  const found = typeof bytes === 'string' ? undefined : objectIn(bytes)
  if (typeof bytes === 'string' || found === undefined) {
    checks.push({
      id: 'datapackage',
      status: 'failed',
      data: { reason: typeof bytes === 'string' ? bytes : 'malformed', count: 0 },
    })
    return proofReport('wacz', deps, { checks })
  }
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
  const listed = await checkResources(file, zip, resources as readonly Readonly<Record<string, unknown>>[], deps)
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

function factsOf(found: Readonly<Record<string, unknown>>): Fact[] {
  const facts: Fact[] = []
  for (const id of ['created', 'software', 'title'] as const) {
    const value = found[id]
    if (typeof value === 'string' && value !== '') facts.push({ id, value: value.slice(0, 500), form: 'text' })
  }
  return facts
}

async function checkResources(
  file: Readable,
  zip: AnyZip,
  resources: readonly Readonly<Record<string, unknown>>[],
  deps: ProofDeps,
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
      const digest = await digestOrNone(file, entry, deps)
      if (digest === undefined) fail('failed', 'unpackable')
      else if (`sha256:${digest}` !== hash) fail('failed', 'differs')
      else {
        whole += 1
        bound.push({ algorithm: 'sha256', hex: digest, of: 'entry' })
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

async function checkDigestFile(
  input: { readonly file: Readable; readonly zip: AnyZip; readonly hash: string; readonly created: unknown },
  deps: ProofDeps,
): Promise<{ checks: ProofCheck[]; facts: Fact[]; dates: ProvenDate[] }> {
  const none = { facts: [], dates: [] }
  const bytes = await readNamed(input.file, input.zip, 'datapackage-digest.json')
  // WACZ §5.2.4 recommends it; without it nothing says who made the archive.
  if (bytes === 'missing')
    return {
      ...none,
      checks: [{ id: 'digest', status: 'indeterminate', supplementary: true, data: { reason: 'no_digest_file' } }, unsigned()],
    }
  const found = typeof bytes === 'string' ? undefined : objectIn(bytes)
  if (found === undefined) return { ...none, checks: [{ id: 'digest', status: 'failed', data: { reason: 'malformed' } }] }
  const signed = asObject(found['signedData'])
  const speaksOfIt =
    found['path'] === 'datapackage.json' &&
    found['hash'] === input.hash &&
    (signed === undefined || signed['hash'] === input.hash)
  if (!speaksOfIt) return { ...none, checks: [{ id: 'digest', status: 'failed', data: { reason: 'other_digest' } }] }
  const digest: ProofCheck = { id: 'digest', status: 'passed', data: { sha256: input.hash.slice(7) } }
  if (signed === undefined) return { ...none, checks: [digest, unsigned()] }
  const fail = (reason: string) => ({
    ...none,
    checks: [digest, { id: 'signature', status: 'failed' as const, data: { reason } }],
  })
  if (signed['created'] !== input.created) return fail('created_differs')
  try {
    const strict = verifySignedData(signed, input.hash)
    const outcome = 'reason' in strict && strict.reason === 'timestamp_failed' ? await dateByOthers(signed, deps) : strict
    if ('reason' in outcome) return fail(outcome.reason)
    if (outcome.form === 'anonymous')
      return {
        ...none,
        facts: [{ id: 'key', value: outcome.sha256, form: 'hex' }],
        checks: [
          digest,
          { id: 'signature', status: 'passed', data: { form: 'anonymous', name: '', at: '' } },
          { id: 'trust', status: 'indeterminate', data: { reason: 'anonymous', sha256: outcome.sha256, name: '' } },
        ],
      }
    const chain = readPem(utf8(String(signed['domainCert'])))
    const anchors = readTrust(deps.trust)
    return {
      checks: [
        digest,
        { id: 'signature', status: 'passed', data: { form: 'domain', name: outcome.name, at: outcome.gen_time } },
        trustCheck('trust', chain, outcome.name, anchors),
        trustCheck('time_trust', readPem(utf8(String(signed['timestampCert']))), '', anchors),
      ],
      facts: [{ id: 'domain', value: outcome.name, form: 'text' }],
      dates: [{ kind: 'timestamp', at: outcome.gen_time, by: outcome.name, rests_on: ['time_authority'] }],
    }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return fail('malformed')
    throw error
  }
}

/**
 * Archives of authsign's hold a token without certificates, which stand beside it: read as any authority's. Everything before the
 * token was found right. @throws MalformedError
 */
async function dateByOthers(
  signed: Readonly<Record<string, unknown>>,
  deps: ProofDeps,
): Promise<{ reason: string } | { form: 'domain'; name: string; sha256: string; gen_time: string }> {
  const authorities = readPem(utf8(String(signed['timestampCert'])))
  const report = await verifyTimestampProof(
    {
      token: fromBase64(String(signed['timeSignature'])),
      data: { bytes: utf8(String(signed['signature'])) },
      certificates: authorities,
    },
    { ...deps, trust: utf8(String(signed['timestampCert'])) },
  )
  const at = report.facts.find(({ id }) => id === 'gen_time')?.value
  const isDated = report.checks.every(
    ({ status, supplementary }) => status === 'passed' || (status === 'indeterminate' && supplementary),
  )
  if (typeof at !== 'string' || !isDated) return { reason: 'timestamp_failed' }
  const late = Date.parse(at) - Date.parse(String(signed['created']))
  if (!(late >= 0 && late <= latestMs)) return { reason: 'archive_created' }
  const [leaf] = readPem(utf8(String(signed['domainCert'])))
  return leaf === undefined ? { reason: 'chain' } : { form: 'domain', name: leaf.name, sha256: leaf.sha256, gen_time: at }
}

function trustCheck(
  id: 'trust' | 'time_trust',
  chain: readonly Certificate[],
  name: string,
  anchors: readonly Certificate[],
): ProofCheck {
  const isKnown = chain.some((each) => anchors.some((anchor) => anchor.sha256 === each.sha256 || isIssuedBy(each, anchor)))
  const top = chain.at(-1)
  const data = { name: name === '' ? (top?.name ?? '') : name, sha256: top?.sha256 ?? '' }
  return isKnown
    ? { id, status: 'passed', data, rests_on: ['given', id === 'trust' ? 'certificate_authority' : 'time_authority'] }
    : { id, status: 'indeterminate', data: { ...data, reason: anchors.length === 0 ? 'no_roots' : 'not_among_roots' } }
}

const unsigned = (): ProofCheck => ({ id: 'signature', status: 'indeterminate', data: { reason: 'unsigned' } })

async function readNamed(file: Readable, zip: AnyZip, name: string): Promise<Uint8Array | 'missing' | 'unpackable'> {
  const entry = zip.entries.find(({ path }) => path === name)
  if (entry === undefined) return 'missing'
  try {
    return await readEntry(file, entry, largestJson)
  } catch (error) {
    if (error instanceof MalformedError) return 'unpackable'
    throw error
  }
}

async function digestOrNone(file: Readable, entry: AnyEntry, deps: ProofDeps): Promise<string | undefined> {
  try {
    return toHex(await digestEntry(file, entry, 'sha256', deps))
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

function objectIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
