import { equalBytes, fromHex, toHex } from '../../../kernel/bytes.ts'
import { MalformedError } from './der.ts'
import type { Manifest } from './manifest.ts'
import { openPackage } from './open-package.ts'
import type { OpenedEntry, OpenedPackage } from './open-package.ts'
import { VerificationStopped } from './package-source.ts'
import type { PackageSource, VerifyDeps } from './package-source.ts'
import { readAsicManifest } from './read-asic-manifest.ts'
import type { Reference } from './read-asic-manifest.ts'
import { isPiecePath, manifestRoot, readManifest } from './read-manifest.ts'
import { verdictOf } from './report.ts'
import type { Check, EntryRole, PieceState, SealFacts, VerificationReport, VerifiedPiece } from './report.ts'
import { verifyPdf } from './verify-pdf.ts'
import { pemOrNone, verifyCoverTimestamp, verifyRootSignature, verifyRootTimestamp, verifySealRecord } from './verify-seal.ts'
import type { DatedToken, SignatureFacts } from './verify-seal.ts'
import type { Certificate } from './x509.ts'

const covers = [
  { xml: 'META-INF/ASiCManifest001.xml', token: 'META-INF/timestamp001.tst' },
  { xml: 'META-INF/ASiCManifest002.xml', token: 'META-INF/timestamp002.tst' },
] as const
const [coreCover, pieceCover] = covers
const mimetype = 'application/vnd.etsi.asic-e+zip'
const reports = ['report.en.pdf', 'report.fr.pdf'] as const
/** What the first cover must name (docs/package-format.md), in this order; seal files of tokens come between. */
const mustBeCovered = [
  'manifest.json',
  'README.txt',
  ...reports,
  'seal/root.bin',
  'seal/signature.p7s',
  'seal/platform-ca.pem',
  'seal/seal.json',
  'verify.html',
]
const tokenFile = /^seal\/timestamp-[1-9]\d?\.tsr$/
const coreFile =
  /^(?:manifest\.json|README\.txt|report\.(?:en|fr)\.pdf|verify\.html|seal\/(?:root\.bin|signature\.p7s|platform-ca\.pem|seal\.json|timestamp-[1-9]\d?(?:\.tsr|-ca\.pem)))$/
/** Clocks of a platform and of a time authority are never one. */
const clockTolerance = 5 * 60_000
const largestSmallFile = 1 << 20
const largestList = 32 << 20

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
    verdict: 'TOTAL-FAILED',
    verified_at: deps.now().toISOString(),
    unusable: true,
    short: false,
    subject: null,
    root: null,
    checks: [{ id: 'container', status: 'failed', data: { reason } }],
    pieces: [],
    seal: null,
    trust: deps.trust === undefined ? 'package' : 'pinned',
  }
}

