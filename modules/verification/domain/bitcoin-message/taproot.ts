import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { sized } from './transaction.ts'

/** BIP-341: what a path through the tree of scripts commits to. */

export function tagged(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256(utf8(tag))
  return sha256(concatBytes(hash, hash, ...parts))
}

/** BIP-342's version, the only one that there is. */
const leafVersion = 0xc0

export const tapLeafHash = (script: Uint8Array): Uint8Array => tagged('TapLeaf', Uint8Array.of(leafVersion), sized(script))

/** Whether the control block leads from the script to the output key. `unknown`: another version of scripts. */
export function leadsToKey(control: Uint8Array, script: Uint8Array, outputKey: Uint8Array): boolean | 'unknown' {
  const depth = (control.length - 33) / 32
  const [first = 0] = control
  if (!Number.isInteger(depth) || depth < 0 || depth > 128) return false
  if ((first & 0xfe) !== leafVersion) return 'unknown'
  const internal = control.subarray(1, 33)
  let node = tapLeafHash(script)
  for (let i = 0; i < depth; i += 1) {
    const other = control.subarray(33 + 32 * i, 65 + 32 * i)
    node = toHex(node) < toHex(other) ? tagged('TapBranch', node, other) : tagged('TapBranch', other, node)
  }
  const tweak = BigInt(`0x${toHex(tagged('TapTweak', internal, node))}`)
  if (tweak >= secp256k1.Point.Fn.ORDER || tweak === 0n) return false
  try {
    const point = schnorr.utils.lift_x(BigInt(`0x${toHex(internal)}`)).add(secp256k1.Point.BASE.multiply(tweak))
    const encoded = point.toBytes(true)
    return encoded[0] === 2 + (first & 1) && equalBytes(encoded.subarray(1), outputKey)
  } catch {
    return false
  }
}
