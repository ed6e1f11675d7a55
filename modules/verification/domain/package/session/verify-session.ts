/** What was dated while the session ran (docs/package-format.md, decision 0125): each token, what it dates, and their order. */
import { fromHex, utf8 } from '../../../../../kernel/bytes.ts'
import type { DatedBy } from '../seal/check-trust.ts'
import { MalformedError } from '../../encoding/der.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { OpenedEntry } from '../contents/open-package.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import { recomputeRollingHash, sha256Hex } from './recompute-rolling-hash.ts'
import type { Check, TimestampFacts } from '../../report/package-report.ts'
import { readSessionRecord, sessionRecordPath, writeStatement } from './session-record.ts'
import type { Checkpoint, SessionRecord } from './session-record.ts'
import { readWithheld } from '../contents/read-withheld.ts'
import { pemOrNone } from '../seal/verify-seal.ts'
import type { DatedToken } from '../seal/verify-seal.ts'
import { verifyTimestamp } from '../seal/verify-timestamp.ts'

const largestRecord = 8 << 20
const largestFile = 1 << 20
/** Clocks of a witness and of a time authority are never one. */
const clockTolerance = 5 * 60_000
/** Authorities answer out of order by what a network takes, and state times by the second. */
const orderTolerance = 2_000

/**
 * Nothing when the package holds no record of a session: captures of before have none.
 * @throws VerificationStopped
 */
export async function sessionChecks(
  entries: ReadonlyMap<string, OpenedEntry>,
  manifest: Manifest | undefined,
  sealTokens: readonly DatedToken[],
  deps: VerifyDeps,
): Promise<{ checks: Check[]; dated: DatedBy[]; record: SessionRecord | null }> {
  const entry = entries.get(sessionRecordPath)
  if (entry === undefined) return { checks: [], dated: [], record: null }
  const fail = (reason: string): Check => ({
    id: 'session_record',
    status: 'failed',
    subject: sessionRecordPath,
    data: { reason },
  })
  let record: SessionRecord
  try {
    if (entry.size > largestRecord) throw new RangeError('too long')
    record = readSessionRecord(await entry.read(0, entry.size))
  } catch (error) {
    if (error instanceof RangeError) return { checks: [fail('malformed')], dated: [], record: null }
    throw error
  }
  const flaw = flawOf(record, manifest, entries)
  const dated = record.checkpoints.filter(({ token }) => token !== null)
  const named = new Set(record.checkpoints.flatMap(({ statement }) => statement.images.map(({ path }) => path)))
  const images = [...named].filter((path) => entries.has(path)).length
  const checks: Check[] = [
    flaw === undefined
      ? {
          id: 'session_record',
          status: 'passed',
          subject: sessionRecordPath,
          data: { checkpoints: record.checkpoints.length, dated: dated.length, images },
        }
      : { ...fail(flaw.reason), ...(flaw.path === undefined ? {} : { data: { reason: flaw.reason, path: flaw.path } }) },
    await hashCheck(record, entries, await readWithheld(entries, manifest), deps),
  ]
  const tokens: DatedCheckpoint[] = []
  for (const checkpoint of record.checkpoints) {
    const { token, ca } = checkpoint
    if (token === null || ca === null) continue
    const { check, facts } = await tokenCheck(checkpoint, token, ca, entries)
    checks.push(check)
    if (facts !== undefined) tokens.push({ checkpoint, facts, token, ca })
  }
  if (tokens.length > 0) checks.push(orderCheck(tokens, manifest, sealTokens))
  return { checks, dated: tokens.map(({ facts, ca }) => ({ facts, file: ca, isPem: true })), record }
}

type DatedCheckpoint = {
  readonly checkpoint: Checkpoint
  readonly facts: TimestampFacts
  readonly token: string
  readonly ca: string
}

/** Start, images, end, seal: in this order, and each when the witness says that it was. Clocks differ; hours do not. */
function orderCheck(
  tokens: readonly DatedCheckpoint[],
  manifest: Manifest | undefined,
  sealTokens: readonly DatedToken[],
): Check {
  const [first, last] = [tokens[0], tokens.at(-1)]
  const data = {
    moments: tokens.length,
    at: first?.facts.gen_time ?? '',
    gen_time: last?.facts.gen_time ?? '',
  }
  const doubt = (reason: string, subject?: string): Check => ({
    id: 'session_order',
    status: 'indeterminate',
    data: { ...data, reason },
    ...(subject === undefined ? {} : { subject }),
  })
  let before = manifest === undefined ? -Infinity : Date.parse(manifest.subject.started_at)
  let dated = -Infinity
  for (const { checkpoint, facts, token } of tokens) {
    const at = Date.parse(checkpoint.statement.at)
    const time = Date.parse(facts.gen_time)
    if (at < before - orderTolerance) return doubt('session_order', sessionRecordPath)
    if (Math.abs(time - at) > clockTolerance) return doubt('session_clocks', token)
    if (time < dated - orderTolerance) return doubt('session_order', token)
    before = at
    dated = time
  }
  if (manifest !== undefined && before > Date.parse(manifest.subject.finished_at) + orderTolerance)
    return doubt('session_order', sessionRecordPath)
  const late = sealTokens.find(({ gen_time }) => Date.parse(gen_time) + clockTolerance < dated)
  return late === undefined ? { id: 'session_order', status: 'passed', data } : doubt('session_order', late.file)
}

