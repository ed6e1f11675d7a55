import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { anchorChecks } from './check-anchor.ts'
import { trustChecks } from './seal/check-trust.ts'
import { MalformedError } from '../encoding/der.ts'
import { logChecks } from '../log/check-log.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { isUnread, openPackage } from './contents/open-package.ts'
import type { OpenedPackage } from './contents/open-package.ts'
import { coreCover, coreFile, covers, mimetype, pieceCover } from '../manifest/package-layout.ts'
import { VerificationStopped } from '../file/readable.ts'
import type { PackageSource } from '../file/package-source.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { pieceChecks, statesOf } from './contents/piece-states.ts'
import { verifyPlatformKeys } from './platform-keys/verify-platform-keys.ts'
import { readAsicManifest } from '../manifest/read-asic-manifest.ts'
import type { Reference } from '../manifest/read-asic-manifest.ts'
import { isPiecePath, manifestRoot, readManifest } from '../manifest/read-manifest.ts'
import { interactiveChecks } from './session/verify-interactive.ts'
import { verdictOf } from '../report/verdict.ts'
import type { Check, VerificationReport } from '../report/package-report.ts'
import { coverCompleteness, coverStates, verifyCover } from './seal/verify-cover.ts'
import { reportChecks } from './pieces/verify-reports.ts'
import { caFileOf, pemOrNone, verifySeal } from './seal/verify-seal.ts'
import type { DatedToken } from './seal/verify-seal.ts'
import { renewalChecks } from './renewal/check-renewals.ts'
import { examineRenewals } from './renewal/examine-renewals.ts'
import { sessionChecks } from './session/verify-session.ts'
import { archiveChecks } from './pieces/verify-wacz.ts'

const chainFile = /^(?:seal\/timestamp-[1-9]\d?|META-INF\/timestamp00[12])-ca\.pem$/
/** Clocks of a platform and of a time authority are never one. */
const clockTolerance = 5 * 60_000
const largestSmallFile = 1 << 20
const largestList = 32 << 20
/** A seal of its first day has some twenty; each authority that comes later adds two, each renewal four. */
const mostSmallFiles = 640
/** Of all of them together: what a package says of itself does not decide how much memory it takes. */
const mostSmallOctets = 160 << 20

/**
 * Verifies a package: each check stands in the report with its reason. Bounded in memory whatever the input says of itself.
 * @throws VerificationStopped when `deps.signal` says so; nothing else on any input.
 */
export async function verifyPackage(source: PackageSource, deps: VerifyDeps): Promise<VerificationReport> {
  try {
    return await verify(source, deps)
  } catch (error) {
    if (error instanceof VerificationStopped) throw error
    // A file that cannot be read, or a defect here: in both cases nothing was verified, and that is what is said.
    return {
      ...empty(deps, 'unreadable'),
      checks: [
        {
          id: 'container',
          status: 'failed',
          data: { reason: 'unreadable', detail: error instanceof Error ? error.message.slice(0, 200) : '' },
        },
      ],
    }
  }
}

function empty(deps: VerifyDeps, reason: string): VerificationReport {
  return {
    verdict: null,
    verified_at: deps.now().toISOString(),
    unusable: true,
    short: false,
    remade: false,
    subject: null,
    root: null,
    checks: [{ id: 'container', status: 'failed', data: { reason } }],
    pieces: [],
    seal: null,
    authorities: [],
    trust: deps.trust === undefined ? 'package' : 'pinned',
  }
}

