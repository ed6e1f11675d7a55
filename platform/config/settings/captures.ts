/** How captures are made, and how far they may go. */
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { commaSeparated, integer, mebi, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

/** A loopback or private address with a port, in the one canonical spelling: no name, no range, no odd form. */
function parseAllowedAddress(item: string): string {
  const match = /^(?:\[(?<v6>[0-9a-f:]+)\]|(?<v4>\d+\.\d+\.\d+\.\d+)):(?<port>\d{1,5})$/.exec(item)
  const { v6, v4, port } = match?.groups ?? {}
  const host = v6 ?? v4 ?? ''
  if (port === undefined || isIP(host) === 0 || Number(port) < 1 || Number(port) > 65_535 || port.startsWith('0')) {
    throw new RangeError(`must list ip:port or [ip]:port, not ${JSON.stringify(item)}`)
  }
  const local =
    v4 === undefined ? /^(::1|f[cd][0-9a-f]{2}:.*)$/.test(host) : /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host)
  if (!local) throw new RangeError(`must list loopback or private addresses only, not ${JSON.stringify(item)}`)
  return item
}

export const captures = {
  allowAddresses: setting({
    name: 'PROBANT_ALLOW_ADDRESSES',
    accepts: 'comma-separated `ip:port` or `[ip]:port`, loopback or private only',
    parse: commaSeparated(parseAllowedAddress),
    fallback: [] as readonly string[],
    fallbackText: 'none',
    meaning:
      'Private addresses that captures may reach all the same, for development. Refused in production; each report that used one says so.',
  }),
  captureConcurrency: setting({
    name: 'PROBANT_CAPTURE_CONCURRENCY',
    ...integer(1, 64),
    fallback: undefined as number | undefined,
    fallbackText: 'half the processor cores, at least 1',
    meaning: 'Captures that one capture process runs at a time.',
  }),
  captureLeaseSeconds: setting({
    name: 'PROBANT_CAPTURE_LEASE_SECONDS',
    ...integer(3, 600, 'seconds'),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'How long a capture process that gives no sign of life keeps its capture before another takes it over.',
  }),
  captureTimeoutSeconds: setting({
    name: 'PROBANT_CAPTURE_TIMEOUT',
    ...integer(10, 900, 'seconds'),
    fallback: 180,
    fallbackText: '`180`',
    meaning: 'Longest capture, in seconds.',
  }),
  captureBodyBytes: setting({
    name: 'PROBANT_CAPTURE_BODY_BYTES',
    ...integer(mebi, 4096 * mebi, 'bytes'),
    fallback: 200 * mebi,
    fallbackText: '`209715200` (200 MiB)',
    meaning: 'Longest single response body that a capture records.',
  }),
  captureTotalBytes: setting({
    name: 'PROBANT_CAPTURE_TOTAL_BYTES',
    ...integer(mebi, 16_384 * mebi, 'bytes'),
    fallback: 500 * mebi,
    fallbackText: '`524288000` (500 MiB)',
    meaning: 'Most bytes that a capture receives from the network in all.',
  }),
  captureHeightPixels: setting({
    name: 'PROBANT_CAPTURE_HEIGHT',
    ...integer(1000, 500_000, 'pixels'),
    fallback: 100_000,
    fallbackText: '`100000`',
    meaning: 'Greatest page height photographed, in CSS pixels; a taller page is cut and the report says so.',
  }),
  captureResources: setting({
    name: 'PROBANT_CAPTURE_RESOURCES',
    ...integer(10, 100_000),
    fallback: 5000,
    fallbackText: '`5000`',
    meaning: 'Most requests that a capture lets a page make.',
  }),
  scenarios: setting({
    name: 'PROBANT_SCENARIOS',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning:
      "Folder of the operator's own scenarios, one `*.json` each, offered besides the product's. A file that is wrong is named and keeps the web role from starting.",
  }),
  warmBrowsers: setting({
    name: 'PROBANT_WARM_BROWSERS',
    ...integer(0, 16),
    fallback: 2,
    fallbackText: '`2`: one in each language',
    meaning:
      'Browsers that a capture process keeps started for the next captures, so that those begin at once. Each holds some 200 MB and serves one capture; `0` keeps none.',
  }),
  chromium: setting({
    name: 'PROBANT_CHROMIUM',
    accepts: 'absolute path',
    parse: (text) => {
      if (!isAbsolute(text)) throw new RangeError('must be an absolute path')
      return text
    },
    fallback: undefined as string | undefined,
    fallbackText: "Debian's: `/usr/lib/chromium/chromium`",
    meaning:
      "The browser's program, in a folder that holds it whole and that everybody may read. The tests then run on it too, the jail included.",
  }),
  unjailedBrowser: setting({
    name: 'PROBANT_UNJAILED_BROWSER',
    ...oneOf('i-accept-unisolated-captures'),
    fallback: undefined as 'i-accept-unisolated-captures' | undefined,
    fallbackText: 'captures are refused where the browser cannot be isolated',
    meaning: 'Runs the browser without its network namespace. Every report made so says so. Refused in production.',
  }),
} as const
