import { cbc } from '@noble/ciphers/aes.js'
import { md5 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes, fromHex } from '../../../../../kernel/bytes.ts'
import { rc4 } from './rc4.ts'

/** What a password is tried against: of the standard security handler (ISO 32000-2 §7.6.4.2). */
export type Lock = {
  readonly revision: 2 | 3 | 4 | 5 | 6
  /** Octets of the key. */
  readonly length: number
  readonly owner: Uint8Array
  readonly user: Uint8Array
  /** `UE`, of revisions 5 and 6. */
  readonly sealedKey: Uint8Array
  readonly permissions: number
  readonly encryptsMetadata: boolean
  /** The first of the two that the trailer has. */
  readonly fileId: Uint8Array
}

/** What stands for a password of no characters (§7.6.4.3.2). */
const padding = fromHex('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a')

/** The key of a file that opens without a password; undefined when it asks for one. */
export function keyWithoutPassword(lock: Lock): Uint8Array | undefined {
  return lock.revision >= 5 ? longKey(lock) : shortKey(lock)
}

/** §7.6.4.3.2 (algorithm 2), and whether it is the right one (algorithms 4 and 5). */
function shortKey(lock: Lock): Uint8Array | undefined {
  const { revision, length, permissions } = lock
  const asked = Uint8Array.from([0, 8, 16, 24], (shift) => permissions >> shift)
  const inClear = revision === 4 && !lock.encryptsMetadata ? new Uint8Array(4).fill(255) : new Uint8Array()
  let hash = md5(concatBytes(padding, lock.owner.subarray(0, 32), asked, lock.fileId, inClear))
  if (revision > 2) for (let i = 0; i < 50; i += 1) hash = md5(hash.subarray(0, length))
  const key = hash.subarray(0, length)
  if (revision === 2) return equalBytes(rc4(key, padding), lock.user.subarray(0, 32)) ? key : undefined
  let answer = rc4(key, md5(concatBytes(padding, lock.fileId)))
  for (let i = 1; i < 20; i += 1)
    answer = rc4(
      key.map((octet) => octet ^ i),
      answer,
    )
  return equalBytes(answer, lock.user.subarray(0, 16)) ? key : undefined
}

/** §7.6.4.3.3 (algorithm 2.A). */
function longKey({ revision, user, sealedKey }: Lock): Uint8Array | undefined {
  const hash = revision === 5 ? sha256 : hardened
  if (!equalBytes(hash(user.subarray(32, 40)), user.subarray(0, 32))) return undefined
  return cbc(hash(user.subarray(40, 48)), new Uint8Array(16), { disablePadding: true }).decrypt(sealedKey)
}

/** §7.6.4.3.4 (algorithm 2.B) of a password of no characters. It ends: the last octet is at most 255, and `round` grows. */
function hardened(salt: Uint8Array): Uint8Array {
  let hash = sha256(salt)
  let last = 0
  for (let round = 0; round < 64 || last > round - 32; round += 1) {
    const repeated = new Uint8Array(hash.length * 64)
    for (let i = 0; i < 64; i += 1) repeated.set(hash, i * hash.length)
    const mixed = cbc(hash.subarray(0, 16), hash.subarray(16, 32), { disablePadding: true }).encrypt(repeated)
    const rest = mixed.subarray(0, 16).reduce((sum, octet) => sum + octet, 0) % 3
    hash = rest === 0 ? sha256(mixed) : rest === 1 ? sha384(mixed) : sha512(mixed)
    last = mixed.at(-1) ?? 0
  }
  return hash.subarray(0, 32)
}
