import { toHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import { signatureHolds } from '../certificate/check-signature.ts'
import type { SignatureScheme } from '../certificate/check-signature.ts'
import { mostCalculations, unique } from '../certificate/certificate-path.ts'
import { checkCertificate, strays } from '../cms/check-certificate.ts'
import { stepOf } from '../cms/check-signer.ts'
import { readTrust } from '../certificate/read-trust.ts'
import { revocationCheck } from '../cms/revocation.ts'
import type { RevocationData } from '../cms/revocation.ts'
import { schemeLabel } from '../certificate/strength.ts'
import { hasEvidence } from '../cms/judge-signer.ts'
import type { Bound, Fact, ProofCheck, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { Certificate } from '../certificate/x509.ts'
import { canonicalWithin } from '../xml/dereference.ts'
import type { Reference, SignedXml } from '../xml/dereference.ts'
import { childrenOf, onlyChild, textOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { algorithmOf, base64Of, ds, formOf, schemeOfUri, signatureOctets } from '../xml/xml-signature.ts'
import { propertyChecks } from './check-properties.ts'
import { referenceCheck, referencesOf } from './check-references.ts'
import { signingCertificateCheck } from './check-signing-certificate.ts'
import { checkStamps } from './check-stamps.ts'
import { timeMarkCheck } from './check-time-mark.ts'
import { certificatesIn, encapsulated, keyCertificates, readSignature, xades, xades141 } from './read-signature.ts'
import type { XmlSignature } from './read-signature.ts'

export type JudgedSignature = {
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly bound: readonly Bound[]
  readonly dates: readonly ProvenDate[]
  readonly references: readonly Reference[]
}

/** One ds:Signature by every check. @throws MalformedError */
export async function judgeSignature(element: XmlElement, signed: SignedXml, deps: VerifyDeps): Promise<JudgedSignature> {
  const signature = readSignature(element)
  const { info } = signature
  const { own, listed } = await referencesOf(info, signed)
  const anchors = readTrust(deps.trust)
  const enclosed = certificatesIn(keyCertificates(signature).map(base64Of))
  const values = valuesOf(signature)
  const budget = { left: mostCalculations }
  const pool = unique([...enclosed, ...values.certificates, ...anchors])
  const stamped = await checkStamps({ signature, references: own, signed, certificates: pool, budget, deps })
  const now = deps.now()
  const soundAt = stamped.archivedAt ?? now

  const checks: ProofCheck[] = []
  const references = [...own, ...listed]
  for (const each of references) {
    if (each.target !== undefined && each.target === signature.properties) continue
    checks.push(await referenceCheck(each, soundAt))
    await deps.pause?.()
  }
  checks.push(...countersigned(element, own))
  const facts: Fact[] = []
  const scheme = schemeOfUri(algorithmOf(onlyChild(info, ds, 'SignatureMethod')))
  const value = valueCheck(signature, signed, scheme)
  const named = signingCertificateCheck(signature, own, pool, enclosed, value.holds)
  const { certificate } = named
  checks.push(...(await propertyChecks(signature, own, soundAt, stamped.at ?? now)))
  checks.push(
    certificate === undefined
      ? { id: 'signer', status: 'indeterminate', data: { reason: 'certificate_absent' } }
      : {
          id: 'signer',
          status: 'passed',
          data: { name: certificate.name, serial: certificate.serial, sha256: certificate.sha256 },
        },
    named.check,
    ...(certificate === undefined ? [] : [value.check(certificate)]),
    ...stamped.checks,
  )
  if (!stamped.checks.some(({ id }) => id === 'signature_timestamp'))
    checks.push({ id: 'signature_timestamp', status: 'indeterminate', supplementary: true, data: { reason: 'timestamp_absent' } })
  let suffix = stamped.at === undefined ? 'B' : 'T'
  if (certificate !== undefined) {
    const at = stamped.at ?? now
    const by = stamped.at === undefined ? 'now' : 'timestamp'
    const question = { certificate, pool, anchors, lists: undefined, deps, at, by, now: soundAt, budget } as const
    const judged = checkCertificate(question, { scheme })
    const { path } = judged
    checks.push(
      keyUsageCheck(certificate),
      ...judged.checks,
      ...timeMarkCheck(signature, certificate, path.issuers, values.ocsps, pool, budget),
      ...revocationCheck({ revocation: [] }, noAttributes, certificate, path, pool, at, values, budget),
    )
    checks.push(...judged.current, octetsCheck(enclosed, pool, path.top, budget))
    if (stamped.at !== undefined && hasEvidence(certificate, path, values, pool, at))
      suffix = stamped.archivedAt === undefined ? 'LT' : 'LTA'
    facts.push(
      { id: 'signer', value: certificate.name, form: 'text' },
      { id: 'certificate_sha256', value: certificate.sha256, form: 'hex' },
      { id: 'certificate_expires', value: certificate.notAfter.toISOString(), form: 'instant' },
      { id: 'top_name', value: path.top.name, form: 'text' },
      { id: 'top_sha256', value: path.top.sha256, form: 'hex' },
    )
  }
  const time = signingTime(signature)
  if (time !== undefined) facts.unshift({ id: 'signing_time', value: time, form: 'instant' })
  facts.push({ id: 'level', value: signature.properties === undefined ? 'XMLDSig' : `XAdES B-${suffix}`, form: 'text' })
  return { checks, facts, bound: references.flatMap(boundOf), dates: stamped.dates, references }
}

/** EN 319 132-1 §5.2.7.2: what stands in a signature as a countersignature is over its value. */
function countersigned({ parent }: XmlElement, references: readonly Reference[]): ProofCheck[] {
  if (parent?.local !== 'CounterSignature') return []
  let above = parent.parent
  while (above !== undefined && !(above.namespace === ds && above.local === 'Signature')) above = above.parent
  const [value] = above === undefined ? [] : childrenOf(above, ds, 'SignatureValue')
  return value !== undefined && references.some(({ target }) => target === value)
    ? []
    : [{ id: 'reference', status: 'failed', data: { algorithm: '', name: '', reason: 'other_countersigned' } }]
}

type Values = RevocationData & { readonly certificates: readonly Certificate[] }

/** What stands in unsigned properties to verify with (EN 319 132-1 §5.4, §5.5.1). */
function valuesOf({ unsigned }: XmlSignature): Values {
  const all = (local: string): Uint8Array[] => unsigned.flatMap((each) => (isValues(each) ? encapsulated(each, local) : []))
  return {
    certificates: certificatesIn(all('EncapsulatedX509Certificate')),
    crls: all('EncapsulatedCRLValue'),
    ocsps: all('EncapsulatedOCSPValue'),
  }
}

const isValues = ({ namespace, local }: XmlElement): boolean =>
  (namespace === xades || namespace === xades141) && /Values$|^(?:TimeStamp|AnyVal\w*)ValidationData$/.test(local)

const noAttributes = { signed: new Map(), unsigned: new Map() }

type Value = { readonly holds: (certificate: Certificate) => boolean; readonly check: (certificate: Certificate) => ProofCheck }

/** Whether the signature was made over ds:SignedInfo with the key of a certificate. */
function valueCheck({ info, value }: XmlSignature, signed: SignedXml, scheme: SignatureScheme | undefined): Value {
  const id = 'signature'
  const method = onlyChild(info, ds, 'CanonicalizationMethod')
  const form = formOf(method)
  const message = form === undefined ? undefined : canonicalWithin(signed, info, form)
  const octets = scheme === undefined ? undefined : signatureOctets(scheme, base64Of(value))
  const known = new Map<string, boolean>()
  const holds = ({ sha256, key }: Certificate): boolean => {
    const held = known.get(sha256)
    if (held !== undefined || scheme === undefined || message === undefined || octets === undefined) return held ?? false
    known.set(sha256, signatureHolds(key, scheme, message, octets))
    return known.get(sha256) === true
  }
  return {
    holds,
    check: (certificate) => {
      const unknown = message === undefined ? algorithmOf(method) : algorithmOf(onlyChild(info, ds, 'SignatureMethod'))
      if (scheme === undefined || message === undefined || certificate.key.type === 'other')
        return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: unknown.slice(0, 200) } }
      const data = { algorithm: schemeLabel(certificate.key, scheme) }
      const steps = [stepOf(scheme.digest, message, digests[scheme.digest](message))]
      return holds(certificate)
        ? { id, status: 'passed', data, steps }
        : { id, status: 'failed', data: { ...data, reason: 'false_signature' }, steps }
    },
  }
}

function keyUsageCheck({ keyUsage }: Certificate): ProofCheck {
  const id = 'key_usage'
  const signs = keyUsage === undefined || keyUsage.has(0) || keyUsage.has(1)
  return signs ? { id, status: 'passed', data: {} } : { id, status: 'failed', data: { reason: 'other_key_usage' } }
}

/** A certificate in ds:KeyInfo that nothing at hand vouches for may have been changed. */
function octetsCheck(
  enclosed: readonly Certificate[],
  pool: readonly Certificate[],
  top: Certificate,
  budget: { left: number },
): ProofCheck {
  const id = 'octets'
  const stray = strays(
    enclosed.filter(({ sha256 }) => sha256 !== top.sha256),
    pool,
    budget,
  )
  if (stray === 'unknown') return { id, status: 'indeterminate', data: { reason: 'certificate_unsigned' } }
  return stray === 'none'
    ? { id, status: 'passed', data: {} }
    : { id, status: 'indeterminate', supplementary: true, data: { reason: 'certificate_replaced' } }
}

/** The signer's own clock: a claim. */
function signingTime({ signed }: XmlSignature): string | undefined {
  const found = signed.find(({ namespace, local }) => namespace === xades && local === 'SigningTime')
  const at = Date.parse(found === undefined ? '' : textOf(found))
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

const linked = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256'] as const

/** Files outside that it is over as they are. */
function boundOf({ target, isTransformed, stated }: Reference): Bound[] {
  const algorithm = linked.find((each) => each === stated.name)
  if (algorithm === undefined || isTransformed || target === undefined || !('name' in target)) return []
  return [{ algorithm, hex: toHex(stated.value), of: 'message' }]
}
