import { equalBytes } from '../../../../kernel/bytes.ts'
import { readChainpoint } from '../chainpoint/read-chainpoint.ts'
import { MalformedError } from '../encoding/der.ts'
import { readOts } from '../opentimestamps/read-ots.ts'
import { attestationsOf } from '../opentimestamps/tree.ts'
import type { KnownHeader, VerifyDeps } from '../known/verify-deps.ts'
import type { Check } from '../report/package-report.ts'
import { readBlockHeader } from '../bitcoin/block-header.ts'
import { blockData, examineBlock, headerCommand, headerReasons, withHeaders } from '../bitcoin/examine-block.ts'
import { inBlock, inBlockReasons } from '../bitcoin/in-block.ts'
import { readAnchorHeader } from '../bitcoin/read-anchor-header.ts'
import type { AnchorHeader } from '../bitcoin/read-anchor-header.ts'

export const anchorFiles = {
  ots: 'seal/anchor.ots',
  chainpoint: 'seal/anchor.chainpoint.json',
  header: 'seal/anchor-header.json',
} as const

type Deps = Pick<VerifyDeps, 'now' | 'headers' | 'network'>
/** Where a proof leads: the Merkle root of the block of that height, in the order of the header's octets. */
type Claim = { readonly height: number; readonly root: Uint8Array }
/** `promised`: who promises the rest. */
type Way = { readonly claims: readonly Claim[]; readonly promised: readonly string[] }
type Flaw = { readonly flaw: string }

/**
 * The anchor of a package: its proofs start from its root and end in the same block, and the block's header did the work of its
 * period. A promise is said to be one. None of the files is needed: no check without them.
 * @param files what the package holds, by path. @param root the package's own, 32 octets.
 */
export async function anchorChecks(files: ReadonlyMap<string, Uint8Array>, root: Uint8Array, deps: Deps): Promise<Check[]> {
  const header = read(files.get(anchorFiles.header), readAnchorHeader)
  const ots = read(files.get(anchorFiles.ots), (bytes) => otsWay(bytes, root))
  const chainpoint = read(files.get(anchorFiles.chainpoint), (bytes) => chainpointWay(bytes, root))
  const own: KnownHeader[] = header === undefined || 'flaw' in header ? [] : [{ ...header, source: 'package' }]
  const all = { ...deps, headers: withHeaders(own, deps) }
  const otsClaims = claimsIn(ots)
  return [
    ...(await wayChecks(anchorFiles.ots, ots, undefined, all)),
    ...(await wayChecks(anchorFiles.chainpoint, chainpoint, ots === undefined || 'flaw' in ots ? undefined : otsClaims, all)),
    ...(await headerChecks(header, [...otsClaims, ...claimsIn(chainpoint)], deps)),
  ]
}

/** Undefined when the file is absent. */
function read<T>(bytes: Uint8Array | undefined, reader: (bytes: Uint8Array) => T): T | Flaw | undefined {
  try {
    return bytes === undefined ? undefined : reader(bytes)
  } catch (error) {
    if (error instanceof MalformedError) return { flaw: 'malformed' }
    throw error
  }
}

function otsWay(bytes: Uint8Array, root: Uint8Array): Way | Flaw {
  const { hash, tree } = readOts(bytes)
  if (hash !== 'sha256' || !equalBytes(tree.message, root)) return { flaw: 'anchor_other_root' }
  const found = attestationsOf(tree)
  return {
    claims: found.flatMap(({ attestation, message }) =>
      attestation.kind === 'bitcoin' ? [{ height: attestation.height, root: message }] : [],
    ),
    promised: found.flatMap(({ attestation }) => (attestation.kind === 'pending' ? [attestation.uri] : [])),
  }
}

function chainpointWay(bytes: Uint8Array, root: Uint8Array): Way | Flaw {
  const { hash, claims } = readChainpoint(new TextDecoder().decode(bytes))
  if (!equalBytes(hash, root)) return { flaw: 'anchor_other_root' }
  return {
    claims: claims.flatMap(({ type, id, value }) =>
      type === 'btc' && /^\d{1,9}$/.test(id) ? [{ height: Number(id), root: value }] : [],
    ),
    promised: [],
  }
}

function claimsIn(way: Way | Flaw | undefined): readonly Claim[] {
  return way === undefined || 'flaw' in way ? [] : way.claims
}

