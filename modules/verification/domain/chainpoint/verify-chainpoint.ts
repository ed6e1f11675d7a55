import { toHex } from '../../../../kernel/bytes.ts'
import { displayed } from '../bitcoin/block-header.ts'
import { examineBlock, headerReasons, mostBlocks, withHeaders } from '../bitcoin/examine-block.ts'
import type { ExaminedBlock } from '../bitcoin/examine-block.ts'
import { blockDate, blockFactIds, blockFacts, blockName, headerCheck, inBlock, inBlockReasons } from '../bitcoin/in-block.ts'
import type { Result } from '../bitcoin/in-block.ts'
import { MalformedError } from '../encoding/der.ts'
import { VerificationStopped } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, Step } from '../report/proof-report.ts'
import type { KnownHeader, VerifyDeps } from '../known/verify-deps.ts'
import { followTransaction, transactionReasons } from './follow-transaction.ts'
import type { Followed, GivenTransaction } from './follow-transaction.ts'
import { applyChainpoint, chainpointSteps } from './operation.ts'
import { formatReasons } from './proof-model.ts'
import type { ChainpointClaim, ChainpointProof } from './proof-model.ts'
import { readChainpoint } from './read-chainpoint.ts'

export const chainpointChecks = ['format', 'digest', 'path', 'attestation', 'block_header'] as const
export const chainpointReasons = [
  ...formatReasons,
  ...transactionReasons,
  ...inBlockReasons,
  ...headerReasons,
  'nothing_given',
  'blockcerts',
  'differs',
  'other_algorithm',
  'cal',
  'tcal',
  'tbtc',
  'eth',
  'unknown',
  'height',
  'other_root',
] as const
export const chainpointFacts = [...blockFactIds, 'version', 'digest', 'calendar', 'transaction'] as const
type Check = ProofCheck & { readonly id: (typeof chainpointChecks)[number] }

export type ChainpointInput = {
  /** JSON as text or octets, or octets of the binary form. */
  readonly proof: string | Uint8Array
  /** Digest of what was dated, hexadecimal, when it is at hand. */
  readonly digest?: string
  /** For receipts of version 2, which name a transaction without holding it. */
  readonly transactions?: readonly GivenTransaction[]
}

const mostSteps = 2000

/**
 * Verifies a Chainpoint proof of version 2 to 5: each anchor by the operations that lead to it, and each block by its header. A
 * calendar's value is a promise, never an anchor; identifiers and dates that the proof says of itself are not relied upon.
 * @throws VerificationStopped when `deps.signal` says so; nothing else on any input.
 */
export async function verifyChainpoint(input: ChainpointInput, deps: VerifyDeps): Promise<ProofReport> {
  const read = readOrReason(input.proof)
  if (typeof read === 'string') {
    const status = read === 'version_1' || read === 'version' || read === 'too_large' ? 'indeterminate' : 'failed'
    const format: Check = { id: 'format', status, data: { reason: read } }
    return proofReport('chainpoint', deps, { checks: [format], unusable: read === 'not_chainpoint' || read === 'not_json' })
  }
  const ends = read.claims.map((claim) => endOf(claim, input.transactions ?? []))
  const blocks = await blocksOf(ends, deps)
  const digest = toHex(read.hash)
  const data = { version: read.version, digest, anchors: read.claims.length }
  const attestations = attestationChecks(read, ends, blocks)
  const proven = (block: ExaminedBlock): boolean =>
    attestations.some(({ status, data: { height } }) => status === 'passed' && height === block.height)
  return proofReport('chainpoint', deps, {
    checks: [
      { id: 'format', status: 'passed', data },
      digestCheck(digest, input.digest, read.enclosed),
      ...pathChecks(read),
      ...attestations,
      ...headerChecks(blocks),
    ],
    facts: factsOf(read, blocks),
    bound: boundOf(digest),
    dates: [...blocks.values()].filter(proven).flatMap(blockDate),
  })
}

function readOrReason(proof: string | Uint8Array): ChainpointProof | string {
  try {
    const read = readChainpoint(proof)
    const heights = read.claims.flatMap(({ type, id }) => (type === 'btc' ? [id] : []))
    return new Set(heights).size > mostBlocks ? 'too_many' : read
  } catch (error) {
    if (error instanceof MalformedError) return error.message
    throw error
  }
}

/** Where a claim ends: in a block of a height, or nowhere that can be checked. */
type End =
  | { readonly height: number; readonly root: Uint8Array; readonly header?: Uint8Array }
  | { readonly status: 'failed' | 'indeterminate'; readonly reason: (typeof chainpointReasons)[number] }

function endOf(claim: ChainpointClaim, given: readonly GivenTransaction[]): End {
  if (claim.type === 'op_return') {
    const followed: Followed = followTransaction(claim.id, claim.value, given)
    return followed.status === 'passed' ? followed : { status: followed.status, reason: followed.reason }
  }
  if (claim.type !== 'btc') return { status: 'indeterminate', reason: claim.type }
  if (!/^\d{1,9}$/.test(claim.id)) return { status: 'failed', reason: 'height' }
  return { height: Number(claim.id), root: claim.value }
}

async function blocksOf(ends: readonly End[], deps: VerifyDeps): Promise<Map<number, ExaminedBlock>> {
  const blocks = new Map<number, ExaminedBlock>()
  for (const end of ends) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    if (!('height' in end) || blocks.has(end.height)) continue
    const { height } = end
    const brought: KnownHeader[] = ends.flatMap((each) =>
      'height' in each && each.height === height && each.header !== undefined
        ? [{ height, header: each.header, source: 'given' }]
        : [],
    )
    blocks.set(height, await examineBlock(height, { ...deps, headers: withHeaders(brought, deps) }))
  }
  return blocks
}

