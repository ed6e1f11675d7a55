import { equalBytes } from '../../../../kernel/bytes.ts'
import type { HeaderSource, KnownHeader, VerifyDeps, BitcoinNetwork } from '../known/verify-deps.ts'
import type { Reliance } from '../report/proof-report.ts'
import type { CheckStatus } from '../report/verdict.ts'
import { displayed, headerLength, meetsTarget, readBlockHeader, targetOf, workOf } from './block-header.ts'
import type { BlockHeader } from './block-header.ts'
import { checkpointHash, plausibilityOf } from './known-chain.ts'

/** Why a header is not taken for the block of its height; each has words in every kind that uses it. */
export const headerReasons = [
  'no_header',
  'header_length',
  'no_work',
  'difficulty',
  'checkpoint',
  'sources_disagree',
  'doubtful_difficulty',
  'cheap_work',
  'in_future',
] as const
export type HeaderReason = (typeof headerReasons)[number]

export type ExaminedBlock = {
  readonly height: number
  readonly network: BitcoinNetwork
  readonly status: CheckStatus
  readonly reason?: HeaderReason
  /** The one that sound sources agree on; absent unless exactly one stands. */
  readonly header?: BlockHeader
  /** Who gave it, in plain text: hostile. */
  readonly sources: readonly string[]
  readonly rests_on: readonly Reliance[]
}

const mostSources = 16
/**
 * Trials that a block must have cost where nobody but the one who shows it knows it: one machine of today does 2^64 in days, so that
 * anybody makes a block of the chain's first five years.
 */
const cheapWork = 1n << 64n
/** Blocks that one proof may ask for: a source outside is asked for each. */
export const mostBlocks = 16
/** A node refuses a block whose time is more than two hours ahead of its own clock (`MAX_FUTURE_BLOCK_TIME`). */
export const blockTimeTolerance = 2 * 3_600_000

/**
 * What is known of the block at a height: each header that a source gives must have done the work that it names, name the
 * difficulty of its period, and be the bundled one where a hash is bundled; all sound ones must be the same. That a block has valid
 * work does not prove by itself that it belongs to the main chain: on whose word that rests is said with it.
 */
export async function examineBlock(
  height: number,
  deps: Pick<VerifyDeps, 'headers' | 'now' | 'network'>,
): Promise<ExaminedBlock> {
  const given = await headersAt(height, deps)
  const network = deps.network ?? 'main'
  const flaws: { reason: HeaderReason; source: string }[] = []
  const sound: { header: BlockHeader; source: string }[] = []
  for (const { header: bytes, source } of given) {
    const reason = flawOf(height, bytes, network)
    if (reason === undefined) sound.push({ header: readBlockHeader(bytes), source })
    else flaws.push({ reason, source })
  }
  const sources = [...new Set(given.map(({ source }) => source))]
  const rests_on = reliancesOf(sources)
  const base = { height, network, sources, rests_on }
  const first = sound[0]?.header
  if (first === undefined) {
    const flaw = flaws[0]?.reason
    return flaw === undefined
      ? { ...base, status: 'indeterminate', reason: 'no_header' }
      : { ...base, status: 'failed', reason: flaw }
  }
  if (flaws.length > 0 || sound.some(({ header }) => !equalBytes(header.hash, first.hash)))
    return { ...base, status: 'indeterminate', reason: 'sources_disagree' }
  const found = { ...base, header: first }
  if (plausibilityOf(height, first.bits, network) === 'doubtful')
    return { ...found, status: 'indeterminate', reason: 'doubtful_difficulty' }
  if (first.time * 1000 > deps.now().getTime() + blockTimeTolerance)
    return { ...found, status: 'indeterminate', reason: 'in_future' }
  if (sources.every((source) => source === 'package') && isCheap(height, first, network))
    return { ...found, status: 'indeterminate', reason: 'cheap_work' }
  return network !== 'main' || checkpointHash(height) === undefined
    ? { ...found, status: 'passed' }
    : { ...found, status: 'passed', sources: [...sources, 'checkpoint'], rests_on: ['bitcoin'] }
}

function isCheap(height: number, { bits }: BlockHeader, network: BitcoinNetwork): boolean {
  return network === 'main' && checkpointHash(height) === undefined && workOf(targetOf(bits) ?? 0n) < cheapWork
}

async function headersAt(height: number, deps: Pick<VerifyDeps, 'headers'>): Promise<readonly KnownHeader[]> {
  try {
    const given = (await deps.headers?.(height)) ?? []
    return given.filter((each) => each.height === height).slice(0, mostSources)
  } catch {
    // A source that cannot be reached gave nothing.
    return []
  }
}

/** Headers already at hand, before those of the source; one that cannot be reached takes none of them away. */
export function withHeaders(own: readonly KnownHeader[], deps: Pick<VerifyDeps, 'headers'>): HeaderSource {
  return async (height) => [...own, ...(await headersAt(height, deps))]
}

/** What is wrong with the octets of a header of that height; undefined when nothing is. */
export function flawOf(height: number, bytes: Uint8Array, network: BitcoinNetwork): HeaderReason | undefined {
  if (bytes.length !== headerLength) return 'header_length'
  const header = readBlockHeader(bytes)
  if (!meetsTarget(header)) return 'no_work'
  if (network === 'main' && (checkpointHash(height) ?? displayed(header.hash)) !== displayed(header.hash)) return 'checkpoint'
  return plausibilityOf(height, header.bits, network) === 'implausible' ? 'difficulty' : undefined
}

const reliances: Readonly<Record<string, Reliance>> = { package: 'platform', node: 'platform', given: 'given' }

function reliancesOf(sources: readonly string[]): Reliance[] {
  const others = sources.map((source) => (Object.hasOwn(reliances, source) ? reliances[source] : undefined) ?? 'header_source')
  return ['bitcoin', ...new Set(others)]
}

/** Explorers by their host; the words of a sentence name the others. */
function hostsAmong(sources: readonly string[]): string[] {
  return sources.filter((source) => source !== 'checkpoint' && !Object.hasOwn(reliances, source))
}

/** On whose word the header is that of its height, as the word that its sentence chooses by. */
function originOf(sources: readonly string[]): string {
  const [only = 'none', ...more] = sources
  if (sources.includes('checkpoint')) return 'checkpoint'
  const hosts = hostsAmong(sources).length
  if (hosts > 1 && hosts === sources.length) return 'explorers'
  // The package's word and the node's are both the platform's.
  if (more.length > 0 && hosts === 0 && !sources.includes('given')) return 'node'
  if (more.length > 0) return hosts > 0 ? 'several_named' : 'several'
  return hosts > 0 ? 'explorer' : only
}

/** Values that every sentence on a block interpolates. `work` is the exponent: the hash cost about 2^work trials. */
export function blockData(block: ExaminedBlock): Record<string, string | number> {
  const { header } = block
  return {
    height: block.height,
    network: block.network,
    origin: originOf(block.sources),
    sources: hostsAmong(block.sources).join(', '),
    source_count: block.sources.length,
    ...(block.reason === undefined ? {} : { reason: block.reason }),
    ...(header === undefined
      ? {}
      : {
          hash: displayed(header.hash),
          at: new Date(header.time * 1000).toISOString(),
          work: workOf(targetOf(header.bits) ?? 1n).toString(2).length - 1,
          cheap: isCheap(block.height, header, block.network) ? 'yes' : 'no',
        }),
  }
}

/** The same check with Bitcoin's own tool. */
export function headerCommand(height: number): string {
  return `bitcoin-cli getblockheader "$(bitcoin-cli getblockhash ${height})"`
}
