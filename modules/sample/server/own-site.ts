/**
 * Where the pages are that samples are of, and what of this machine their captures may reach for it: while developing, they are here, where no capture
 * else may go; an installation that others reach is captured as they see it.
 * @returns null: there is none that a capture could reach
 */
export function ownSite({
  publicUrl,
  environment,
}: {
  readonly publicUrl: string
  readonly environment: 'development' | 'production'
}): { readonly origin: string; readonly allowAddresses: readonly string[] } | null {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (hostname !== 'localhost' && !/^127\.|^\[/.test(hostname)) return { origin: publicUrl, allowAddresses: [] }
  if (environment !== 'development' || protocol !== 'http:') return null
  const host = `127.0.0.1:${port === '' ? '80' : port}`
  return { origin: `http://${host}`, allowAddresses: [host] }
}
