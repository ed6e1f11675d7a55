import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../../../kernel/bytes.ts'
import { tagged } from './taproot.ts'
import { serialize, serializeOutput, sized, uint32, uint64 } from './transaction.ts'
import type { Transaction } from './transaction.ts'

/** What is signed of a transaction with one input that spends an output of value nothing, with SIGHASH_ALL. */
const hash256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes))
const all = uint32(1)

/** Before segwit: the script takes the place of what unlocks it. */
export function legacyDigest(transaction: Transaction, script: Uint8Array): Uint8Array {
  const inputs = transaction.inputs.map((input, i) => ({ ...input, script: i === 0 ? script : new Uint8Array() }))
  return hash256(concatBytes(serialize({ ...transaction, inputs }), all))
}

const prevouts = ({ inputs }: Transaction): Uint8Array =>
  concatBytes(...inputs.flatMap(({ hash, index }) => [hash, uint32(index)]))
const sequences = ({ inputs }: Transaction): Uint8Array => concatBytes(...inputs.map(({ sequence }) => uint32(sequence)))
const outputs = (transaction: Transaction): Uint8Array => concatBytes(...transaction.outputs.map(serializeOutput))

/** BIP-143. */
export function witnessDigest(transaction: Transaction, scriptCode: Uint8Array): Uint8Array {
  const [input] = transaction.inputs
  if (input === undefined) throw new RangeError('a transaction without inputs')
  return hash256(
    concatBytes(
      uint32(transaction.version),
      hash256(prevouts(transaction)),
      hash256(sequences(transaction)),
      input.hash,
      uint32(input.index),
      sized(scriptCode),
      uint64(0n),
      uint32(input.sequence),
      hash256(outputs(transaction)),
      uint32(transaction.lockTime),
      all,
    ),
  )
}

/**
 * BIP-341, by the key or through a script (BIP-342). @param key of the output. @param type 0 (SIGHASH_DEFAULT) or 1 (SIGHASH_ALL).
 * @param leaf hash of the script, when it is through one
 */
export function taprootDigest(transaction: Transaction, key: Uint8Array, type: 0 | 1, leaf?: Uint8Array): Uint8Array {
  const spent = concatBytes(Uint8Array.of(0x51, 0x20), key)
  return tagged(
    'TapSighash',
    Uint8Array.of(0, type),
    uint32(transaction.version),
    uint32(transaction.lockTime),
    sha256(prevouts(transaction)),
    sha256(uint64(0n)),
    sha256(sized(spent)),
    sha256(sequences(transaction)),
    sha256(outputs(transaction)),
    Uint8Array.of(leaf === undefined ? 0 : 2),
    uint32(0),
    // Version of keys, and no CODESEPARATOR: none is understood.
    ...(leaf === undefined ? [] : [leaf, Uint8Array.of(0), uint32(0xffff_ffff)]),
  )
}
