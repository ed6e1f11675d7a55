import { toHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import type { ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { deciding } from '../report/verdict.ts'
import { infoOf } from '../timestamp/info-of-token.ts'
import { shortfall } from '../timestamp/shortfall.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { inclusiveForm } from '../xml/canonicalise.ts'
import type { CanonicalForm } from '../xml/canonicalise.ts'
import { canonicalWithin } from '../xml/dereference.ts'
import type { Reference, SignedXml } from '../xml/dereference.ts'
import { attributeOf, childrenOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { base64Of, ds, formOf } from '../xml/xml-signature.ts'
import { isNamed, readable, xades, xades141 } from './read-signature.ts'
import type { XmlSignature } from './read-signature.ts'

export type Stamped = {
  readonly checks: readonly ProofCheck[]
  readonly dates: readonly ProvenDate[]
  /** When the signature is proven to have existed. */
  readonly at: Date | undefined
  /** When all that it is over is: as of then its algorithms must hold. */
  readonly archivedAt: Date | undefined
}

type Question = {
  readonly signature: XmlSignature
  readonly references: readonly Reference[]
  readonly signed: SignedXml
  readonly certificates: readonly Certificate[]
  readonly budget: Budget
  readonly deps: VerifyDeps
}

type Kind = 'content' | 'signature' | 'references' | 'archive'
const names: Readonly<Record<string, Kind>> = {
  AllDataObjectsTimeStamp: 'content',
  IndividualDataObjectsTimeStamp: 'content',
  SignatureTimeStamp: 'signature',
  SigAndRefsTimeStamp: 'references',
  SigAndRefsTimeStampV2: 'references',
  RefsOnlyTimeStamp: 'references',
  RefsOnlyTimeStampV2: 'references',
  ArchiveTimeStamp: 'archive',
}

export function stampKind(element: XmlElement): Kind | undefined {
  const isKnown = isNamed(element, xades, element.local) || isNamed(element, xades141, element.local)
  return isKnown && Object.hasOwn(names, element.local) ? names[element.local] : undefined
}

const mostTokens = 32
const perToken = 8
/** Clocks of two time authorities are never one. */
const clockTolerance = 5 * 60_000

/**
 * Every time stamp of a signature (EN 319 132-1 §5.2.8, §5.3, §5.5.2, §A.1.5), from the last to the first: each must hold as of the instant
 * of the archive time stamp after it that holds, the last ones as of now.
 */
export async function checkStamps(question: Question): Promise<Stamped> {
  const { signature, deps } = question
  const all = [...signature.signed, ...signature.unsigned].filter((each) => stampKind(each) !== undefined)
  const tokens = all.flatMap((element) => childrenOf(element, xades, 'EncapsulatedTimeStamp').map((each) => ({ element, each })))
  const checks: ProofCheck[] = []
  const dates: ProvenDate[] = []
  let now = deps.now()
  let archivedAt: Date | undefined
  let at: Date | undefined
  for (const element of all)
    if (!tokens.some((token) => token.element === element))
      checks.push({ id: idOf(element), status: 'indeterminate', data: { reason: 'timestamp_form', name: element.local } })
  if (tokens.length > mostTokens)
    return { checks: [{ id: 'archive_timestamp', status: 'indeterminate', data: { reason: 'too_many' } }], dates, at, archivedAt }
  for (const { element, each } of tokens.toReversed()) {
    question.budget.left += perToken
    const kind = stampKind(element)
    const judged = await judgeStamp(element, each, question, now)
    const { genTime } = judged
    const isLate = kind !== 'content' && genTime !== undefined && genTime.getTime() > now.getTime() + clockTolerance
    if (isLate && archivedAt !== undefined) {
      checks.unshift({ ...judged.check, status: 'failed', data: { ...judged.check.data, reason: 'out_of_order' } })
      continue
    }
    checks.unshift(judged.check)
    if (!judged.holds || genTime === undefined) continue
    if (kind !== 'references' || element.local.startsWith('Sig')) dates.unshift(...judged.dates)
    if (kind === 'archive') now = archivedAt = genTime
    if (kind !== 'content' && !element.local.startsWith('RefsOnly') && (at === undefined || genTime < at)) at = genTime
  }
  return { checks, dates, at, archivedAt }
}

const idOf = (element: XmlElement): string => `${stampKind(element)}_timestamp`

type JudgedStamp = {
  readonly check: ProofCheck
  readonly holds: boolean
  readonly genTime: Date | undefined
  readonly dates: readonly ProvenDate[]
}

async function judgeStamp(element: XmlElement, encoded: XmlElement, question: Question, now: Date): Promise<JudgedStamp> {
  const id = idOf(element)
  const open = (reason: string): JudgedStamp => ({
    check: { id, status: 'indeterminate', data: { reason, name: element.local, gen_time: '', authority: '' } },
    holds: false,
    genTime: undefined,
    dates: [],
  })
  const [token] = readable(() => base64Of(encoded))
  const [info] = token === undefined ? [] : readable(() => infoOf(token))
  if (token === undefined || info === undefined) return open('timestamp_unreadable')
  const { algorithm } = info
  const digest = algorithm === undefined ? undefined : await digestOfStamped(element, question, algorithm)
  if (algorithm !== undefined && typeof digest !== 'object') return open(digest ?? 'timestamp_form')
  const data = { digests: algorithm === undefined || typeof digest !== 'object' ? {} : { [algorithm]: toHex(digest) } }
  const { certificates, budget, deps } = question
  const report = await verifyTimestampProof({ token, data, certificates, budget }, { ...deps, now: () => now })
  await deps.pause?.()
  return { ...summary(id, report), genTime: info.genTime }
}

/** A time stamp in one line: whether it holds, and why not. */
function summary(id: string, report: ProofReport): Omit<JudgedStamp, 'genTime'> {
  const fact = (name: string): string => String(report.facts.find((each) => each.id === name)?.value ?? '')
  const data = { gen_time: fact('gen_time'), authority: fact('authority') }
  const { dates } = report
  if (report.verdict === 'TOTAL-PASSED')
    return { check: { id, status: 'passed', data, rests_on: ['time_authority'] }, holds: true, dates }
  const { status, reason } = shortfall(report)
  return { check: { id, status, data: { ...data, reason, check: deciding(report.checks)?.id ?? '' } }, holds: false, dates: [] }
}

/** The reason where what is stamped is not at hand; undefined where it is said in a way that is not evaluated here. */
async function digestOfStamped(
  element: XmlElement,
  question: Question,
  algorithm: DigestName,
): Promise<Uint8Array | 'content_absent' | undefined> {
  const [method] = childrenOf(element, ds, 'CanonicalizationMethod')
  const form = method === undefined ? inclusiveForm : formOf(method)
  if (form === undefined) return undefined
  const hasher = digests[algorithm].create()
  const parts = partsOf(element, question)
  if (parts === undefined) return undefined
  for (const part of parts) {
    const octets = 'octets' in part ? await part.octets(form) : canonicalWithin(question.signed, part, form)
    if (octets === undefined) return 'content_absent'
    hasher.update(octets)
  }
  return hasher.digest()
}

type Part = XmlElement | { readonly octets: (form: CanonicalForm) => Promise<Uint8Array | undefined> }

/** What a time stamp is over, one after the other; undefined for a way of saying it that is not evaluated here. */
function partsOf(element: XmlElement, { signature, references }: Question): readonly Part[] | undefined {
  const { info, value, keyInfo, objects, unsigned } = signature
  const kind = stampKind(element)
  const included = childrenOf(element, xades, 'Include').map((each) => attributeOf(each, 'URI') ?? '')
  if (element.local === 'IndividualDataObjectsTimeStamp') {
    const found = included.map((uri) => references.find((each) => uri !== '#' && uri === `#${attributeOf(each.element, 'Id')}`))
    return found.length === 0 || found.includes(undefined) ? undefined : found.flatMap((each) => each ?? [])
  }
  if (included.length > 0)
    // TS 101 903 v1.2.2 named the signature value so.
    return kind === 'signature' && included.length === 1 && included[0] === `#${attributeOf(value, 'Id')}` ? [value] : undefined
  if (kind === 'content') return references.filter(({ target }) => target !== signature.properties)
  if (kind === 'signature') return [value]
  const before = unsigned.slice(0, unsigned.indexOf(element))
  if (kind === 'references') {
    const refs = before.filter(
      (each) =>
        /^(?:Complete|Attribute)(?:Certificate|Revocation)Refs(?:V2)?$/.test(each.local) ||
        (each.local === 'SignatureTimeStamp' && element.local.startsWith('Sig')),
    )
    return element.local.startsWith('Sig') ? [value, ...refs] : refs
  }
  // TS 101 903 v1.3.2 §7.7.1 left out objects that a reference is over; EN 319 132-1 §5.5.2.2 has all.
  const others = objects.filter(
    (each) =>
      each !== signature.qualifying?.parent &&
      (element.namespace === xades141 || !references.some(({ target }) => target === each)),
  )
  return [...references, info, value, ...(keyInfo === undefined ? [] : [keyInfo]), ...before, ...others]
}
