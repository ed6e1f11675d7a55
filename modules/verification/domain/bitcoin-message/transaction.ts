import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../../../kernel/bytes.ts'

/** Bitcoin's transactions as far as BIP-322 needs them: read whole, written again for their identifiers and digests. */
export type Input = {
  /** Identifier of the transaction spent, in the order of the wire. */
  readonly hash: Uint8Array
  readonly index: number
  readonly script: Uint8Array
  readonly sequence: number
  readonly witness: readonly Uint8Array[]
}
export type Output = { readonly value: bigint; readonly script: Uint8Array }
export type Transaction = {
  readonly version: number
  readonly inputs: readonly Input[]
  readonly outputs: readonly Output[]
  readonly lockTime: number
}

export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)
}

export function uint64(value: bigint): Uint8Array {
  return concatBytes(uint32(Number(value & 0xffff_ffffn)), uint32(Number(value >> 32n)))
}

/** Bitcoin's length prefix, shortest form. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value < 0x1_0000) return Uint8Array.of(0xfd, value, value >>> 8)
  return concatBytes(Uint8Array.of(0xfe), uint32(value))
}

export const sized = (bytes: Uint8Array): Uint8Array => concatBytes(compactSize(bytes.length), bytes)

export function serializeOutput({ value, script }: Output): Uint8Array {
  return concatBytes(uint64(value), sized(script))
}

/** Without witnesses: what is hashed twice for the identifier. */
export function serialize({ version, inputs, outputs, lockTime }: Transaction): Uint8Array {
  return concatBytes(
    uint32(version),
    compactSize(inputs.length),
    ...inputs.map(({ hash, index, script, sequence }) => concatBytes(hash, uint32(index), sized(script), uint32(sequence))),
    compactSize(outputs.length),
    ...outputs.map(serializeOutput),
    uint32(lockTime),
  )
}

export const transactionId = (transaction: Transaction): Uint8Array => sha256(sha256(serialize(transaction)))

class Malformed extends Error {}

function reader(bytes: Uint8Array) {
  let at = 0
  const take = (count: number): Uint8Array => {
    if (count > bytes.length - at) throw new Malformed()
    at += count
    return bytes.subarray(at - count, at)
  }
  const number = (octets: number): number => take(octets).reduceRight((sum, octet) => sum * 256 + octet, 0)
  const size = (): number => {
    const first = number(1)
    if (first < 0xfd) return first
    if (first === 0xff) throw new Malformed()
    const value = number(first === 0xfd ? 2 : 4)
    // A longer form than needed is another spelling of the same signature.
    if (value < (first === 0xfd ? 0xfd : 0x1_0000)) throw new Malformed()
    return value
  }
  const list = <T>(least: number, one: () => T): T[] => {
    const count = size()
    if (count * least > bytes.length - at) throw new Malformed()
    return Array.from({ length: count }, one)
  }
  return { take, number, size, list, ended: () => at === bytes.length }
}

/** Reads a witness stack alone, to its last octet. */
export function readWitness(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  try {
    const { take, size, list, ended } = reader(bytes)
    const stack = list(1, () => take(size()))
    return ended() ? stack : undefined
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

/** Reads a transaction with or without witnesses (BIP-144), to its last octet. */
export function readTransaction(bytes: Uint8Array): Transaction | undefined {
  try {
    const { take, number, size, list, ended } = reader(bytes)
    const version = number(4)
    const segwit = bytes[4] === 0 && bytes[5] === 1
    if (segwit) take(2)
    const bare = list(41, () => ({ hash: take(32), index: number(4), script: take(size()), sequence: number(4) }))
    const outputs = list(9, () => {
      const low = number(4)
      return { value: BigInt(low) + (BigInt(number(4)) << 32n), script: take(size()) }
    })
    const inputs = bare.map((input) => ({ ...input, witness: segwit ? list(1, () => take(size())) : [] }))
    const lockTime = number(4)
    // BIP-144: the marker is only there when there is a witness.
    if (!ended() || (segwit && inputs.every(({ witness }) => witness.length === 0))) return undefined
    return { version, inputs, outputs, lockTime }
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
