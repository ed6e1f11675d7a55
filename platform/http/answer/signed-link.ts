import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Links that open one thing until an instant, without a session: the query carries `expires` (Unix seconds) and `signature`
 * (HMAC-SHA-256, RFC 2104, base64url) over path and expiry.
 */
function signatureOf(secret: string, path: string, expires: number): string {
  return createHmac('sha256', secret).update(`probant-link/1\n${path}\n${expires}`).digest('base64url')
}

/** @param path absolute path with its other query, without `expires` and `signature` */
export function signLink(secret: string, path: string, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000)
  const separator = path.includes('?') ? '&' : '?'
  return `${path}${separator}expires=${expires}&signature=${signatureOf(secret, path, expires)}`
}

/** `link` is what {@link signLink} returned, as received: path and query, `expires` and `signature` last. */
export function verifyLink(secret: string, link: string, now: Date): 'valid' | 'expired' | 'invalid' {
  const match = /^(?<path>[^#]+)[?&]expires=(?<expires>\d{1,12})&signature=(?<signature>[A-Za-z0-9_-]{43})$/.exec(link)
  const { path, expires, signature } = match?.groups ?? {}
  if (path === undefined || expires === undefined || signature === undefined) return 'invalid'
  const wanted = Buffer.from(signatureOf(secret, path, Number(expires)))
  if (!timingSafeEqual(wanted, Buffer.from(signature))) return 'invalid'
  return now.getTime() < Number(expires) * 1000 ? 'valid' : 'expired'
}
