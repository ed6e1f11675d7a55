/** On every answer; a page or a file replaces the policy by its own. */
export function securityHeaders(config: { readonly publicUrl: string }): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // Two years, as browsers' own lists of such sites ask for (RFC 6797).
    ...(config.publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/**
 * Policy of our own pages: scripts and styles from this origin or with this answer's nonce, and nothing from anywhere else. Blobs are
 * pictures of a package that was dropped on the page and never uploaded. No text becomes HTML or the address of a script, but by
 * the one policy of ui/shell/trusted-types.ts (decision 0272).
 * @param told sources besides our own that scripts may send to: where cards are handed in, and services of others on pages that may have them
 * @param framed sources besides our own of what is shown in a frame
 */
export function pagePolicy(nonce: string, told: readonly string[] = [], framed: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    ["connect-src 'self'", ...told].join(' '),
    "worker-src 'self'",
    ["frame-src 'self'", ...framed].join(' '),
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

/**
 * Policy of the frame in which the script of a service that scores visitors runs: it alone may load it, and only our own pages may have it.
 * @param sources of that service
 */
export function scorePolicy(nonce: string, sources: readonly string[]): string {
  const theirs = sources.join(' ')
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${theirs}`,
    `connect-src ${theirs}`,
    `frame-src ${theirs}`,
    `img-src ${theirs}`,
    // The service writes styles of its own into this frame.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}
