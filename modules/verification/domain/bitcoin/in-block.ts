import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import type { Fact, ProofCheck, ProvenDate, Step } from '../report/proof-report.ts'
import { displayed } from './block-header.ts'
import { blockData, headerCommand } from './examine-block.ts'
import type { ExaminedBlock } from './examine-block.ts'

export type Result = Pick<ProofCheck, 'status' | 'data'> & Partial<Pick<ProofCheck, 'rests_on' | 'repeat_command'>>

/** Reasons of `inBlock`, besides those of the header. */
export const inBlockReasons = ['no_header', 'bad_header', 'sources_disagree', 'merkle_root'] as const

/**
 * Whether a way ends in a block. What is wrong with the block's header is said by the check of the header: here it only leaves the way
 * without a conclusion. @param message where the way ends: the Merkle root, in the order of the header's octets.
 */
export function inBlock(message: Uint8Array, block: ExaminedBlock): Result {
  const { header } = block
  const base = { rests_on: block.rests_on, repeat_command: headerCommand(block.height) }
  const data = { ...blockData(block), root: displayed(message) }
  if (header === undefined) {
    const reason = block.status === 'failed' ? 'bad_header' : (block.reason ?? 'no_header')
    return { ...base, status: 'indeterminate', data: { ...data, reason } }
  }
  if (!equalBytes(message, header.merkleRoot))
    return { ...base, status: 'failed', data: { ...data, actual: displayed(header.merkleRoot), reason: 'merkle_root' } }
  return { ...base, status: 'passed', data }
}

export function headerCheck(block: ExaminedBlock): Result & { readonly subject: string } {
  return {
    subject: blockName(block.height),
    status: block.status,
    data: blockData(block),
    rests_on: block.rests_on,
    repeat_command: headerCommand(block.height),
  }
}

export function blockName(height: number): string {
  return `Bitcoin #${height}`
}

export const blockFactIds = ['block_height', 'block_hash', 'block_time'] as const

export function blockFacts(block: ExaminedBlock): Fact[] {
  const { header, height } = block
  if (header === undefined) return [{ id: 'block_height', value: height, form: 'count' }]
  return [
    { id: 'block_height', value: height, form: 'count' },
    { id: 'block_hash', value: displayed(header.hash), form: 'hex' },
    { id: 'block_time', value: new Date(header.time * 1000).toISOString(), form: 'instant' },
  ]
}

/** The date that a block gives, when it stands: its miner's clock, which consensus holds to about two hours. */
export function blockDate(block: ExaminedBlock): ProvenDate[] {
  if (block.status !== 'passed' || block.header === undefined) return []
  const network = block.network === 'main' ? '' : `${block.network} `
  return [
    {
      kind: 'bitcoin',
      at: new Date(block.header.time * 1000).toISOString(),
      by: `Bitcoin ${network}#${block.height}`,
      rests_on: block.rests_on,
    },
  ]
}

const shownOctets = 256

export function stepOf(operation: string, input: Uint8Array, output: Uint8Array): Step {
  return {
    operation,
    input: toHex(input.subarray(0, shownOctets)),
    input_bytes: input.length,
    output: toHex(output.subarray(0, shownOctets)),
  }
}
