import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../../../../../kernel/bytes.ts'
import type { DatedBy } from './check-trust.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import { coreCover, coreFile, mustBeCovered, optionalSealFile, pieceCover, tokenFile } from '../../manifest/package-layout.ts'
import type { CoverPaths } from '../../manifest/package-layout.ts'
import type { Reference } from '../../manifest/read-asic-manifest.ts'
import type { Check, PieceState } from '../../report/package-report.ts'
import { pemOrNone } from './verify-seal.ts'
import { verifyTimestamp } from './verify-timestamp.ts'
import { pemOf } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'

/**
 * One list of the container: it is in its form, its token dates its bytes, and the chain beside the token is that of the token.
 * Nothing covers the chain, so its bytes are compared with those that follow from it.
 * @param known issuers from elsewhere in the package, so that a damaged chain is not blamed on the token.
 */
export function verifyCover(
  paths: CoverPaths,
  small: ReadonlyMap<string, Uint8Array>,
  list: readonly Reference[] | undefined,
  known: readonly Certificate[],
): { checks: Check[]; dated: DatedBy[] } {
  const [xml, token, chain] = [small.get(paths.xml), small.get(paths.token), small.get(paths.chain)]
  const checks: Check[] = []
  const dated: DatedBy[] = []
  for (const path of [paths.xml, paths.token, paths.chain])
    if (!small.has(path)) checks.push({ id: 'cover', status: 'failed', subject: path, data: { reason: 'missing' } })
  if (xml === undefined || token === undefined) return { checks, dated }
  if (list === undefined) checks.push({ id: 'cover', status: 'failed', subject: paths.xml, data: { reason: 'malformed' } })
  const own = pemOrNone(chain)
  const outcome = verifyTimestamp(token, { digest: sha256(xml), known: [...own, ...known], form: 'token' })
  const base = {
    id: 'cover_timestamp' as const,
    repeat_command: `openssl ts -verify -data ${paths.xml} -in ${paths.token} -token_in -CAfile ${paths.chain}`,
  }
  if (outcome.status === 'passed') {
    const { authority, gen_time } = outcome.facts
    checks.push({ ...base, status: 'passed', subject: paths.token, data: { authority, gen_time } })
    dated.push({ facts: outcome.facts, file: paths.chain, isPem: true })
  } else if (outcome.reason === 'imprint')
    // The token holds, of other bytes than these: the list was altered, or the token is another's.
    checks.push({ ...base, status: 'failed', subject: paths.xml, data: { reason: 'not_dated', path: paths.token } })
  else checks.push({ ...base, status: outcome.status, subject: paths.token, data: { reason: outcome.reason } })
  const stated = chain === undefined ? undefined : chainFlaw(chain, own, outcome.issuers)
  if (stated !== undefined) checks.push({ ...base, ...stated, subject: paths.chain })
  return { checks, dated }
}

function chainFlaw(
  bytes: Uint8Array,
  own: readonly Certificate[],
  issuers: readonly Certificate[] | undefined,
): Pick<Check, 'status' | 'data'> | undefined {
  if (own.length === 0) return { status: 'failed', data: { reason: 'malformed' } }
  if (issuers === undefined) return { status: 'indeterminate', data: { reason: 'chain' } }
  return equalBytes(bytes, pemOf(issuers)) ? undefined : { status: 'failed', data: { reason: 'differs' } }
}

/** What the checks of the lists say of the container's own files. */
export function coverStates(checks: readonly Check[]): ReadonlyMap<string, PieceState> {
  const states = new Map<string, PieceState>()
  for (const { status, subject, data } of checks) {
    if (status === 'passed') continue
    if (subject !== undefined && states.get(subject) !== 'altered')
      states.set(subject, status === 'failed' ? 'altered' : 'unverified')
    const other = data['path']
    if (typeof other === 'string' && !states.has(other)) states.set(other, 'unverified')
  }
  return states
}

/** The covers name exactly what they must, and say of each piece what the manifest says. */
export function coverCompleteness(
  manifest: Manifest | undefined,
  lists: readonly (readonly Reference[] | undefined)[],
  short: boolean,
  small: ReadonlyMap<string, Uint8Array>,
): Check[] {
  const [core, pieces] = lists
  const fail = (subject: string, reason: string, path: string): Check => ({
    id: 'cover',
    status: 'failed',
    subject,
    data: { reason, path },
  })
  const found: Check[] = []
  if (core !== undefined) {
    const named = new Set(core.map(({ path }) => path))
    const wanted = [...mustBeCovered, ...[...small.keys()].filter((path) => tokenFile.test(path) || optionalSealFile.test(path))]
    for (const path of wanted) if (!named.has(path)) found.push(fail(coreCover.xml, 'not_covered', path))
    for (const path of named) if (!coreFile.test(path)) found.push(fail(coreCover.xml, 'foreign', path))
  }
  if (pieces !== undefined && manifest !== undefined) {
    const named = new Map(pieces.map(({ path, sha256 }) => [path, sha256]))
    for (const { path, sha256 } of manifest.pieces)
      if (named.get(path) !== sha256) found.push(fail(pieceCover.xml, named.has(path) ? 'differs' : 'not_covered', path))
    const listed = new Set(manifest.pieces.map(({ path }) => path))
    for (const path of named.keys()) if (!listed.has(path)) found.push(fail(pieceCover.xml, 'foreign', path))
  }
  if (found.length > 0) return found.slice(0, 50)
  return core === undefined || (pieces === undefined && !short)
    ? []
    : [{ id: 'cover', status: 'passed', data: { entries: core.length + (pieces?.length ?? 0) } }]
}
