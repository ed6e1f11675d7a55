import { equalBytes, toHex } from '../../../../../kernel/bytes.ts'
import { digests } from '../../hash/digests.ts'
import { ids } from '../../certificate/object-ids.ts'
import { parseCanonicalJson } from '../../encoding/canonical-json.ts'
import { qualifiedChecks } from './check-qualified.ts'
import type { HeldToken } from './check-qualified.ts'
import { checkSignedData, hasStrayCertificate, readSignedData } from './read-signed-data.ts'
import { MalformedError, timeOf } from '../../encoding/der.ts'
import { tokenFile } from '../../manifest/package-layout.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { Check, SealFacts, TimestampFacts } from '../../report/package-report.ts'
import { verifyTimestamp } from './verify-timestamp.ts'
import type { TokenChain } from './verify-timestamp.ts'
import { buildChain, readPem } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'

/** Certificates of a PEM file of the package; none when it is not one. */
export function pemOrNone(bytes: Uint8Array | undefined): Certificate[] {
  try {
    return bytes === undefined ? [] : readPem(bytes)
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}

/** The signature and every token over the root, and the record of the seal, which says nothing else. */
export function verifySeal(
  small: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  platform: readonly Certificate[],
  deps: VerifyDeps,
) {
  const signature = verifyRootSignature(small.get('seal/signature.p7s'), root, platform, deps.now())
  const checks: Check[] = [signature.check]
  const tokens: DatedToken[] = []
  const held: HeldToken[] = []
  const files = [...small.keys()]
    .filter((path) => tokenFile.test(path))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  for (const file of files) {
    const known = pemOrNone(small.get(caFileOf(file)))
    const outcome = verifyRootTimestamp(file, small.get(file) ?? new Uint8Array(), root, known)
    checks.push(outcome.check)
    if (outcome.facts !== undefined) tokens.push(outcome.facts)
    if (outcome.facts !== undefined && outcome.chain !== undefined) held.push({ ...outcome.facts, ...outcome.chain })
  }
  if (files.length === 0)
    checks.push({ id: 'timestamp', status: 'failed', subject: 'seal/timestamp-1.tsr', data: { reason: 'missing' } })
  const { facts } = signature
  const qualified = qualifiedChecks(held, deps.trustedLists)
  const lotl = deps.trustedLists?.lotl
  const seal: SealFacts = {
    root: toHex(root),
    signed_at: facts?.signedAt?.toISOString() ?? null,
    signer: facts === undefined ? null : { name: facts.signer.name, serial: facts.signer.serial, sha256: facts.signer.sha256 },
    platform_authority_sha256: facts?.authority.sha256 ?? null,
    timestamps: tokens,
    qualified: qualified.some(({ status }) => status === 'passed'),
    ...(lotl === undefined ? {} : { trusted_lists: { number: lotl.sequence_number, issued_at: lotl.issued_at } }),
  }
  checks.push(verifySealRecord(small.get('seal/seal.json'), seal), ...qualified)
  return { checks, facts: { seal, tokens, signature: facts } }
}

const signaturePath = 'seal/signature.p7s'
const signatureCommand =
  'openssl cms -verify -binary -inform DER -in seal/signature.p7s -content seal/root.bin -CAfile seal/platform-ca.pem -purpose any -out /dev/null'

export type SignatureFacts = { readonly signer: Certificate; readonly authority: Certificate; readonly signedAt: Date | null }

/** The platform's signature over the root (CAdES-BES, detached). Answers facts only when it holds. */
export function verifyRootSignature(
  encoded: Uint8Array | undefined,
  root: Uint8Array,
  platform: readonly Certificate[],
  now: Date,
): { check: Check; facts?: SignatureFacts } {
  const result = (status: Check['status'], data: Check['data']): Check => ({
    id: 'signature',
    status,
    subject: signaturePath,
    data,
    repeat_command: signatureCommand,
  })
  if (encoded === undefined) return { check: result('failed', { reason: 'missing' }) }
  const { facts, reason } = verifyDetachedSignature(encoded, root, platform, now)
  if (facts === undefined) return { check: result('failed', { reason: reason ?? 'signature' }) }
  const values = { name: facts.signer.name, sha256: facts.signer.sha256 }
  return { check: reason === undefined ? result('passed', values) : result('indeterminate', { ...values, reason }), facts }
}

/**
 * A detached CAdES-BES signature of the platform's over `content`. `facts` without `reason`: it holds; both: it holds, with a
 * reservation; `reason` alone: it does not.
 */
export function verifyDetachedSignature(
  encoded: Uint8Array,
  content: Uint8Array,
  platform: readonly Certificate[],
  now: Date,
): { facts?: SignatureFacts; reason?: string } {
  const fail = (reason: string) => ({ reason })
  try {
    const data = readSignedData(encoded)
    if (data.contentType !== ids.data || data.content !== undefined) return fail('content_type')
    if (data.unsigned.size > 0) return fail('unaccounted')
    const checked = checkSignedData(data, digests[data.digest](content))
    if (typeof checked === 'string') return fail(checked)
    const time = data.signed.get(ids.signingTime)
    const signedAt = time === undefined ? null : timeOf(time)
    const pool = [...platform, ...data.certificates]
    const chain = buildChain(checked.signer, pool, signedAt ?? now)
    if (typeof chain === 'string') return fail(chain)
    if (!platform.some((each) => equalBytes(each.encoded, chain.root.encoded))) return fail('other_signer')
    if (checked.signer.keyUsage !== undefined && !checked.signer.keyUsage.has(0) && !checked.signer.keyUsage.has(1))
      return fail('purpose')
    const facts = { signer: checked.signer, authority: chain.root, signedAt }
    if (hasStrayCertificate(data, pool)) return { facts, reason: 'unaccounted' }
    return checked.weak || chain.weak ? { facts, reason: 'weak_algorithm' } : { facts }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return fail('malformed')
    throw error
  }
}

export type DatedToken = TimestampFacts & { readonly file: string }

/** The chain that belongs to a token of `seal/`. */
export function caFileOf(token: string): string {
  return token.replace(/\.tsr$/, '-ca.pem')
}

/** Token `seal/timestamp-n.tsr` over the root. */
export function verifyRootTimestamp(
  file: string,
  encoded: Uint8Array,
  root: Uint8Array,
  known: readonly Certificate[],
): { check: Check; facts?: DatedToken; chain?: TokenChain } {
  // The message imprint *is* the root: it is a SHA-256 already.
  const outcome = verifyTimestamp(encoded, { digest: root, known, form: 'response' })
  const facts = outcome.status === 'passed' ? outcome.facts : undefined
  return {
    check: {
      id: 'timestamp',
      status: outcome.status,
      subject: file,
      data:
        outcome.status === 'passed'
          ? { authority: outcome.facts.authority, gen_time: outcome.facts.gen_time }
          : { reason: outcome.reason },
      repeat_command: `openssl ts -verify -digest $(xxd -p -c 64 seal/root.bin) -in ${file} -CAfile ${caFileOf(file)}`,
    },
    ...(facts === undefined ? {} : { facts: { ...facts, file } }),
    ...(outcome.status === 'passed' ? { chain: { signer: outcome.signer, issuers: outcome.issuers } } : {}),
  }
}

/** `seal/seal.json` says nothing that the signature and the tokens do not say. */
export function verifySealRecord(bytes: Uint8Array | undefined, facts: SealFacts): Check {
  const fail = (reason: string): Check => ({ id: 'seal_record', status: 'failed', subject: 'seal/seal.json', data: { reason } })
  if (bytes === undefined) return fail('missing')
  let stated: unknown
  try {
    stated = parseCanonicalJson(bytes)
  } catch (error) {
    if (error instanceof RangeError) return fail('malformed')
    throw error
  }
  const measured = {
    format: 'probant-seal/1',
    root: facts.root,
    signed_at: facts.signed_at,
    signer:
      facts.signer === null ? null : { subject: facts.signer.name, serial: facts.signer.serial, sha256: facts.signer.sha256 },
    timestamps: facts.timestamps.map((each) => ({
      file: each.file,
      ca_file: caFileOf(each.file),
      authority: each.authority,
      gen_time: each.gen_time,
      qualified: false,
      serial: each.serial,
      embedded: each.embedded,
    })),
  }
  return same(stated, measured) ? { id: 'seal_record', status: 'passed', subject: 'seal/seal.json', data: {} } : fail('differs')
}

/** Equality of JSON values, whatever the order of members. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const left = Object.entries(a)
  const right = new Map(Object.entries(b))
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && same(value, right.get(key)))
  )
}
