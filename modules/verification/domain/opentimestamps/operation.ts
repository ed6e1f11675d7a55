import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'

/** Operations of OpenTimestamps, as python-opentimestamps 0.4 `core/op.py` has them. */
export type Operation =
  | { readonly op: 'append' | 'prepend'; readonly data: Uint8Array }
  | { readonly op: 'reverse' | 'hexlify' | 'sha1' | 'ripemd160' | 'sha256' | 'keccak256' }

/** Longest message that an operation takes or gives, and longest argument, in octets (`Op.MAX_MSG_LENGTH`). */
export const longestMessage = 4096

export const tags: Readonly<Record<Operation['op'], number>> = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
}

export const hashes = { sha1, ripemd160, sha256, keccak256: keccak_256 } as const

/** @param message 1 to 4096 octets. @throws MalformedError `message_length` when what goes in or comes out is not. */
export function applyOperation(operation: Operation, message: Uint8Array): Uint8Array {
  if (message.length === 0 || message.length > longestMessage) malformed('message_length')
  const result = compute(operation, message)
  return result.length > longestMessage ? malformed('message_length') : result
}

function compute(operation: Operation, message: Uint8Array): Uint8Array {
  switch (operation.op) {
    case 'append':
      return concatBytes(message, operation.data)
    case 'prepend':
      return concatBytes(operation.data, message)
    case 'reverse':
      return message.toReversed()
    case 'hexlify':
      return message.length * 2 > longestMessage ? malformed('message_length') : utf8(toHex(message))
    default:
      return hashes[operation.op](message)
  }
}

/** Upstream's order, in which branches are written: by tag, then by argument. */
export function compareOperations(a: Operation, b: Operation): number {
  const byTag = tags[a.op] - tags[b.op]
  return byTag !== 0 || !('data' in a) || !('data' in b) ? byTag : compareBytes(a.data, b.data)
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
