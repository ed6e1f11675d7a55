import { equalBytes, toHex } from '../../../../../kernel/bytes.ts'
import { digests } from '../../hash/digests.ts'
import { ids } from '../../certificate/object-ids.ts'
import type { DigestName } from '../../hash/digests.ts'
import { checkSigner } from '../../cms/check-signer.ts'
import { readCms } from '../../cms/read-cms.ts'
import type { AnyCms, AnySigner } from '../../cms/read-cms.ts'
import { MalformedError } from '../../encoding/der.ts'
import type { ProofCheck } from '../../report/proof-report.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { Certificate } from '../../certificate/x509.ts'
import { checkToken } from './check-token.ts'
import type { Token } from './check-token.ts'
import { collapse } from '../../report/collapse-checks.ts'
import { digestRanges, memo } from './digest-ranges.ts'
import { readSections, startOfCrossReference } from '../document/document.ts'
import { viewOf } from '../document/view.ts'
import type { PdfDocument, Section } from '../document/document.ts'
import type { ObjectCache, View } from '../document/view.ts'
import { gapOf } from '../document/find-signatures.ts'
import type { FieldSignature } from '../document/find-signatures.ts'
import { concludeSignature, isCades } from './conclude-signature.ts'
import type { CheckedSignature } from './checked-signature.ts'
import type { Known } from '../../cms/judge-signer.ts'
import { readContents } from '../document/read-contents.ts'
import { readSecurityStore } from './read-dss.ts'

type Input = {
  readonly document: PdfDocument
  readonly cache: ObjectCache
  readonly final: View
  readonly signature: FieldSignature
  readonly subject: string
  readonly anchors: readonly Certificate[]
}

export async function checkOneSignature(input: Input, deps: VerifyDeps): Promise<CheckedSignature> {
  const { document, signature, subject } = input
  const checks: ProofCheck[] = []
  const say = (id: string, status: ProofCheck['status'], data: ProofCheck['data'] = {}, more: Partial<ProofCheck> = {}): void => {
    checks.push({ id, status, data, subject, ...more })
  }
  const nothing: CheckedSignature = {
    subject,
    isTimestamp: signature.isTimestamp,
    field: signature,
    checks,
    coveredTo: undefined,
    revision: undefined,
    digest: undefined,
    store: undefined,
    tokens: [],
    holds: false,
    conclude: () => ({ checks: [], facts: [], dates: [] }),
  }
  const gap = await gapOf(document, signature.dictionary)
  if (typeof gap === 'string') {
    say('byte_range', 'failed', { reason: gap })
    return nothing
  }
  say('byte_range', 'passed', { bytes: gap.coveredTo - (gap.end - gap.start), size: document.size })
  const contents = await readContents(document, gap)
  if (typeof contents === 'string') {
    say('contents', contents === 'too_large' ? 'indeterminate' : 'failed', { reason: contents })
    return nothing
  }
  const { encoded, isPadded } = contents
  if (isPadded) say('contents', 'passed', { bytes: encoded.length })
  else say('contents', 'indeterminate', { reason: 'bytes_after', bytes: encoded.length })
  const revision = await revisionAt(input, gap.coveredTo)
  const store = await readSecurityStore(document, input.final)
  const known: Known = { certificates: store.certificates, anchors: input.anchors, evidence: store.evidence }
  const digestOf = memo((name: DigestName) => digestRanges(document, gap, name, deps))
  const shared = { ...nothing, coveredTo: gap.coveredTo, revision, digest: await digestOf('sha256') }
  const { subFilter } = signature
  if (signature.isTimestamp) {
    say('sub_filter', 'passed', { name: subFilter })
    const { checks: found, token } = await checkToken(encoded, 'signature', subject, digestOf, known, deps)
    checks.push(...found)
    if (token === undefined) return shared
    const covered = revision === undefined ? undefined : await readSecurityStore(document, revision)
    return {
      ...shared,
      store: covered?.present === true ? covered.evidence : undefined,
      tokens: [token],
      holds: true,
      conclude: () => ({
        checks: [],
        facts: [
          { id: 'timestamp_field', value: signature.field, form: 'text' },
          { id: 'authority', value: token.name, form: 'text' },
          { id: 'stamped_at', value: token.genTime.toISOString(), form: 'instant' },
        ],
        dates: [token.date],
      }),
    }
  }
  const isSha1 = subFilter === 'adbe.pkcs7.sha1'
  if (!isSha1 && !isCades(subFilter) && subFilter !== 'adbe.pkcs7.detached') {
    say('sub_filter', 'indeterminate', { reason: 'unknown_format', name: subFilter })
    return shared
  }
  if (isSha1) say('sub_filter', 'indeterminate', { reason: 'sha1_format', name: subFilter })
  else say('sub_filter', 'passed', { name: subFilter })
  try {
    const cms = readCms(encoded, store.certificates)
    const [signer, second] = cms.signers
    if (signer === undefined || second !== undefined) {
      say('signature', 'failed', { reason: 'several_signers' })
      return shared
    }
    const held = await checkContent({
      cms,
      signer,
      isSha1,
      digestOf,
      subject,
      isCades: isCades(subFilter),
      pool: [...cms.certificates, ...store.certificates],
    })
    const output = shared.digest === undefined ? '' : toHex(shared.digest)
    const bytes = gap.exactEnd - (gap.end - gap.start)
    const step = {
      operation: 'sha256',
      input: toHex(await document.read(0, Math.min(256, gap.start))),
      input_bytes: bytes,
      output,
    }
    checks.push({ ...held, steps: [step, ...(held.steps ?? [])], repeat_command: 'pdfsig document.pdf' })
    if (held.status === 'failed' || signer.certificate === undefined) return shared
    const tokens: Token[] = []
    for (const value of signer.unsigned.get(ids.signatureTimestamp) ?? []) {
      const stamped = async (name: DigestName): Promise<Uint8Array> => digests[name](signer.signature)
      const found = await checkToken(value.encoded, 'timestamp', subject, stamped, known, deps)
      checks.push(...found.checks)
      if (found.token !== undefined) tokens.push(found.token)
    }
    const { certificate } = signer
    return {
      ...shared,
      tokens,
      holds: true,
      conclude: (all) => {
        const held = { cms, signer, certificate, field: signature, subject, tokens, known, coveredTo: gap.coveredTo }
        return concludeSignature({ ...held, hasStore: store.present }, all, deps)
      },
    }
  } catch (error) {
    if (!(error instanceof MalformedError || error instanceof RangeError)) throw error
    say('signature', 'failed', { reason: 'malformed' })
    return shared
  }
}

