import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { u32 } from '../encoding/little-endian.ts'

/** Hashes are 32 octets in the order in which the header has them; explorers and `bitcoin-cli` show them the other way round. */
export type BlockHeader = {
  readonly version: number
  readonly previous: Uint8Array
  readonly merkleRoot: Uint8Array
  /** Seconds since 1970, as the miner wrote them. */
  readonly time: number
  readonly bits: number
  readonly nonce: number
  readonly hash: Uint8Array
}

export const headerLength = 80

/** @throws MalformedError `header_length` unless it is 80 octets. */
export function readBlockHeader(bytes: Uint8Array): BlockHeader {
  if (bytes.length !== headerLength) malformed('header_length')
  return {
    version: u32(bytes, 0),
    previous: bytes.slice(4, 36),
    merkleRoot: bytes.slice(36, 68),
    time: u32(bytes, 68),
    bits: u32(bytes, 72),
    nonce: u32(bytes, 76),
    hash: sha256x2(bytes),
  }
}

export function sha256x2(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** As explorers and `bitcoin-cli` write a hash: its octets in reverse, hexadecimal. */
export function displayed(hash: Uint8Array): string {
  return toHex(hash.toReversed())
}

/** The number that the hash must not exceed (`arith_uint256::SetCompact`); null when the field says none, or a negative one. */
export function targetOf(bits: number): bigint | null {
  const size = bits >>> 24
  const mantissa = bits & 0x7fffff
  if (mantissa === 0 || (bits & 0x800000) !== 0) return null
  const target = size <= 3 ? BigInt(mantissa) >> BigInt(8 * (3 - size)) : BigInt(mantissa) << BigInt(8 * (size - 3))
  return target === 0n || target >= 1n << 256n ? null : target
}

/** Hashes that have to be tried on average to meet a target. */
export function workOf(target: bigint): bigint {
  return (1n << 256n) / (target + 1n)
}

/** Whether the header's hash meets the target that it names: it cost that work to make. */
export function meetsTarget(header: BlockHeader): boolean {
  const target = targetOf(header.bits)
  return target !== null && BigInt(`0x${displayed(header.hash)}`) <= target
}
