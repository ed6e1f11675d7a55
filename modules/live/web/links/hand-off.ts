/**
 * The token of a draft on its way to another device: enciphered here (AES-256-GCM, NIST SP 800-38D) with a key that stands only in
 * the fragment of the link, which browsers send to nobody. The server keeps what it cannot read.
 */
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

const ivBytes = 12
/** Sealed for this evidence alone. */
const bound = (evidenceId: string) => new TextEncoder().encode(`probant hand-off ${evidenceId}`)

/** @returns both as base64url: what the server keeps, and the key for the link */
export async function sealToken(token: string, evidenceId: string): Promise<{ sealed: string; key: string }> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const parameters = { name: 'AES-GCM', iv, additionalData: bound(evidenceId) }
  const body = new Uint8Array(await crypto.subtle.encrypt(parameters, key, new TextEncoder().encode(token)))
  const sealed = new Uint8Array(ivBytes + body.length)
  sealed.set(iv)
  sealed.set(body, ivBytes)
  return { sealed: base64url(sealed), key: base64url(new Uint8Array(await crypto.subtle.exportKey('raw', key))) }
}

/** @returns null when the key does not fit, or the text is not what was sealed for this evidence */
export async function openToken(sealed: string, key: string, evidenceId: string): Promise<string | null> {
  try {
    const bytes = fromBase64url(sealed)
    const imported = await crypto.subtle.importKey('raw', fromBase64url(key), 'AES-GCM', false, ['decrypt'])
    const parameters = { name: 'AES-GCM', iv: bytes.subarray(0, ivBytes), additionalData: bound(evidenceId) }
    return new TextDecoder().decode(await crypto.subtle.decrypt(parameters, imported, bytes.subarray(ivBytes)))
  } catch {
    return null
  }
}

/** What a link to a live session carries in its fragment: nothing of it reaches a server by itself. */
export type LiveLink =
  | { readonly kind: 'hand_off'; readonly code: string; readonly key: string }
  | { readonly kind: 'witness'; readonly token: string }

const secret = /^[A-Za-z0-9_-]{43}$/

export function readLiveLink(hash: string): LiveLink | null {
  const [name, value = ''] = hash.replace(/^#/, '').split('=')
  if (name === 'witness') return secret.test(value) ? { kind: 'witness', token: value } : null
  if (name !== 'hand-off') return null
  const [code = '', key = ''] = value.split('.')
  return secret.test(code) && secret.test(key) ? { kind: 'hand_off', code, key } : null
}

export function handOffLink(page: string, code: string, key: string): string {
  return `${page}#hand-off=${code}.${key}`
}

export function witnessLink(page: string, token: string): string {
  return `${page}#witness=${token}`
}
