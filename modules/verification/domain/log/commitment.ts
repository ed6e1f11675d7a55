import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'

const entryPrefix = utf8('probant-log/1\n')
const anchorPrefix = utf8('probant-anchor/1\n')

/**
 * The entry that stands in the log for a sealed root: nobody learns a root from it without the salt, which the package alone
 * holds. @param salt 32 octets @param root 32 octets @returns 32 octets
 */
export function logEntryOf(salt: Uint8Array, root: Uint8Array): Uint8Array {
  return sha256(concatBytes(entryPrefix, salt, root))
}

/**
 * What is anchored for a checkpoint. @param note the signed note as first published, without later cosignatures
 * @returns 32 octets
 */
export function anchorDigestOf(rootHash: Uint8Array, note: Uint8Array): Uint8Array {
  return sha256(concatBytes(anchorPrefix, rootHash, sha256(note)))
}
