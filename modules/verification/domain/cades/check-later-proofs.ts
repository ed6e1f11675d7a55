import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import type { Der } from '../encoding/der.ts'
import type { DocumentDigest } from '../evidence-record/check-renewals.ts'
import { readEvidenceRecord } from '../evidence-record/read-evidence-record.ts'
import { verifyEvidenceRecord } from '../evidence-record/verify-evidence-record.ts'
import type { ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { deciding } from '../report/verdict.ts'
import { infoOf } from '../timestamp/info-of-token.ts'
import type { TstInfo } from '../timestamp/read-tst-info.ts'
import { shortfall } from '../timestamp/shortfall.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { orUndefined } from '../cms/check-signer.ts'
import { asItStood, formOf, laterImprint, valuesOf } from './later-imprint.ts'
import type { Question } from './later-imprint.ts'

export type LaterProofs = {
  readonly checks: readonly ProofCheck[]
  readonly dates: readonly ProvenDate[]
  /** Since when the signature exists, by those that hold. */
  readonly at: Date | undefined
}

type Later = {
  readonly attribute: Der
  readonly form: string
  readonly value: Der
  readonly info: TstInfo | undefined
}

/** What one signature may carry; more than anybody renews. */
const mostLater = 24
const perProof = 8

/**
 * Everything that was added to a signature to prove since when it exists: time stamps over it, over it and what checks it, and evidence
 * records. The last one first: each is judged as of the one that covers it and holds, else as of now (EN 319 102-1 §5.6.3).
 * @param certificates to build chains with
 */
export async function checkLaterProofs(
  question: Question,
  certificates: readonly Certificate[],
  deps: VerifyDeps,
  budget: Budget,
): Promise<LaterProofs> {
  const { signer } = question
  const all = signer.attributes.flatMap((attribute) => {
    const form = formOf(attribute)
    if (form === undefined) return []
    return valuesOf(attribute).map((value): Later => ({ attribute, form, value, info: infoIn(value, form) }))
  })
  // A signed one is over the content alone (EN 319 122-1 §5.2.8).
  for (const value of signer.signed.get('1.2.840.113549.1.9.16.2.20') ?? [])
    all.push({ attribute: value, form: contentTimestamp, value, info: infoIn(value, contentTimestamp) })
  const checks: ProofCheck[] = []
  if (!all.some(({ form }) => form === signatureTimestamp))
    checks.push({ id: 'signature_timestamp', status: 'indeterminate', supplementary: true, data: { reason: 'timestamp_absent' } })
  const held: { readonly at: Date; readonly covered: readonly Der[] }[] = []
  const dates: ProvenDate[] = []
  const instants: Date[] = []
  const latestFirst = all.toSorted((a, b) => timeOf(b) - timeOf(a))
  const found: ProofCheck[] = []
  for (const [i, later] of latestFirst.entries()) {
    if (i >= mostLater) {
      found.unshift({ ...base(later), status: 'indeterminate', data: { ...says(later), reason: 'not_evaluated' } })
      continue
    }
    budget.left += perProof
    const covering = held.filter(({ covered }) => covered.includes(later.attribute)).map(({ at }) => at.getTime())
    const now = covering.length === 0 ? deps.now() : new Date(Math.min(...covering))
    const judged = await judge(later, latestFirst, question, certificates, { ...deps, now: () => now }, budget)
    found.unshift(...judged.checks)
    if (judged.at === undefined) continue
    dates.unshift(...judged.dates)
    held.push({ at: judged.at, covered: judged.covered })
    if (later.form !== contentTimestamp && later.form !== 'time-stamped-certs-crls-references') instants.push(judged.at)
  }
  const at = instants.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return { checks: [...checks, ...found], dates, at }
}

const signatureTimestamp = 'signature-time-stamp'
const contentTimestamp = 'content-time-stamp'
const externalRecord = 'external-evidence-record'
const isRecord = ({ form }: Later): boolean => form.endsWith('record')
const isArchive = (attribute: Der): boolean => /^(?:archive|internal|external)-/.test(formOf(attribute) ?? '')
/** What cannot be read comes last, as of now. */
const timeOf = ({ info }: Later): number => info?.genTime.getTime() ?? Infinity
const says = ({ form, info }: Later): ProofCheck['data'] => ({ form, gen_time: info?.genTime.toISOString() ?? '', authority: '' })
const base = ({ form }: Later): { id: string } => ({ id: form === signatureTimestamp ? 'signature_timestamp' : 'archive' })

function infoIn(value: Der, form: string): TstInfo | undefined {
  return orUndefined(() => {
    const token = form.endsWith('record') ? readEvidenceRecord(value.encoded).chains[0]?.timestamps[0]?.token : value.encoded
    return token === undefined ? undefined : infoOf(token)
  })
}

type Judged = {
  readonly checks: readonly ProofCheck[]
  readonly at: Date | undefined
  readonly dates: readonly ProvenDate[]
  readonly covered: readonly Der[]
}

async function judge(
  later: Later,
  all: readonly Later[],
  question: Question,
  certificates: readonly Certificate[],
  deps: VerifyDeps,
  budget: Budget,
): Promise<Judged> {
  const { attribute, form, value, info } = later
  const open = (reason: string): Judged => ({
    checks: [{ ...base(later), status: 'indeterminate', data: { ...says(later), reason } }],
    at: undefined,
    dates: [],
    covered: [],
  })
  if (info?.algorithm === undefined) return open('timestamp_unreadable')
  const earlier = (other: Der): boolean =>
    other !== attribute && (!isArchive(other) || all.some((each) => each.attribute === other && timeOf(each) < timeOf(later)))
  if (isRecord(later)) {
    const { cms, signer, digestOf } = question
    // A content that is enclosed is covered with the signature; one that is not, by a record that says so.
    const beside =
      form === externalRecord && cms.content === undefined ? [async (algorithm: DigestName) => await digestOf(algorithm)] : []
    let report: ProofReport | undefined
    for (const whole of asItStood(cms, signer, earlier)) {
      const documents: DocumentDigest[] = [async (algorithm) => digests[algorithm](whole), ...beside]
      const found = await verifyEvidenceRecord({ record: value.encoded, documents, certificates }, deps)
      report ??= found
      if (!found.checks.some(({ id, status }) => id === 'document' && status === 'failed')) {
        report = found
        break
      }
    }
    return report === undefined ? open('timestamp_unreadable') : concluded(later, report, signer.attributes.filter(earlier))
  }
  const { algorithm } = info
  const imprint = await ifReadable(
    laterImprint({ form, value, algorithm }, question, earlier).then((found) => found ?? ('content_absent' as const)),
  )
  if (imprint === undefined) return open('timestamp_unreadable')
  if (imprint === 'content_absent') return open(imprint)
  const digest = imprint.digests.find((each) => equalBytes(each, info.imprint)) ?? imprint.digests[0] ?? new Uint8Array()
  const data = { digests: { [algorithm]: toHex(digest) } }
  const report = await verifyTimestampProof({ token: value.encoded, data, budget, certificates }, deps)
  const judged = concluded(later, report, imprint.covered)
  return imprint.isUnmatched === true && report.verdict !== 'TOTAL-FAILED' ? open('index_unmatched') : judged
}

function concluded(later: Later, report: ProofReport, covered: readonly Der[]): Judged {
  const authority = String(report.facts.find(({ id }) => id === 'authority')?.value ?? '')
  const data = { ...says(later), authority }
  if (report.verdict === 'TOTAL-PASSED')
    return {
      checks: [{ ...base(later), status: 'passed', data, rests_on: ['time_authority'] }],
      at: later.info?.genTime,
      dates: report.dates,
      covered,
    }
  const { status, reason } = shortfall(report)
  const worst = deciding(report.checks)
  // What a record is over is its document.
  const check = worst?.id === 'document' ? 'imprint' : worst?.id === 'time_stamp' ? worst.data['part'] : worst?.id
  return {
    checks: [{ ...base(later), status, data: { ...data, reason, check: check ?? '' } }],
    at: undefined,
    dates: [],
    covered: [],
  }
}