/** The revision that a signature closes, by its own cross-reference. */
async function revisionAt({ document, cache, final }: Input, coveredTo: number): Promise<View | undefined> {
  try {
    const start = await startOfCrossReference(document, coveredTo)
    const at = final.sections.findIndex((section) => section.at === start)
    // The same sections as the newest revision has below its own: else its history was written again.
    const sections: readonly Section[] = at >= 0 ? final.sections.slice(at) : await readSections(document, start)
    if (sections.some((section) => section.at >= coveredTo)) return undefined
    return at >= 0 && sections.length === final.sections.length ? final : viewOf(document, sections, cache)
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

/** What is signed: the file but its gap; in the oldest format, its SHA-1, which is enclosed (ISO 32000-1 §12.8.3.3.1). */
async function checkContent(question: {
  readonly cms: AnyCms
  readonly signer: AnySigner
  readonly isSha1: boolean
  readonly isCades: boolean
  readonly pool: readonly Certificate[]
  readonly subject: string
  readonly digestOf: (name: DigestName) => Promise<Uint8Array>
}): Promise<ProofCheck> {
  const { cms, signer, isSha1, digestOf, subject } = question
  const fail = (reason: string): ProofCheck => ({ id: 'signature', status: 'failed', data: { reason }, subject })
  const { content } = cms
  if (cms.contentType !== ids.data || (content !== undefined) !== isSha1) return fail('other_content_type')
  if (content !== undefined && !equalBytes(content, await digestOf('sha1'))) return fail('other_content')
  const checks = await checkSigner(signer, {
    contentType: ids.data,
    pool: question.pool,
    contentDigest: async (name) => (content === undefined ? await digestOf(name) : digests[name](content)),
    mustNameCertificate: question.isCades,
  })
  const held = collapse(
    'signature',
    subject,
    checks.filter(({ supplementary }) => supplementary !== true),
  )
  return { ...held, data: { name: signer.certificate?.name ?? '', ...held.data } }
}
