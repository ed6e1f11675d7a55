import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { concatBytes, fromHex, utf8 } from '../../../../kernel/bytes.ts'
import { stepOf } from '../bitcoin/in-block.ts'
import { malformed } from '../encoding/der.ts'
import type { Step } from '../report/proof-report.ts'

/** Operations of Chainpoint 2 to 5: octets put on the left or on the right, and hashes. */
export type ChainpointOperation = { readonly op: 'l' | 'r'; readonly data: Uint8Array } | { readonly op: ChainpointHash }

export const chainpointHashes = {
  'sha-224': sha224,
  'sha-256': sha256,
  'sha-384': sha384,
  'sha-512': sha512,
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
  'sha-256-x2': (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes)),
} as const
export type ChainpointHash = keyof typeof chainpointHashes

/** The standard sets none on what is hashed: the raw transactions of its calendars have some hundreds of octets. */
const longestMessage = 8192

/** @throws MalformedError `message_length` */
export function applyChainpoint(operation: ChainpointOperation, message: Uint8Array): Uint8Array {
  if (!('data' in operation)) return chainpointHashes[operation.op](message)
  const result = operation.op === 'l' ? concatBytes(operation.data, message) : concatBytes(message, operation.data)
  return result.length > longestMessage ? malformed('message_length') : result
}

/** The operation as it was done, step by step: a double hash is two. */
export function chainpointSteps(operation: ChainpointOperation, message: Uint8Array): Step[] {
  if ('data' in operation)
    return [stepOf(operation.op === 'l' ? 'prepend' : 'append', message, applyChainpoint(operation, message))]
  if (operation.op !== 'sha-256-x2')
    return [stepOf(operation.op.replace(/^sha-/, 'sha'), message, applyChainpoint(operation, message))]
  const once = sha256(message)
  return [stepOf('sha256', message, once), stepOf('sha256', once, sha256(once))]
}

/** Hexadecimal stands for its octets, anything else for its text (Chainpoint 3, "Operations"). @throws MalformedError */
export function operandOf(value: string): Uint8Array {
  if (value.length === 0 || value.length > 2 * longestMessage) malformed('operation')
  return isHex(value) ? fromHex(value) : utf8(value)
}

export function isHex(value: string): boolean {
  return value.length >= 2 && value.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(value)
}
