import { createHash, createHmac, randomBytes } from 'node:crypto'

export const newNonce = (): Buffer => randomBytes(16)

function told(secret: string, what: 'sale' | 'license', id: string, nonce: Uint8Array): string {
  return createHmac('sha256', secret).update(`probant-${what}/1\n${id}\n`).update(nonce).digest('base64url')
}

/** 43 characters. Told again to its seller, and not kept: whoever reads the database opens nothing with it. */
export const saleTokenOf = (secret: string, offer: { readonly id: string; readonly nonce: Uint8Array }): string =>
  told(secret, 'sale', offer.id, offer.nonce)

/** The same of a licence: it stands on its document. */
export const licenseCodeOf = (secret: string, license: { readonly id: string; readonly nonce: Uint8Array }): string =>
  told(secret, 'license', license.id, license.nonce)

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
