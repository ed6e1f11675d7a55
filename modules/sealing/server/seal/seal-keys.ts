import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { sealMessage, writePublishedKeys, writeSealSignatures } from '../../../verification/server/index.ts'
import type { SealedFile, SealSummary } from '../../domain/seal.ts'
import { signDetached } from '../signed-data/sign-detached.ts'
import type { Keyring, Signer } from '../keyring/signer.ts'
import type { NoteNames } from '../keyring/note-signer.ts'

/**
 * The platform's published keys as of the seal, signed by its certificate, and the seal's text signed by two of them, which anybody
 * checks without certificates (docs/package-format.md).
 */
export async function sealKeys(
  root: Uint8Array,
  deps: { keyring: Keyring; signer: Signer; signedAt: Date; names: NoteNames },
): Promise<{ files: readonly SealedFile[]; message_signers: NonNullable<SealSummary['message_signers']> }> {
  const message = sealMessage(toHex(root))
  const { bitcoin, nano } = await deps.keyring.messageSigners()
  const signatures = writeSealSignatures({
    bitcoin: { address: bitcoin.id, scheme: 'bip-137', signature: await bitcoin.sign(message) },
    nano: { account: nano.id, scheme: 'oris-001', signature: await nano.sign(message) },
  })
  // After the signers: whatever signed is in the list.
  const keys = utf8(writePublishedKeys(await deps.keyring.publishedKeys(deps.names)))
  const signature = await signDetached(keys, deps.signer, deps.signedAt)
  return {
    files: [
      { path: 'seal/keys.json', media_type: 'application/json', bytes: keys },
      { path: 'seal/keys.p7s', media_type: 'application/pkcs7-signature', bytes: signature },
      { path: 'seal/message.txt', media_type: 'text/plain; charset=utf-8', bytes: utf8(message) },
      { path: 'seal/message-signatures.json', media_type: 'application/json', bytes: utf8(signatures) },
    ],
    message_signers: { bitcoin: bitcoin.id, nano: nano.id },
  }
}
