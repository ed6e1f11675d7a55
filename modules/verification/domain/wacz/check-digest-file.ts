import { utf8 } from '../../../../kernel/bytes.ts'
import { findPath } from '../certificate/certificate-path.ts'
import { readTrust } from '../certificate/read-trust.ts'
import { MalformedError } from '../encoding/der.ts'
import type { Readable } from '../file/readable.ts'
import type { Fact, ProofCheck, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { verifySignedData } from '../package/pieces/verify-wacz.ts'
import { fromBase64, readPem } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import type { AnyZip } from '../zip/read-any-zip.ts'
import { asObject, readObject } from './read-object.ts'
import type { JsonObject } from './read-object.ts'

/** authsign: a date counts for ten minutes before its timestamp. */
const latestMs = 10 * 60_000

/**
 * `datapackage-digest.json`: whether it is about this list of resources, who signed it, and when (WACZ Signing and Verification 0.1.0).
 * @param input.hash of datapackage.json, `sha256:…`. @param input.created what datapackage.json says.
 */
export async function checkDigestFile(
  input: { readonly file: Readable; readonly zip: AnyZip; readonly hash: string; readonly created: unknown },
  deps: VerifyDeps,
): Promise<{ checks: ProofCheck[]; facts: Fact[]; dates: ProvenDate[] }> {
  const none = { facts: [], dates: [] }
  const read = await readObject(input.file, input.zip, 'datapackage-digest.json')
  // WACZ §5.2.4 recommends it; without it nothing says who made the archive.
  if (read === 'missing')
    return {
      ...none,
      checks: [{ id: 'digest', status: 'indeterminate', supplementary: true, data: { reason: 'no_digest_file' } }, unsigned()],
    }
  if (typeof read === 'string') return { ...none, checks: [{ id: 'digest', status: 'failed', data: { reason: 'malformed' } }] }
  const { found } = read
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
          {
            id: 'trust',
            status: 'indeterminate',
            data: { reason: 'anonymous', sha256: outcome.sha256, name: '', form: 'anonymous' },
          },
        ],
      }
    const chain = readPem(utf8(String(signed['domainCert'])))
    const authorities = readPem(utf8(String(signed['timestampCert'])))
    const anchors = readTrust(deps.trust)
    return {
      checks: [
        digest,
        { id: 'signature', status: 'passed', data: { form: 'domain', name: outcome.name, at: outcome.gen_time } },
        trustCheck('trust', chain, outcome.name, anchors, new Date(outcome.gen_time), deps),
        trustCheck('time_trust', authorities, '', anchors, new Date(outcome.gen_time), deps),
      ],
      facts: [{ id: 'domain', value: outcome.name, form: 'text' }],
      dates: [{ kind: 'timestamp', at: outcome.gen_time, by: authorities[0]?.name ?? '', rests_on: ['time_authority'] }],
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
  signed: JsonObject,
  deps: VerifyDeps,
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

/**
 * Whether the way from the first certificate, which signed, leads to one that the reader gave. Whoever writes the archive lists what he
 * likes behind it: a known root among them says nothing.
 */
function trustCheck(
  id: 'trust' | 'time_trust',
  chain: readonly Certificate[],
  name: string,
  anchors: readonly Certificate[],
  at: Date,
  { fingerprints }: Pick<VerifyDeps, 'fingerprints'>,
): ProofCheck {
  const [leaf] = chain
  const path = leaf === undefined ? undefined : findPath(leaf, chain, anchors, at)
  const top = path?.top
  const isCompared = anchors.length === 0 && path?.ends === 'root' && fingerprints?.includes(path.top.sha256) === true
  const isKnown = (path?.ends === 'anchor' || isCompared) && path.flaw === undefined
  const data = { name: name === '' ? (top?.name ?? '') : name, sha256: top?.sha256 ?? '', form: 'named' }
  return isKnown
    ? {
        id,
        status: 'passed',
        data: { ...data, by: isCompared ? 'compared' : 'given' },
        rests_on: ['given', id === 'trust' ? 'certificate_authority' : 'time_authority'],
      }
    : { id, status: 'indeterminate', data: { ...data, reason: anchors.length === 0 ? 'no_roots' : 'not_among_roots' } }
}

const unsigned = (): ProofCheck => ({ id: 'signature', status: 'indeterminate', data: { reason: 'unsigned' } })
