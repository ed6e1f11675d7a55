/** Where the platform publishes its own keys, and the signature over them. */
export const publishedKeysAddress = '/.well-known/probant-keys.json'
export const publishedKeysSignatureAddress = '/.well-known/probant-keys.p7s'
