/** What whoever runs the installation watches it by. */
import { isIP } from 'node:net'
import { parseHostPort, type HostPort } from '../../../kernel/host-port.ts'
import { address, oneOf } from './parsers.ts'
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

const endpoint = address(['http:', 'https:'])
const parseEndpoint = (text: string): string => endpoint.parse(text).replace(/\/$/, '')

function parseTraces(text: string): string {
  if (text === 'off') return text
  const collector = parseEndpoint(text)
  return new URL(collector).pathname === '/' ? `${collector}/v1/traces` : collector
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
  traces: setting({
    name: 'PROBANT_TRACES',
    accepts: `\`off\`, or ${endpoint.accepts}`,
    parse: parseTraces,
    fallback: undefined,
    fallbackText: 'what `OTEL_EXPORTER_OTLP_ENDPOINT` says; without it nothing is traced',
    meaning:
      'A collector of OpenTelemetry traces that takes OTLP over HTTP (`http://127.0.0.1:4318`). Where the address has no path, `/v1/traces` is its path. A request, the capture that it asked for and the jobs that follow are one trace. No address of a page, no token and nothing of a person stands in it.',
  }),
  tracesEndpoint: setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    accepts: endpoint.accepts,
    parse: parseEndpoint,
    fallback: undefined,
    fallbackText: '*none*',
    meaning:
      'The same under the name that OpenTelemetry gives it: `/v1/traces` is added to its path. `PROBANT_TRACES` comes before it.',
  }),
  traceparent: setting({
    name: 'PROBANT_TRACEPARENT',
    ...oneOf('ignore', 'take'),
    fallback: 'ignore',
    fallbackText: '`ignore`',
    meaning:
      'Whether the header `traceparent` (W3C Trace Context) of a request says of which trace it is a part. Only where a proxy of yours replaces what visitors send: everybody can write one.',
  }),
} as const
