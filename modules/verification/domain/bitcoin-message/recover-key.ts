import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'
import { addressOfKey } from './address.ts'
import type { Address, Network } from './address.ts'
import { compactSize } from './transaction.ts'

/** What the header octet of a signature says of the address (BIP-137). */
export type HeaderKind = 'p2pkh_uncompressed' | 'p2pkh_compressed' | 'p2sh_p2wpkh' | 'p2wpkh'

export type Recovered = {
  readonly header: HeaderKind
  /** As the header says: 33 or 65 octets. */
  readonly publicKey: Uint8Array
  readonly compressedKey: Uint8Array
  /** Whether S is in the upper half: another form of the same signature, which anybody can make from it. */
  readonly highS: boolean
}
export type RecoveryFlaw = 'header' | 'range' | 'no_key'

const kinds: readonly HeaderKind[] = ['p2pkh_uncompressed', 'p2pkh_compressed', 'p2sh_p2wpkh', 'p2wpkh']

export const magicText = 'Bitcoin Signed Message:\n'

/** What is hashed twice: magic and text, each after its length (Bitcoin Core, common/signmessage.cpp). */
export function magicMessage(message: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(magicText.length), utf8(magicText), compactSize(message.length), message)
}

export const doubleSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes))

/** @param signature header, r, s: 65 octets. @param digest of `magicMessage`, hashed twice. */
export function recoverKey(signature: Uint8Array, digest: Uint8Array): Recovered | RecoveryFlaw {
  const header = (signature[0] ?? 0) - 27
  const kind = header < 0 ? undefined : kinds[header >> 2]
  if (kind === undefined) return 'header'
  const compact = signature.subarray(1)
  let parsed
  try {
    parsed = secp256k1.Signature.fromBytes(compact, 'compact')
  } catch {
    return 'range'
  }
  try {
    const point = parsed.addRecoveryBit(header & 3).recoverPublicKey(digest)
    const compressedKey = point.toBytes(true)
    // Recovery solves for the key; that it holds is asked of the verifier all the same.
    if (!secp256k1.verify(compact, digest, compressedKey, { prehash: false, lowS: false })) return 'no_key'
    const publicKey = kind === 'p2pkh_uncompressed' ? point.toBytes(false) : compressedKey
    return { header: kind, publicKey, compressedKey, highS: parsed.hasHighS() }
  } catch {
    return 'no_key'
  }
}

/** The address that the header names. */
export function namedAddress({ header, publicKey }: Recovered, network: Network): Address {
  return addressOfKey(publicKey, header === 'p2wpkh' ? 'p2wpkh' : header === 'p2sh_p2wpkh' ? 'p2sh' : 'p2pkh', network)
}

/**
 * `named`: the address is the one that the header names. `by_habit`: header 31 to 34 with a segwit address of the same key, as
 * Electrum and others write it. `other_kind`: the same key under another kind of address than the header says.
 */
export function matchAddress(recovered: Recovered, { text, network }: Address): 'named' | 'by_habit' | 'other_kind' | undefined {
  if (namedAddress(recovered, network).text === text) return 'named'
  const { header, compressedKey } = recovered
  const segwit = (['p2sh', 'p2wpkh'] as const).some((kind) => addressOfKey(compressedKey, kind, network).text === text)
  if (header === 'p2pkh_compressed' && segwit) return 'by_habit'
  const uncompressed = secp256k1.Point.fromBytes(compressedKey).toBytes(false)
  const others = [addressOfKey(compressedKey, 'p2pkh', network), addressOfKey(uncompressed, 'p2pkh', network)]
  return segwit || others.some((each) => each.text === text) ? 'other_kind' : undefined
}
