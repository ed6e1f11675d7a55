/** What whoever runs the installation watches it by. */
import { isIP } from 'node:net'
import { parseHostPort, type HostPort } from '../../../kernel/host-port.ts'
import { setting } from './setting.ts'

/** An address of the machine itself: a name might be looked up to another one. */
function parseMetrics(text: string): HostPort | 'off' {
  if (text === 'off') return 'off'
  const chosen = text.endsWith(':0')
  const found = parseHostPort(text.replace(/:0$/, ':1'), 0)
  if (found === null || found.port === 0 || (isIP(found.host) === 0 && found.host !== 'localhost'))
    throw new RangeError('must be off, or an IP address or localhost with a port (127.0.0.1:9464)')
  return chosen ? { host: found.host, port: 0 } : found
}

export const watching = {
  metrics: setting({
    name: 'PROBANT_METRICS',
    accepts: '`off`, or an IP address or `localhost` with a port (`127.0.0.1:9464`, `[::1]:9464`)',
    parse: parseMetrics,
    fallback: 'off',
    fallbackText: '`off`: nothing is measured',
    meaning:
      'Where Prometheus reads `/metrics` of this machine’s processes, without a password: an address that no visitor reaches. The web role listens at this port, the worker at the next, captures at the one after; port `0` lets the system choose each. The same listeners answer `/livez` and `/readyz`. No address of a page, no id and no e-mail stands in what is told.',
  }),
} as const