/** Each statement follows from the one before, is of this evidence, and names the images that are in the package. */
function flawOf(
  { checkpoints }: SessionRecord,
  manifest: Manifest | undefined,
  entries: ReadonlyMap<string, OpenedEntry>,
): { reason: string; path?: string } | undefined {
  const first = checkpoints[0]?.statement
  let previous: Checkpoint | undefined
  const named = new Map<string, string>()
  for (const [i, checkpoint] of checkpoints.entries()) {
    const { statement } = checkpoint
    if (sha256Hex(utf8(writeStatement(statement))) !== checkpoint.sha256) return { reason: 'statement' }
    if (statement.previous !== (previous?.sha256 ?? null) || statement.index !== i + 1) return { reason: 'statement_chain' }
    if (statement.session !== first?.session || statement.bytes < (previous?.statement.bytes ?? 0))
      return { reason: 'statement_chain' }
    const place = i === 0 ? 'start' : i === checkpoints.length - 1 ? 'end' : 'screenshot'
    if (statement.reason !== place) return { reason: 'statement_chain' }
    const { subject } = manifest ?? {}
    if (
      subject !== undefined &&
      (statement.evidence_id !== subject.evidence_id || statement.requested_url !== subject.requested_url)
    )
      return { reason: 'other_session' }
    // A page that left while it was captured was captured anew: the last image of a name is the one that counts, and one that
    // is not in the package belongs to what was given up.
    for (const { path, sha256 } of statement.images) named.set(path, sha256)
    previous = checkpoint
  }
  for (const [path, sha256] of named) {
    const image = entries.get(path)
    if (image !== undefined && image.sha256 !== sha256) return { reason: 'image_differs', path }
  }
  return undefined
}

async function hashCheck(
  { pcap, checkpoints }: SessionRecord,
  entries: ReadonlyMap<string, OpenedEntry>,
  withheld: ReadonlyMap<string, string>,
  deps: VerifyDeps,
): Promise<Check> {
  const result = (status: Check['status'], data: Check['data']): Check => ({
    id: 'session_hash',
    status,
    subject: pcap,
    data,
    repeat_command: `tshark -r ${pcap} -T fields -e tcp.stream -e tcp.srcport -e tcp.payload`,
  })
  const entry = entries.get(pcap)
  if (entry === undefined) {
    // Left out by whoever sealed, who says so: nothing can be computed from it, and nothing is held against the rest.
    const one = withheld.get(pcap)
    return one === undefined
      ? result('failed', { reason: 'missing' })
      : { ...result('indeterminate', { reason: 'withheld_secret', sha256: one }), supplementary: true }
  }
  try {
    const { at, total } = await recomputeRollingHash(
      entry,
      checkpoints.map(({ statement }) => statement.bytes),
      deps,
    )
    for (const { statement } of checkpoints)
      if (at.get(statement.bytes) !== statement.rolling_hash) return result('failed', { reason: 'rolling_hash' })
    if (checkpoints.at(-1)?.statement.bytes !== total) return result('failed', { reason: 'after_end' })
    return result('passed', { bytes: total, checkpoints: checkpoints.length })
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return result('failed', { reason: 'malformed' })
    throw error
  }
}

async function tokenCheck(
  { statement, sha256 }: Checkpoint,
  token: string,
  ca: string,
  entries: ReadonlyMap<string, OpenedEntry>,
): Promise<{ check: Check; facts?: TimestampFacts }> {
  const base = {
    id: 'session_timestamp' as const,
    subject: token,
    repeat_command: `openssl ts -verify -digest ${sha256} -in ${token} -CAfile ${ca}`,
  }
  const [encoded, chain] = [await smallFile(entries, token), await smallFile(entries, ca)]
  if (encoded === undefined) return { check: { ...base, status: 'failed', data: { reason: 'missing' } } }
  const outcome = verifyTimestamp(encoded, { digest: fromHex(sha256), known: pemOrNone(chain), form: 'response' })
  if (outcome.status !== 'passed') return { check: { ...base, status: outcome.status, data: { reason: outcome.reason } } }
  const { facts } = outcome
  const data = { authority: facts.authority, gen_time: facts.gen_time, at: statement.at, moment: statement.reason }
  return { check: { ...base, status: 'passed', data }, facts }
}

async function smallFile(entries: ReadonlyMap<string, OpenedEntry>, path: string): Promise<Uint8Array | undefined> {
  const entry = entries.get(path)
  return entry === undefined || entry.size > largestFile ? undefined : await entry.read(0, entry.size)
}
