/** Live sessions. */
import { parseHostPort, type HostPort } from '../../../kernel/host-port.ts'
import { decimal, integer } from './parsers.ts'
import { setting } from './setting.ts'

/** Where a process listens, or is reached. */
function hostPort(port: number) {
  return {
    accepts: `name or address with or without a port (${port === 0 ? 'one that the system chooses' : String(port)} else)`,
    parse(this: void, value: string): HostPort {
      const found = parseHostPort(value.replace(/:0$/, ''), port === 0 ? 1 : port)
      if (found === null) throw new RangeError('must be host or host:port')
      // The parser of peers knows no port 0, which here lets the system choose.
      const chosen = parseHostPort(value.replace(/:0$/, ''), 2)?.port === found.port
      return port === 0 && !chosen ? { host: found.host, port: 0 } : found
    },
  }
}

export const sessions = {
  interactiveSessions: setting({
    name: 'PROBANT_INTERACTIVE_SESSIONS',
    ...integer(0, 256),
    fallback: undefined as number | undefined,
    fallbackText: 'two a core',
    meaning:
      'Live sessions that one capture process runs at a time, besides the captures of `PROBANT_CAPTURE_CONCURRENCY`; `0` offers none.',
  }),
  interactiveMaxLoad: setting({
    name: 'PROBANT_INTERACTIVE_MAX_LOAD',
    ...decimal(0.1, 1000),
    fallback: 2,
    fallbackText: '`2`',
    meaning:
      'Load of the machine per core (mean of the last minute) above which a capture process begins no live session beside another; the first is always begun.',
  }),
  interactivePerAddress: setting({
    name: 'PROBANT_INTERACTIVE_PER_ADDRESS',
    ...integer(0, 10_000),
    fallback: 1,
    fallbackText: '`1`',
    meaning:
      'Live sessions, waiting or under way, that visitors of one block of addresses (IPv4 /24, IPv6 /56) may have at a time; `0`: any number.',
  }),
  interactivePerAccount: setting({
    name: 'PROBANT_INTERACTIVE_PER_ACCOUNT',
    ...integer(0, 10_000),
    fallback: 2,
    fallbackText: '`2`',
    meaning:
      'Live sessions, waiting or under way, that one account may have at a time, wherever its holder and his delegates sit; `0`: any number.',
  }),
  interactiveSeconds: setting({
    name: 'PROBANT_INTERACTIVE_SECONDS',
    ...integer(10, 600, 'seconds'),
    fallback: 600,
    fallbackText: '`600`',
    meaning: 'How long a visitor has in a live session; ten minutes at most.',
  }),
  interactiveGraceSeconds: setting({
    name: 'PROBANT_INTERACTIVE_GRACE',
    ...integer(1, 600, 'seconds'),
    fallback: 60,
    fallbackText: '`60`',
    meaning: 'How long a live session goes on, recorded, while nobody steers it; then it ends by itself and is completed.',
  }),
  warmSessions: setting({
    name: 'PROBANT_WARM_SESSIONS',
    ...integer(0, 16),
    fallback: undefined as number | undefined,
    fallbackText: '`1`; `0` with `PROBANT_WARM_BROWSERS=0` or `PROBANT_INTERACTIVE_SESSIONS=0`',
    meaning:
      'Browsers on a display that a capture process keeps started for the next live sessions, so that those begin at once. Each holds some 400 MB and serves one session.',
  }),
  liveListen: setting({
    name: 'PROBANT_LIVE_LISTEN',
    ...hostPort(0),
    fallback: { host: '127.0.0.1', port: 0 },
    fallbackText: '`127.0.0.1`, at a port that the system chooses',
    meaning:
      'Where each capture process takes what `web` processes bring to its live sessions. Enciphered, with a key per session; only `web` processes need to reach it.',
  }),
  liveAddress: setting({
    name: 'PROBANT_LIVE_ADDRESS',
    ...hostPort(0),
    fallback: undefined as HostPort | undefined,
    fallbackText: 'what it listens on',
    meaning:
      'By which name or address `web` processes on other machines reach that; without a port, the one that is listened on.',
  }),
} as const