/** A package is anchored once; a proof of many blocks is none of ours. */
const mostClaims = 8

/** @param expected where the other proof leads, when there is one. */
async function wayChecks(
  subject: string,
  way: Way | Flaw | undefined,
  expected: readonly Claim[] | undefined,
  deps: Deps,
): Promise<Check[]> {
  if (way === undefined) return []
  const check = { id: 'anchor' as const, subject }
  const fail = (reason: string): Check[] => [{ ...check, status: 'failed', data: { reason } }]
  if ('flaw' in way) return fail(way.flaw)
  const { claims, promised } = way
  if (claims.length > mostClaims) return fail('malformed')
  const agrees = (claim: Claim): boolean =>
    expected === undefined || expected.some(({ height, root }) => height === claim.height && equalBytes(root, claim.root))
  if (!claims.every(agrees)) return fail('anchor_differs')
  if (claims.length === 0) {
    if (promised.length === 0) return fail('anchor_nothing')
    const data = { reason: 'anchor_pending', calendars: [...new Set(promised)].join(', ') }
    return [{ ...check, status: 'indeterminate', data, repeat_command: `ots upgrade ${subject}`, supplementary: true }]
  }
  const checks: Check[] = []
  for (const { height, root } of claims) {
    const block = await examineBlock(height, deps)
    const { reason, ...rest } = inBlock(root, block).data
    // A way into a block that is not established itself gives no date.
    const way = inBlock(root, block).status
    const status = way === 'passed' ? block.status : way
    const told = status === 'passed' || reason === undefined ? rest : { ...rest, reason: `anchor_${reason}` }
    checks.push({ ...check, status, data: told, ...commandFor(subject) })
  }
  return checks
}

function commandFor(subject: string): { readonly repeat_command?: string } {
  return subject === anchorFiles.ots
    ? { repeat_command: `ots --no-bitcoin verify -d "$(xxd -p -c 64 seal/root.bin)" ${subject}` }
    : {}
}

/** The header that the package brings is its own word, until someone else, or a bundled hash, says the same. */
async function headerChecks(header: AnchorHeader | Flaw | undefined, claims: readonly Claim[], deps: Deps): Promise<Check[]> {
  if (header === undefined) return []
  const check = { id: 'anchor_header' as const, subject: anchorFiles.header }
  if ('flaw' in header) return [{ ...check, status: 'failed', data: { reason: header.flaw } }]
  const { height } = header
  const command = { repeat_command: headerCommand(height) }
  const answer = (status: Check['status'], data: Check['data'], reason?: string): Check[] => [
    {
      ...check,
      status,
      data: reason === undefined ? data : { ...data, reason: `anchor_${reason}` },
      ...command,
      // Whoever sealed the package says so too: that nobody else does leaves nothing open.
      ...(reason === 'only_package' ? { supplementary: true as const } : {}),
    },
  ]
  if (!claims.some((claim) => claim.height === height)) return answer('failed', { height }, 'other_height')
  const alone = await examineBlock(height, { ...deps, headers: () => Promise.resolve([{ ...header, source: 'package' }]) })
  const { reason: ownReason, ...data } = blockData(alone)
  const said = { ...data, said_by: header.sources.join(', ') }
  if (alone.status === 'failed') return answer('failed', said, String(ownReason))
  if (alone.sources.includes('checkpoint')) return answer('passed', said)
  const others = await examineBlock(height, deps)
  if (others.sources.length === 0) return answer('indeterminate', said, alone.reason ?? 'only_package')
  if (others.header === undefined) return answer('indeterminate', said, others.reason)
  const same = equalBytes(others.header.hash, readBlockHeader(header.header).hash)
  const { origin, sources, source_count } = blockData(others)
  const known = { ...said, origin: origin ?? '', sources: sources ?? '', source_count: source_count ?? 0 }
  if (!same) return answer('failed', known, 'contradicted')
  return answer(others.status, known, others.reason)
}

/** Reasons of both checks; each has words. */
export const anchorReasons = [
  'malformed',
  'anchor_other_root',
  'anchor_differs',
  'anchor_nothing',
  'anchor_pending',
  'anchor_other_height',
  'anchor_only_package',
  'anchor_contradicted',
  ...[...inBlockReasons, ...headerReasons].map((reason) => `anchor_${reason}`),
] as const