async function verify(source: PackageSource, deps: VerifyDeps): Promise<VerificationReport> {
  const opened = await openPackage(source, deps)
  const { entries } = opened
  if (opened.flaws[0]?.reason === 'not_zip') return empty(deps, 'not_zip')
  if (!['manifest.json', 'seal/root.bin', coreCover.xml].some((path) => entries.has(path)) && opened.flaws.length === 0)
    return empty(deps, 'not_package')

  const small = new Map<string, Uint8Array>()
  for (const entry of entries.values()) {
    const limit = entry.path === 'manifest.json' || covers.some(({ xml }) => xml === entry.path) ? largestList : largestSmallFile
    const wanted = /^(?:mimetype$|manifest\.json$|seal\/|META-INF\/)/.test(entry.path)
    if (wanted && entry.size <= limit && small.size < 64) small.set(entry.path, await entry.read(0, entry.size))
  }

  const manifest = manifestOf(small.get('manifest.json'))
  const lists = covers.map(({ xml, token }) => coverOf(small.get(xml), token))
  // A package that is cut is not a short one: only a sound container, whose first list stands, can withhold.
  const sound = opened.flaws.length === 0 && lists[0] !== undefined
  const short = sound && !entries.has(pieceCover.xml) && !entries.has(pieceCover.token) && ![...entries.keys()].some(isPiecePath)
  const platform = pemOrNone(small.get('seal/platform-ca.pem'))
  const timePem = [...small].filter(([path]) => /^seal\/timestamp-\d+-ca\.pem$/.test(path)).map(([, bytes]) => pemOrNone(bytes))

  const root = manifest === undefined ? null : manifestRoot(manifest.subject, manifest.pieces)
  const rootBytes = small.get('seal/root.bin')
  const sealedRoot = root === null ? rootBytes : fromHex(root)
  const { checks: sealChecks, facts } = verifySeal(small, sealedRoot ?? new Uint8Array(32), platform, deps)
  const time = timePem.flat()
  const coverChecks = covers.flatMap((paths, i) => (i === 1 && short ? [] : verifyCover(paths, small, lists[i], time)))
  const pieces = statesOf({ entries, manifest, lists, short, coverSubjects: failedSubjects(coverChecks) })

  const checks: Check[] = [
    ...containerChecks(opened, manifest, lists),
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
    ...completeness(manifest, lists, short, small),
    ...coverChecks,
    ...sealChecks,
    trustCheck(facts.signature, deps),
    timeOrder(manifest, facts.tokens),
    ...(await reportChecks(entries, { platform, time }, deps)),
  ]
  return {
    verdict: verdictOf(checks),
    verified_at: deps.now().toISOString(),
    unusable: false,
    short,
    subject: manifest?.subject ?? null,
    root,
    checks,
    pieces,
    seal: facts.seal,
    trust: deps.trust === undefined ? 'package' : 'pinned',
  }
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

function containerChecks(
  { flaws, isZip, entries }: OpenedPackage,
  manifest: Manifest | undefined,
  lists: readonly (readonly Reference[] | undefined)[],
): Check[] {
  const command = { repeat_command: 'unzip -t package.zip' }
  if (flaws.length > 0) {
    return flaws.slice(0, 50).map(({ reason, path }) => ({
      id: 'container',
      status: 'failed',
      data: { reason },
      ...(path === undefined ? {} : { subject: path }),
      ...command,
    }))
  }
  if (!isZip) return []
  const expected = [
    'mimetype',
    ...(lists[0] ?? []).map(({ path }) => path),
    ...(manifest?.pieces ?? []).map(({ path }) => path),
    ...covers.flatMap(({ xml, token }) => [xml, token]),
  ]
  const order = new Map(expected.map((path, i) => [path, i]))
  let reached = -1
  for (const path of entries.keys()) {
    const place = order.get(path)
    // What is not expected at all is an added piece, which is said elsewhere.
    if (place === undefined) continue
    if (place < reached) return [{ id: 'container', status: 'failed', subject: path, data: { reason: 'order' }, ...command }]
    reached = place
  }
  return [{ id: 'container', status: 'passed', data: { entries: entries.size }, ...command }]
}

function rootCheck(manifest: Manifest | undefined, root: string | null, sealed: Uint8Array | undefined): Check {
  const fail = (subject: string, reason: string): Check => ({ id: 'root', status: 'failed', subject, data: { reason } })
  if (manifest === undefined || root === null) return fail('manifest.json', 'unreadable_manifest')
  if (manifest.root !== root) return fail('manifest.json', 'recomputed')
  if (sealed === undefined) return fail('seal/root.bin', 'missing')
  if (toHex(sealed) !== root) return fail('seal/root.bin', 'differs')
  return { id: 'root', status: 'passed', subject: 'seal/root.bin', data: { root }, repeat_command: 'xxd -p -c 64 seal/root.bin' }
}

function verifySeal(
  small: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  platform: readonly Certificate[],
  deps: VerifyDeps,
) {
  const signature = verifyRootSignature(small.get('seal/signature.p7s'), root, platform, deps.now())
  const checks: Check[] = [signature.check]
  const tokens: DatedToken[] = []
  const files = [...small.keys()]
    .filter((path) => tokenFile.test(path))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  for (const file of files) {
    const known = pemOrNone(small.get(file.replace(/\.tsr$/, '-ca.pem')))
    const outcome = verifyRootTimestamp(file, small.get(file) ?? new Uint8Array(), root, known)
    checks.push(outcome.check)
    if (outcome.facts !== undefined) tokens.push(outcome.facts)
  }
  if (files.length === 0)
    checks.push({ id: 'timestamp', status: 'failed', subject: 'seal/timestamp-1.tsr', data: { reason: 'missing' } })
  const { facts } = signature
  const seal: SealFacts = {
    root: toHex(root),
    signed_at: facts?.signedAt?.toISOString() ?? null,
    signer: facts === undefined ? null : { name: facts.signer.name, serial: facts.signer.serial, sha256: facts.signer.sha256 },
    platform_authority_sha256: facts?.authority.sha256 ?? null,
    timestamps: tokens,
    qualified: false,
  }
  checks.push(verifySealRecord(small.get('seal/seal.json'), seal))
  return { checks, facts: { seal, tokens, signature: facts } }
}

function verifyCover(
  paths: { xml: string; token: string },
  small: ReadonlyMap<string, Uint8Array>,
  list: readonly Reference[] | undefined,
  known: readonly Certificate[],
): Check[] {
  const xml = small.get(paths.xml)
  const token = small.get(paths.token)
  const missing = (subject: string): Check => ({ id: 'cover', status: 'failed', subject, data: { reason: 'missing' } })
  if (xml === undefined || token === undefined)
    return [...(xml === undefined ? [missing(paths.xml)] : []), ...(token === undefined ? [missing(paths.token)] : [])]
  const checks: Check[] =
    list === undefined ? [{ id: 'cover', status: 'failed', subject: paths.xml, data: { reason: 'malformed' } }] : []
  return [...checks, verifyCoverTimestamp(paths, xml, token, known).check]
}

function failedSubjects(checks: readonly Check[]): ReadonlySet<string> {
  return new Set(checks.flatMap(({ status, subject }) => (status === 'passed' || subject === undefined ? [] : [subject])))
}

/** The covers name exactly what they must, and say of each piece what the manifest says. */
function completeness(
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
    const wanted = [...mustBeCovered, ...[...small.keys()].filter((path) => tokenFile.test(path))]
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

function statesOf(input: {
  entries: ReadonlyMap<string, OpenedEntry>
  manifest: Manifest | undefined
  lists: readonly (readonly Reference[] | undefined)[]
  short: boolean
  coverSubjects: ReadonlySet<string>
}): VerifiedPiece[] {
  const { entries, manifest, lists, short } = input
  const expected = new Map<string, { role: EntryRole; sha256: string; bytes: number | null; withheld: boolean }>()
  for (const { path, sha256 } of lists[0] ?? []) expected.set(path, { role: roleOf(path), sha256, bytes: null, withheld: false })
  // The manifest's own digest comes first; the cover's stands in when the manifest cannot be read.
  for (const { path, sha256 } of lists[1] ?? []) expected.set(path, { role: 'unknown', sha256, bytes: null, withheld: false })
  for (const piece of manifest?.pieces ?? []) expected.set(piece.path, { ...piece, withheld: short })
  const states: VerifiedPiece[] = []
  const add = (path: string, role: EntryRole, state: PieceState, bytes: number | null): void => {
    states.push({ path, role, state, bytes, sha256: entries.get(path)?.sha256 ?? null })
  }
  for (const [path, { role, sha256, bytes, withheld }] of expected) {
    const entry = entries.get(path)
    if (entry === undefined) add(path, role, withheld ? 'withheld' : 'missing', bytes)
    else add(path, role, entry.sha256 === sha256 && (bytes === null || bytes === entry.size) ? 'intact' : 'altered', entry.size)
  }
  for (const path of mustBeCovered) if (!expected.has(path) && !entries.has(path)) add(path, roleOf(path), 'missing', null)
  const own = ['mimetype', ...covers.flatMap(({ xml, token }, i) => (i === 1 && short ? [] : [xml, token]))]
  for (const path of own) {
    const entry = entries.get(path)
    const altered = input.coverSubjects.has(path)
    if (entry === undefined) add(path, 'container', 'missing', null)
    else if (path !== 'mimetype') add(path, 'container', altered ? 'altered' : 'intact', entry.size)
    else add(path, 'container', entry.sha256 === mimetypeSha256 ? 'intact' : 'altered', entry.size)
  }
  const known = new Set([...expected.keys(), ...own])
  for (const entry of entries.values()) {
    if (known.has(entry.path)) continue
    // With the first list unreadable nothing says what the core files were.
    if (lists[0] === undefined && coreFile.test(entry.path)) add(entry.path, roleOf(entry.path), 'unverified', entry.size)
    else add(entry.path, 'unknown', 'added', entry.size)
  }
  return states
}

/** SHA-256 of `application/vnd.etsi.asic-e+zip`. */
const mimetypeSha256 = '49f862215ba759e69b64ea99f5c0b115ccf2b78b391c9556607215d71c5c9f72'

function roleOf(path: string): EntryRole {
  if (path.startsWith('seal/')) return 'seal'
  if (path.startsWith('report.')) return 'report'
  if (path === 'manifest.json') return 'manifest'
  if (path === 'README.txt') return 'readme'
  return path === 'verify.html' ? 'verifier' : 'unknown'
}

function pieceChecks(pieces: readonly VerifiedPiece[], short: boolean): Check[] {
  const bad = pieces.filter(({ state }) => state !== 'intact' && state !== 'withheld')
  const intact = pieces.filter(({ state }) => state === 'intact').length
  const withheld = pieces.filter(({ state }) => state === 'withheld').length
  return [
    ...bad.slice(0, 1000).map(({ path, state }): Check => ({
      id: 'piece',
      status: state === 'unverified' ? 'indeterminate' : 'failed',
      subject: path,
      data: { state },
      repeat_command: `sha256sum -- ${shellWord(path)}`,
    })),
    {
      id: 'pieces',
      status: bad.length > 0 || intact === 0 ? 'failed' : 'passed',
      data: { intact, withheld, bad: bad.length, short: short ? 'yes' : 'no' },
      repeat_command: 'sha256sum capture/* environment/* seal/* *.*',
    },
  ]
}

function shellWord(path: string): string {
  return /^[A-Za-z0-9._/-]+$/.test(path) ? path : `'${path.replaceAll(/[^ -~]/g, '?').replaceAll("'", "'\\''")}'`
}

function trustCheck(signature: SignatureFacts | undefined, deps: VerifyDeps): Check {
  const check = (status: Check['status'], data: Check['data']): Check => ({
    id: 'signer_trust',
    status,
    subject: 'seal/platform-ca.pem',
    data,
    repeat_command: 'openssl x509 -in seal/platform-ca.pem -noout -subject -fingerprint -sha256',
  })
  if (signature === undefined) return check('failed', { reason: 'no_signature' })
  const sha256 = signature.authority.sha256
  if (deps.trust === undefined) return check('passed', { sha256, anchor: 'package' })
  return pemOrNone(deps.trust).some((each) => equalBytes(each.encoded, signature.authority.encoded))
    ? check('passed', { sha256, anchor: 'pinned' })
    : check('failed', { sha256, anchor: 'pinned', reason: 'not_pinned' })
}

function timeOrder(manifest: Manifest | undefined, tokens: readonly DatedToken[]): Check {
  const first = tokens[0]
  if (manifest === undefined || first === undefined) return { id: 'time_order', status: 'failed', data: { reason: 'missing' } }
  const { started_at, finished_at } = manifest.subject
  const data = { finished_at, gen_time: first.gen_time }
  if (started_at > finished_at)
    return { id: 'time_order', status: 'failed', subject: 'manifest.json', data: { ...data, reason: 'backwards' } }
  const early = tokens.some((token) => Date.parse(token.gen_time) + clockTolerance < Date.parse(finished_at))
  return early
    ? { id: 'time_order', status: 'indeterminate', data: { ...data, reason: 'clocks' } }
    : { id: 'time_order', status: 'passed', data }
}

async function reportChecks(
  entries: ReadonlyMap<string, OpenedEntry>,
  known: { platform: readonly Certificate[]; time: readonly Certificate[] },
  deps: VerifyDeps,
): Promise<Check[]> {
  const checks: Check[] = []
  for (const path of reports) {
    const entry = entries.get(path)
    const base = { id: 'pdf_signature' as const, subject: path, repeat_command: `pdfsig ${path}` }
    if (entry === undefined) {
      checks.push({ ...base, status: 'failed', data: { reason: 'missing' } })
      continue
    }
    try {
      const outcome = await verifyPdf(entry, known, deps)
      checks.push({
        ...base,
        status: outcome.status,
        data:
          outcome.status === 'passed'
            ? { name: outcome.signer, gen_time: outcome.timestamp.gen_time }
            : { reason: outcome.reason },
      })
    } catch (error) {
      if (!(error instanceof MalformedError || error instanceof RangeError)) throw error
      checks.push({ ...base, status: 'failed', data: { reason: 'malformed' } })
    }
  }
  return checks
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes ?? new Uint8Array())
}
