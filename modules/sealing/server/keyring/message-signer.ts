import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64 } from '@scure/base'
import { concatBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { bitcoinMessageDigest, bitcoinAddress, nanoAccount, orisDigest, signNano } from '../../../verification/server/index.ts'
import type { MessageKey } from './message-key-file.ts'

/** Signs texts so that anybody checks them with a wallet and without certificates. */
export type MessageSigner = {
  /** What the signature is compared with: an address, an account. */
  readonly id: string
  readonly since: Date
  /** @returns Base64 (Bitcoin), lower-case hexadecimal (Nano). */
  sign(text: string): Promise<string>
}

/**
 * BIP-137, P2PKH address of the compressed key: the one form that every wallet and `bitcoin-cli verifymessage` read (decision
 * 0153). The nonce is RFC 6979's, S the lower.
 */
export function bitcoinSigner({ publicKey, secret, since }: Pick<MessageKey, 'publicKey' | 'secret' | 'since'>): MessageSigner {
  return {
    id: bitcoinAddress(publicKey),
    since,
    sign: async (text) => {
      const digest = bitcoinMessageDigest(utf8(text))
      const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered', lowS: true })
      return await Promise.resolve(base64.encode(concatBytes(Uint8Array.of(31 + (signature[0] ?? 0)), signature.subarray(1))))
    },
  }
}

/** ORIS-001 with the account of the key. */
export function nanoSigner({ publicKey, secret, since }: Pick<MessageKey, 'publicKey' | 'secret' | 'since'>): MessageSigner {
  return {
    id: nanoAccount(publicKey),
    since,
    sign: async (text) => await Promise.resolve(toHex(signNano(orisDigest(utf8(text)), secret))),
  }
}
