import { createHash } from 'node:crypto'
import { buildSignedData } from './build-signed-data.ts'
import { oids } from '../encoding/object-identifiers.ts'
import { checkSignedData, readSignedData } from './read-signed-data.ts'
import type { Signer } from '../keyring/signer.ts'

/** CAdES-BES (EN 319 122-1), detached. Read back and checked: a signer in hardware may answer nonsense. */
export async function signDetached(content: Uint8Array, signer: Signer, signingTime: Date): Promise<Uint8Array> {
  const signature = await buildSignedData(signer, {
    contentType: oids.data,
    digest: createHash('sha256').update(content).digest(),
    signingTime,
    certificates: [signer.certificate, ...signer.chain],
  })
  const outcome = checkSignedData(readSignedData(signature), content)
  // A defect of ours or of the key's holder, not something that a caller can act on.
  if (typeof outcome === 'string') throw new Error(`the signature just made by ${signer.keyId} does not verify: ${outcome}`)
  return signature
}
