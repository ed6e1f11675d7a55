import { canonicalJson, parseCanonicalJson } from '../../encoding/canonical-json.ts'

/** `seal/message-signatures.json`: the seal's text, signed so that anybody checks it without certificates (docs/package-format.md). */
export const sealSignaturesFormat = 'probant-message-signatures/1'
export const sealMessagePath = 'seal/message.txt'

export type SealSignatures = {
  readonly format: typeof sealSignaturesFormat
  readonly message: typeof sealMessagePath
  /** BIP-137, P2PKH address of a compressed key; Base64. */
  readonly bitcoin: { readonly address: string; readonly scheme: 'bip-137'; readonly signature: string }
  /** ORIS-001; lower-case hexadecimal. */
  readonly nano: { readonly account: string; readonly scheme: 'oris-001'; readonly signature: string }
}

export function writeSealSignatures(signatures: Pick<SealSignatures, 'bitcoin' | 'nano'>): string {
  const { bitcoin, nano } = signatures
  return canonicalJson({ format: sealSignaturesFormat, message: sealMessagePath, bitcoin, nano } satisfies SealSignatures)
}

/** @throws RangeError on anything but what `writeSealSignatures` writes. */
export function readSealSignatures(bytes: Uint8Array): SealSignatures {
  const found = parseCanonicalJson(bytes) as Partial<SealSignatures> | null
  const [address, account] = [found?.bitcoin?.address, found?.nano?.account]
  const [first, second] = [found?.bitcoin?.signature, found?.nano?.signature]
  if (typeof address !== 'string' || typeof account !== 'string' || typeof first !== 'string' || typeof second !== 'string')
    throw new RangeError('not signatures of a message')
  const exact: SealSignatures = {
    format: sealSignaturesFormat,
    message: sealMessagePath,
    bitcoin: { address, scheme: 'bip-137', signature: first },
    nano: { account, scheme: 'oris-001', signature: second },
  }
  if (canonicalJson(exact) !== new TextDecoder().decode(bytes)) throw new RangeError('other members')
  return exact
}