async function verify(source: PackageSource, deps: VerifyDeps): Promise<VerificationReport> {
  const opened = await openPackage(source, deps)
  const { entries } = opened
  if (opened.flaws[0]?.reason === 'not_zip') return empty(deps, 'not_zip')
  if (!['manifest.json', 'seal/root.bin', coreCover.xml].some((path) => entries.has(path)) && opened.flaws.length === 0)
    return empty(deps, 'not_package')
  if (opened.flaws.some(({ reason }) => isUnread(reason))) {
    const checks = flawChecks(opened.flaws)
    return { ...empty(deps, ''), unusable: false, verdict: verdictOf(checks), checks }
  }

  const small = new Map<string, Uint8Array>()
  let held = 0
  for (const entry of entries.values()) {
    const limit = entry.path === 'manifest.json' || covers.some(({ xml }) => xml === entry.path) ? largestList : largestSmallFile
    const wanted = /^(?:mimetype$|manifest\.json$|seal\/|META-INF\/)/.test(entry.path)
    if (!wanted || entry.size > limit || small.size === mostSmallFiles || held + entry.size > mostSmallOctets) continue
    held += entry.size
    small.set(entry.path, await entry.read(0, entry.size))
  }

  const manifest = manifestOf(small.get('manifest.json'))
  const lists = covers.map(({ xml, token }) => coverOf(small.get(xml), token))
  // A package that is cut is not a short one: only a sound container, whose first list stands, can withhold.
  const sound = opened.flaws.length === 0 && lists[0] !== undefined
  const short = sound && !entries.has(pieceCover.xml) && !entries.has(pieceCover.token) && ![...entries.keys()].some(isPiecePath)
  const remade = opened.isZip && opened.flaws.length === 0 && (opened.remade || !isInOrder(opened, manifest, lists))
  const platform = pemOrNone(small.get('seal/platform-ca.pem'))
  const time = [...small].flatMap(([path, bytes]) => (chainFile.test(path) ? pemOrNone(bytes) : []))

  const root = manifest === undefined ? null : manifestRoot(manifest.subject, manifest.pieces)
  const rootBytes = small.get('seal/root.bin')
  const sealedRoot = root === null ? rootBytes : fromHex(root)
  const { checks: sealChecks, facts } = verifySeal(small, sealedRoot ?? new Uint8Array(32), platform, deps)
  const covered = covers.flatMap((paths, i) => (i === 1 && short ? [] : [verifyCover(paths, small, lists[i], time)]))
  const coverChecks = covered.flatMap(({ checks }) => checks)
  const pieces = statesOf({ entries, manifest, lists, short, coverStates: coverStates(coverChecks) })
  const pdf = await reportChecks(entries, { platform, time }, deps)
  const rootTokens = facts.tokens.map((each) => ({ facts: each, file: caFileOf(each.file), isPem: true }))
  const session = await sessionChecks(entries, manifest, facts.tokens, deps)
  const interactive = await interactiveChecks(entries, manifest, { session: session.record, short }, deps)
  const archives = await archiveChecks(entries, manifest)
  const own = verifyPlatformKeys(
    small,
    { root: sealedRoot ?? new Uint8Array(32), signature: facts.signature },
    platform,
    deps.now(),
    deps.keys,
  )
  const renewals = examineRenewals(small, sealedRoot ?? new Uint8Array(32), deps.now())
  const renewed = renewals.stamps
    .filter(({ covers: renewsWhat }) => renewsWhat.length > 0)
    .map((facts) => ({ facts, file: caFileOf(facts.file), isPem: true }))
  const words = [...rootTokens, ...covered.flatMap(({ dated }) => dated), ...pdf.dated, ...session.dated, ...renewed]
  const trust = trustChecks(facts.signature, words, deps, {
    own: own.keys?.timeAuthorities ?? [],
    qualified: qualifiedRoots(sealChecks, facts.tokens),
  })
  const anchor = await anchorChecks(small, sealedRoot ?? new Uint8Array(32), deps)
  const anchored = anchor.some(({ id, status }) => id === 'anchor_header' && status === 'passed')

  const checks: Check[] = [
    ...flawChecks(opened.flaws),
    ...(opened.isZip && opened.flaws.length === 0
      ? [{ ...container, status: 'passed' as const, data: { entries: entries.size, remade: remade ? 'yes' : 'no' } }]
      : []),
    ...unread(entries, small),
    entries.has('mimetype') && text(small.get('mimetype')) === mimetype
      ? { id: 'mimetype', status: 'passed', subject: 'mimetype', data: {} }
      : { id: 'mimetype', status: 'failed', subject: 'mimetype', data: {} },
    manifest === undefined
      ? {
          id: 'manifest',
          status: 'failed',
          subject: 'manifest.json',
          data: { reason: entries.has('manifest.json') ? 'malformed' : 'missing' },
        }
      : { id: 'manifest', status: 'passed', subject: 'manifest.json', data: { pieces: manifest.pieces.length } },
    rootCheck(manifest, root, rootBytes),
    ...pieceChecks(pieces, short),
    ...coverCompleteness(manifest, lists, short, small),
    ...coverChecks,
    ...sealChecks,
    ...trust.checks,
    timeOrder(manifest, facts.tokens, anchor, deps.now()),
    ...pdf.checks,
    ...session.checks,
    ...interactive,
    ...archives,
    ...own.checks,
    // What the platform signed as its own key is the platform's word; a list from elsewhere counts more.
    ...logChecks(small, sealedRoot ?? new Uint8Array(32), { given: deps.keys, own: own.keys, now: deps.now() }),
    ...renewalChecks(small, sealedRoot ?? new Uint8Array(32), { now: deps.now(), anchored, examined: renewals }),
    ...anchor,
  ]
  return {
    verdict: verdictOf(checks),
    verified_at: deps.now().toISOString(),
    unusable: false,
    short,
    remade,
    subject: manifest?.subject ?? null,
    root,
    checks,
    pieces,
    seal: facts.seal,
    authorities: trust.authorities,
    trust: trust.basis,
  }
}

