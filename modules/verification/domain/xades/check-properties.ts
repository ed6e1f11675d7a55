import type { ProofCheck } from '../report/proof-report.ts'
import type { Reference } from '../xml/dereference.ts'
import { attributeOf, childrenOf, textOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { referenceCheck } from './check-references.ts'
import { stampKind } from './check-stamps.ts'
import { xades, xades141 } from './read-signature.ts'
import type { XmlSignature } from './read-signature.ts'

/** A reference to the signed properties; older software writes the version in the type. */
const isPropertiesType = (type: string): boolean => /^http:\/\/uri\.etsi\.org\/01903(?:\/v[\d.]+)?#SignedProperties$/.test(type)

/** Properties that are read, or that add words of the signer and nothing to verify. */
const known: readonly string[] = [
  'SigningTime',
  'SigningCertificate',
  'SigningCertificateV2',
  'SignaturePolicyIdentifier',
  'SignatureProductionPlace',
  'SignatureProductionPlaceV2',
  'SignerRole',
  'SignerRoleV2',
  'DataObjectFormat',
  'CommitmentTypeIndication',
]
/** Of the unsigned ones: what certificates and answers are, and lists of their digests. */
const knownUnsigned =
  /^(?:(?:Complete|Attribute)(?:Certificate|Revocation)Refs(?:V2)?|(?:Certificate|Revocation|AttrAuthoritiesCert|AttributeRevocation)Values|TimeStampValidationData|AnyValidationData|CounterSignature|SignaturePolicyStore)$/

/** The checks `signed_properties`, `signing_time`, `policy`, `unevaluated`, `unsigned` of XAdES; none for XMLDSig without it. */
export async function propertyChecks(
  signature: XmlSignature,
  references: readonly Reference[],
  soundAt: Date,
  latest: Date,
): Promise<ProofCheck[]> {
  const { qualifying, properties, signed, unsigned, otherProperties } = signature
  const checks: ProofCheck[] = []
  if (qualifying !== undefined) checks.push(await signedCheck(signature, references, soundAt))
  const time = signed.find((each) => isOne(each, ['SigningTime']))
  const claimed = Date.parse(time === undefined ? '' : textOf(time))
  if (!Number.isNaN(claimed)) {
    const data = { at: new Date(claimed).toISOString() }
    checks.push(
      claimed <= latest.getTime() + 300_000
        ? { id: 'signing_time', status: 'passed', data, rests_on: ['given'] }
        : { id: 'signing_time', status: 'indeterminate', data: { ...data, reason: 'later_than_proven' } },
    )
  }
  const policy = signed.find((each) => isOne(each, ['SignaturePolicyIdentifier']))
  if (policy !== undefined) checks.push(policyCheck(policy))
  const odd = [
    ...signed.filter((each) => !isOne(each, known) && stampKind(each) === undefined),
    ...unsigned.filter((each) => !(isKnownSpace(each) && knownUnsigned.test(each.local)) && stampKind(each) === undefined),
  ]
  const names = [...new Set(odd.map(({ local }) => local)), ...(otherProperties ? ['QualifyingProperties'] : [])]
    .slice(0, 20)
    .join(', ')
  if (names !== '') checks.push({ id: 'unevaluated', status: 'indeterminate', data: { names, reason: 'not_evaluated' } })
  if (properties !== undefined && unsigned.length > 0) {
    const added = [...new Set(unsigned.map(({ local }) => local))].slice(0, 20).join(', ')
    checks.push({
      id: 'unsigned',
      status: 'indeterminate',
      supplementary: true,
      data: { names: added, reason: 'attributes_unsigned' },
    })
  }
  return checks
}

const isKnownSpace = ({ namespace }: XmlElement): boolean => namespace === xades || namespace === xades141
const isOne = (element: XmlElement, names: readonly string[]): boolean => isKnownSpace(element) && names.includes(element.local)

/** Whether the signature is over its own properties, as they stand in it (EN 319 132-1 §4.4.2). */
async function signedCheck(
  { element, qualifying, properties, signed }: XmlSignature,
  references: readonly Reference[],
  soundAt: Date,
): Promise<ProofCheck> {
  const id = 'signed_properties'
  if (properties === undefined) return { id, status: 'failed', data: { reason: 'attribute_absent' } }
  const own = references.filter(({ target }) => target === properties)
  const [reference] = own
  // A reference that says to be over properties, and is over others, is how those shown are not those signed.
  if (references.some(({ type, target }) => isPropertiesType(type) && target !== properties) || reference === undefined)
    return { id, status: 'failed', data: { reason: 'properties_unsigned' } }
  const { subject: _, ...check } = await referenceCheck(reference, soundAt)
  if (check.status !== 'passed') return { ...check, id }
  const aim = qualifying === undefined ? undefined : attributeOf(qualifying, 'Target')
  const ids = references.map((each) => attributeOf(each.element, 'Id')).filter((each) => each !== undefined)
  const dangling = signed.some((each) => {
    const about = isOne(each, ['DataObjectFormat']) ? attributeOf(each, 'ObjectReference') : undefined
    return about !== undefined && !ids.some((each) => about === `#${each}`)
  })
  const reason =
    aim !== `#${attributeOf(element, 'Id')}`
      ? 'other_target'
      : reference.type !== '' && !isPropertiesType(reference.type)
        ? 'other_type'
        : dangling
          ? 'other_format'
          : undefined
  return reason === undefined ? { ...check, id } : { id, status: 'indeterminate', data: { ...check.data, reason } }
}

/** Its rules are in a document, for people: which policy it is is said, whether it was kept is not. */
function policyCheck(policy: XmlElement): ProofCheck {
  const [identifier] = childrenOf(childrenOf(policy, xades, 'SignaturePolicyId')[0], xades, 'SigPolicyId').flatMap((each) =>
    childrenOf(each, xades, 'Identifier'),
  )
  const name = identifier === undefined ? '' : textOf(identifier).slice(0, 200)
  return {
    id: 'policy',
    status: 'indeterminate',
    supplementary: true,
    data: { name, reason: name === '' ? 'policy_implied' : 'policy_named' },
  }
}
