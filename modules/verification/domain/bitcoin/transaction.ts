import { concatBytes } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { u32, u64 } from '../encoding/little-endian.ts'
import { sha256x2 } from './block-header.ts'

export type Transaction = {
  /** SHA-256 twice over the transaction without its witness (BIP 141), in the order of the octets; explorers reverse it. */
  readonly txid: Uint8Array
  /** What the txid is computed over. */
  readonly stripped: Uint8Array
  readonly inputs: number
  readonly outputs: readonly TransactionOutput[]
}
export type TransactionOutput = {
  readonly value: number
  readonly script: Uint8Array
  /** Where its script stands in `stripped`. */ readonly scriptAt: number
}

/** The largest block is 4,000,000 octets; ours and calendars' transactions have some hundreds. */
const largest = 1 << 20

/** Reads a transaction, with or without witness. @throws MalformedError `transaction` */
export function readTransaction(bytes: Uint8Array): Transaction {
  if (bytes.length > largest) malformed('transaction')
  const cursor = { at: 4 }
  const segwit = bytes[4] === 0 && bytes[5] === 1
  if (segwit) cursor.at = 6
  const bodyAt = cursor.at
  const inputs = compactSize(bytes, cursor)
  for (let i = 0; i < inputs; i += 1) {
    skip(bytes, cursor, 36)
    skip(bytes, cursor, compactSize(bytes, cursor) + 4)
  }
  const count = compactSize(bytes, cursor)
  const outputs: TransactionOutput[] = []
  for (let i = 0; i < count; i += 1) {
    const value = u64(bytes, cursor.at)
    skip(bytes, cursor, 8)
    const length = compactSize(bytes, cursor)
    const scriptAt = cursor.at
    skip(bytes, cursor, length)
    outputs.push({ value, script: bytes.subarray(scriptAt, cursor.at), scriptAt: scriptAt - bodyAt + 4 })
  }
  const bodyEnd = cursor.at
  if (segwit) {
    for (let i = 0; i < inputs; i += 1) {
      const items = compactSize(bytes, cursor)
      for (let item = 0; item < items; item += 1) skip(bytes, cursor, compactSize(bytes, cursor))
    }
  }
  if (cursor.at + 4 !== bytes.length || inputs === 0) malformed('transaction')
  const stripped = concatBytes(bytes.subarray(0, 4), bytes.subarray(bodyAt, bodyEnd), bytes.subarray(cursor.at))
  return { txid: sha256x2(stripped), stripped, inputs, outputs }
}

/** What `OP_RETURN` outputs carry: the octets that their script pushes, when it pushes once and nothing more. */
export function opReturns(
  transaction: Transaction,
): { readonly data: Uint8Array; /** Place in `stripped`. */ readonly at: number }[] {
  return transaction.outputs.flatMap(({ script, scriptAt }) => {
    const [opcode, push, length] = script
    if (opcode !== 0x6a || push === undefined) return []
    const [start, size] = push <= 75 ? [2, push] : push === 0x4c ? [3, length ?? 0] : [0, 0]
    return start > 0 && script.length === start + size ? [{ data: script.subarray(start), at: scriptAt + start }] : []
  })
}

function skip(bytes: Uint8Array, cursor: { at: number }, length: number): void {
  if (length > bytes.length - cursor.at) malformed('transaction')
  cursor.at += length
}

/** Bitcoin's variable-length integer. @throws MalformedError */
export function compactSize(bytes: Uint8Array, cursor: { at: number }): number {
  const first = bytes[cursor.at]
  if (first === undefined) return malformed('transaction')
  const width = first < 0xfd ? 0 : first === 0xfd ? 2 : first === 0xfe ? 4 : 8
  const at = cursor.at + 1
  skip(bytes, cursor, 1 + width)
  const value = width === 0 ? first : width === 2 ? u32(bytes, at) % 0x10000 : width === 4 ? u32(bytes, at) : u64(bytes, at)
  return Number.isSafeInteger(value) ? value : malformed('transaction')
}