/** Roots of the tokens of which a trusted list says that they were qualified. */
function qualifiedRoots(checks: readonly Check[], tokens: readonly DatedToken[]): Set<string> {
  const files = new Set(checks.flatMap(({ id, status, subject }) => (id === 'qualified' && status === 'passed' ? [subject] : [])))
  return new Set(tokens.flatMap(({ file, root_sha256 }) => (files.has(file) ? [root_sha256] : [])))
}

function manifestOf(bytes: Uint8Array | undefined): Manifest | undefined {
  try {
    return bytes === undefined ? undefined : readManifest(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** References of a cover, when it is readable and names its own token. */
function coverOf(bytes: Uint8Array | undefined, token: string): readonly Reference[] | undefined {
  try {
    const list = bytes === undefined ? undefined : readAsicManifest(bytes)
    return list?.token === token ? list.references : undefined
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

const container = { id: 'container', repeat_command: 'unzip -t package.zip' } as const

/** Of what is not read here, nothing is said to be wrong. */
function flawChecks(flaws: OpenedPackage['flaws']): Check[] {
  return flaws.slice(0, 50).map(({ reason, path }) => ({
    ...container,
    status: isUnread(reason) ? 'indeterminate' : 'failed',
    data: { reason },
    ...(path === undefined ? {} : { subject: path }),
  }))
}

/** Whether the entries stand as the platform writes them. What is not expected at all is an added piece, which is said elsewhere. */
function isInOrder(
  { entries }: OpenedPackage,
  manifest: Manifest | undefined,
  lists: readonly (readonly Reference[] | undefined)[],
): boolean {
  const expected = [
    'mimetype',
    ...(lists[0] ?? []).map(({ path }) => path),
    ...(manifest?.pieces ?? []).map(({ path }) => path),
    ...covers.flatMap(({ xml, token, chain }) => [xml, token, chain]),
  ]
  const order = new Map(expected.map((path, i) => [path, i]))
  const places = [...entries.keys()].flatMap((path) => order.get(path) ?? [])
  return places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0))
}

/** A file of the seal that is too long to be read was not verified: nothing may pass for that reason alone. */
function unread(entries: OpenedPackage['entries'], small: ReadonlyMap<string, Uint8Array>): Check[] {
  return [...entries.keys()]
    .filter((path) => path.startsWith('seal/') && coreFile.test(path) && !small.has(path))
    .slice(0, 50)
    .map((path) => ({ id: 'container', status: 'failed', subject: path, data: { reason: 'seal_too_long' } }))
}

function rootCheck(manifest: Manifest | undefined, root: string | null, sealed: Uint8Array | undefined): Check {
  const fail = (subject: string, reason: string): Check => ({ id: 'root', status: 'failed', subject, data: { reason } })
  if (manifest === undefined || root === null) return fail('manifest.json', 'unreadable_manifest')
  if (manifest.root !== root) return fail('manifest.json', 'recomputed')
  if (sealed === undefined) return fail('seal/root.bin', 'missing')
  if (toHex(sealed) !== root) return fail('seal/root.bin', 'differs')
  return { id: 'root', status: 'passed', subject: 'seal/root.bin', data: { root }, repeat_command: 'xxd -p -c 64 seal/root.bin' }
}

/** A block may be dated two hours before it was found, and hardly more: its time is above the median of the eleven before it. */
const blockTolerance = 2 * 3_600_000

function timeOrder(manifest: Manifest | undefined, tokens: readonly DatedToken[], anchor: readonly Check[], now: Date): Check {
  const first = tokens[0]
  if (manifest === undefined || first === undefined) return { id: 'time_order', status: 'failed', data: { reason: 'missing' } }
  const { started_at, finished_at } = manifest.subject
  const data = { finished_at, gen_time: first.gen_time }
  if (started_at > finished_at)
    return { id: 'time_order', status: 'failed', subject: 'manifest.json', data: { ...data, reason: 'backwards' } }
  const early = tokens.some((token) => Date.parse(token.gen_time) + clockTolerance < Date.parse(finished_at))
  if (early) return { id: 'time_order', status: 'indeterminate', data: { ...data, reason: 'clocks' } }
  if (tokens.some(({ gen_time }) => Date.parse(gen_time) > now.getTime() + clockTolerance))
    return { id: 'time_order', status: 'indeterminate', data: { ...data, reason: 'stamp_in_future' } }
  const isEarlyBlock = anchor.some(
    ({ id, status, data: { at } }) =>
      id === 'anchor' && status === 'passed' && Date.parse(String(at)) + blockTolerance < Date.parse(finished_at),
  )
  return isEarlyBlock
    ? { id: 'time_order', status: 'indeterminate', data: { ...data, reason: 'block_before_capture' } }
    : { id: 'time_order', status: 'passed', data }
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes ?? new Uint8Array())
}
