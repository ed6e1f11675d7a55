/** Who says which block stands at a height: the installation's own node, or two Esplora servers that agree. */
import { z } from 'zod'
import { fromHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import {
  displayed,
  meetsTarget,
  plausibilityOf,
  readBlockHeader,
  type BitcoinNetwork,
} from '../../../verification/server/index.ts'
import type { BitcoinRpc } from './bitcoin-rpc.ts'
import { anchorFailure, exchange, hostOf } from '../connections/exchange.ts'
import type { ExchangeRules } from '../connections/exchange.ts'

export type BlockSource = {
  /** `node`, or the host of an Esplora server. */
  readonly name: string
  /** Height of the newest block. @throws DomainError */
  tip(): Promise<number>
  /** The 80 octets of the header at that height of its main chain, checked for work; null when its chain is not that long. @throws DomainError */
  header(height: number): Promise<Uint8Array | null>
}

const hex64 = z.string().regex(/^[0-9a-f]{64}$/)
const hex80 = z.string().regex(/^[0-9a-f]{160}$/)
const heightNumber = z.int().min(0).max(0x7fffffff)
/** RPC_INVALID_PARAMETER: block height out of range. */
const outOfRange = -8

export function nodeSource(rpc: BitcoinRpc): BlockSource {
  return {
    name: 'node',
    tip: async () => await rpc.call('getblockcount', [], heightNumber),
    async header(height) {
      try {
        const hash = await rpc.call('getblockhash', [height], hex64)
        return checked('node', fromHex(await rpc.call('getblockheader', [hash, false], hex80)), hash)
      } catch (error) {
        if (error instanceof DomainError && error.data['code'] === outOfRange) return null
        throw error
      }
    },
  }
}

/** @param url `https://…/api`, without trailing slash */
export function esploraSource(url: string, rules: ExchangeRules): BlockSource {
  const name = hostOf(url)
  async function ask<T>(path: string, answer: z.ZodType<T>): Promise<T | null> {
    const { status, body } = await exchange({ url: `${url}${path}`, accept: 'text/plain', maxBytes: 1000 }, rules)
    if (status === 404) return null
    if (status !== 200) throw anchorFailure('status', { host: name, status })
    const parsed = answer.safeParse(body.toString('latin1').trim())
    if (!parsed.success) throw anchorFailure('explorer_answer', { host: name })
    return parsed.data
  }
  return {
    name,
    async tip() {
      const text = await ask('/blocks/tip/height', z.string().regex(/^\d{1,9}$/))
      if (text === null) throw anchorFailure('explorer_answer', { host: name })
      return Number(text)
    },
    async header(height) {
      const hash = await ask(`/block-height/${height}`, hex64)
      const header = hash === null ? null : await ask(`/block/${hash}/header`, hex80)
      return hash === null || header === null ? null : checked(name, fromHex(header), hash)
    },
  }
}

function checked(source: string, bytes: Uint8Array, hash: string): Uint8Array {
  const header = readBlockHeader(bytes)
  if (displayed(header.hash) !== hash || !meetsTarget(header)) throw anchorFailure('header_work', { host: source })
  return bytes
}

/** A block that may be relied on. */
export type VouchedBlock = {
  readonly height: number
  readonly header: Uint8Array
  /** As explorers write it. */
  readonly hash: string
  readonly time: Date
  readonly sources: readonly string[]
  /** The least that any of them says: blocks from this one to the tip, itself included. */
  readonly confirmations: number
}

export type BlockSources = {
  /** `main`, but in trials. */
  readonly network: BitcoinNetwork
  readonly node: BlockSource | null
  readonly explorers: readonly BlockSource[]
}

/**
 * The block of the main chain at a height: the own node's word, or that of two explorers. One explorer alone is believed nothing.
 * @throws DomainError `sealing.anchor_no_header` (nobody to ask, or nobody knows it), `sealing.anchor_headers_differ`, `sealing.anchor_not_main_chain`; or what the
 * last of them failed with.
 */
export async function vouchedBlock(sources: BlockSources, height: number): Promise<VouchedBlock> {
  let failure: DomainError | undefined
  const answers: { source: string; header: Uint8Array; tip: number }[] = []
  const ask = async (source: BlockSource): Promise<void> => {
    try {
      const tip = await source.tip()
      const header = await source.header(height)
      if (header !== null) answers.push({ source: source.name, header, tip })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      failure = error
    }
  }
  if (sources.node !== null) {
    await ask(sources.node)
    if (answers.length > 0) return vouched(sources.network, height, answers)
  }
  for (const explorer of sources.explorers) {
    await ask(explorer)
    const [first, ...others] = answers
    if (first === undefined || others.length === 0) continue
    if (others.some(({ header }) => Buffer.compare(header, first.header) !== 0))
      throw anchorFailure('headers_differ', { height, sources: answers.map(({ source }) => source).join(', ') })
    return vouched(sources.network, height, answers)
  }
  throw failure ?? anchorFailure('no_header', { height })
}

function vouched(
  network: BitcoinNetwork,
  height: number,
  answers: readonly { source: string; header: Uint8Array; tip: number }[],
): VouchedBlock {
  const header = answers[0]?.header ?? new Uint8Array()
  const read = readBlockHeader(header)
  // A node on another network, or explorers of one: every verifier would find the package false.
  if (plausibilityOf(height, read.bits, network) === 'implausible')
    throw anchorFailure('not_main_chain', { height, source: answers.map(({ source }) => source).join(', ') })
  return {
    height,
    header,
    hash: displayed(read.hash),
    time: new Date(read.time * 1000),
    sources: answers.map(({ source }) => source),
    confirmations: Math.max(0, Math.min(...answers.map(({ tip }) => tip)) - height + 1),
  }
}
