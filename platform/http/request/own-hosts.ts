import { isIP } from 'node:net'
import { hostName } from './host-name.ts'
import { isLoopback } from './address-prefix.ts'

/**
 * The installation's address under the name that it was asked for by, which is one of its own where anything is answered: sessions are of a name, and
 * whoever comes back by another is signed out.
 * @param publicUrl without trailing slash; scheme and port are its own
 */
export function addressBy(publicUrl: string, host: string): string {
  const url = new URL(publicUrl)
  url.hostname = hostName(host) ?? url.hostname
  return url.href.replace(/\/+$/, '')
}

const literal = (name: string) => name.replace(/^\[|\]$/g, '')

/**
 * By which names an installation is reached: that of its public address, and those of its partners. Any other leads here by a name that
 * somebody else holds, which a page of his shares an origin with (DNS rebinding). Addresses have no holder: while developing every one will do, in
 * production this machine's own, as health checks use it.
 * @param hosts of partners, as {@link hostName} writes them
 * @returns whether a host, as a request has it, is ours
 */
export function ownHosts(
  config: { readonly environment: 'development' | 'production'; readonly publicUrl: string },
  hosts: readonly string[],
): (host: string) => boolean {
  const own = new Set([hostName(new URL(config.publicUrl).host), ...hosts])
  const developing = config.environment === 'development'
  return (host) => {
    const name = hostName(host)
    if (name === null) return false
    if (own.has(name)) return true
    if (isIP(literal(name)) !== 0) return developing || isLoopback(literal(name))
    return developing && (name === 'localhost' || name.endsWith('.localhost'))
  }
}