function digestCheck(digest: string, asked: string | undefined, isEnclosed = false): Check {
  const given = asked?.trim().toLowerCase() ?? ''
  if (given === '')
    return { id: 'digest', status: 'indeterminate', data: { digest, reason: isEnclosed ? 'blockcerts' : 'nothing_given' } }
  if (given === digest) return { id: 'digest', status: 'passed', data: { digest } }
  return given.length === digest.length
    ? { id: 'digest', status: 'failed', data: { digest, given, reason: 'differs' } }
    : { id: 'digest', status: 'indeterminate', data: { digest, given, reason: 'other_algorithm' } }
}

/** Version 2 names the root that its path must lead to; later ones name nothing but the block. */
function pathChecks({ root }: ChainpointProof): Check[] {
  if (root === undefined) return []
  const [named, computed] = [toHex(root.named), toHex(root.computed)]
  return named === computed
    ? [{ id: 'path', status: 'passed', data: { root: named } }]
    : [{ id: 'path', status: 'failed', data: { root: named, computed, reason: 'other_root' } }]
}

/** What a calendar says itself, until a block does; a block of a test network proves nothing. */
const promising: readonly ChainpointClaim['type'][] = ['cal', 'tcal', 'tbtc']

function attestationChecks(read: ChainpointProof, ends: readonly End[], blocks: ReadonlyMap<number, ExaminedBlock>): Check[] {
  const results = ends.map((end, i) => resultOf(end, read.claims[i] as ChainpointClaim, blocks))
  const anchored = results.some(({ status }) => status === 'passed')
  let counted = 0
  return results.map((result, i) => {
    const claim = read.claims[i] as ChainpointClaim
    counted += claim.operations.length
    return {
      id: 'attestation',
      subject: subjectOf(claim),
      ...result,
      ...(counted > mostSteps ? {} : { steps: stepsOf(read.hash, claim) }),
      ...(anchored && promising.includes(claim.type) ? { supplementary: true as const } : {}),
      ...(claim.type === 'eth' || claim.type === 'unknown' ? { unevaluated: true as const } : {}),
    }
  })
}

function resultOf(end: End, claim: ChainpointClaim, blocks: ReadonlyMap<number, ExaminedBlock>): Result {
  if ('height' in end) return inBlock(end.root, blocks.get(end.height) as ExaminedBlock)
  const data = { reason: end.reason, id: claim.id, hosts: hostsOf(claim).join(', '), value: toHex(claim.value) }
  return claim.type === 'op_return'
    ? { status: end.status, data, repeat_command: `bitcoin-cli getrawtransaction ${claim.id} true` }
    : { status: end.status, data }
}

const headerChecks = (blocks: ReadonlyMap<number, ExaminedBlock>): Check[] =>
  [...blocks.values()].map((block) => ({ id: 'block_header', ...headerCheck(block) }))

const chains: Readonly<Record<ChainpointClaim['type'], string>> = {
  btc: 'Bitcoin',
  op_return: 'Bitcoin',
  tbtc: 'Bitcoin testnet',
  eth: 'Ethereum',
  cal: 'Chainpoint',
  tcal: 'Chainpoint testnet',
  unknown: '',
}

/** Who or which chain, and what it calls it. */
function subjectOf(claim: ChainpointClaim): string {
  const { type, id } = claim
  if (type === 'btc' && /^\d{1,9}$/.test(id)) return blockName(Number(id))
  const [host] = type === 'cal' || type === 'tcal' ? hostsOf(claim) : []
  return `${host ?? chains[type]} ${id}`.trim()
}

function hostsOf({ uris }: ChainpointClaim): string[] {
  return [...new Set(uris.flatMap((uri) => (URL.canParse(uri) ? [new URL(uri).host] : [])))]
}

function stepsOf(hash: Uint8Array, { operations }: ChainpointClaim): Step[] {
  let current = hash
  return operations.flatMap((operation) => {
    const steps = chainpointSteps(operation, current)
    current = applyChainpoint(operation, current)
    return steps
  })
}

/** By its length alone: the format does not name the algorithm. */
function boundOf(hex: string): Bound[] {
  const byLength = { 40: 'sha1', 64: 'sha256', 96: 'sha384', 128: 'sha512' } as const
  const algorithm = byLength[hex.length as keyof typeof byLength] as (typeof byLength)[keyof typeof byLength] | undefined
  return algorithm === undefined ? [] : [{ algorithm, hex, of: 'imprint' }]
}

function factsOf(read: ChainpointProof, blocks: ReadonlyMap<number, ExaminedBlock>): Fact[] {
  const calendars = new Set(read.claims.flatMap((claim) => (claim.type === 'cal' ? hostsOf(claim) : [])))
  return [
    { id: 'version', value: `Chainpoint ${read.version}`, form: 'text' },
    { id: 'digest', value: toHex(read.hash), form: 'hex' },
    ...[...calendars].map((value): Fact => ({ id: 'calendar', value, form: 'text' })),
    ...read.claims.flatMap((claim): Fact[] => {
      const txid = claim.type === 'op_return' ? claim.id : claim.type === 'btc' ? txidOf(read.hash, claim) : undefined
      return txid === undefined ? [] : [{ id: 'transaction', value: txid, form: 'hex' }]
    }),
    ...[...blocks.values()].flatMap(blockFacts),
  ]
}

/** The first double hash of a way to a block is that of the transaction. */
function txidOf(hash: Uint8Array, { operations }: ChainpointClaim): string | undefined {
  const at = operations.findIndex(({ op }) => op === 'sha-256-x2')
  if (at < 0) return undefined
  return displayed(operations.slice(0, at + 1).reduce((message, operation) => applyChainpoint(operation, message), hash))
}
