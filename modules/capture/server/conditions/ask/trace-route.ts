import { execFile } from 'node:child_process'
import type { Clock } from '../../../../../kernel/clock.ts'
import { canonicalIp } from '../../../../../kernel/ip-address.ts'
import type { Hop, Route } from '../../../domain/conditions/network-facts.ts'

/** Debian's traceroute (package `traceroute`): needs no privilege, since the kernel reports the routers' answers (IP_RECVERR). */
const program = 'traceroute'

/** Reads what `traceroute -n -q 1` prints: ` 3  192.0.2.1  1.234 ms !N`, or ` 4  *`. Other lines are no hops. */
export function readHops(output: string): readonly Hop[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d{1,3})\s+(?:\*|(\S+)\s+([\d.]+) ms(?:\s+(!\S*))?)\s*$/.exec(line)
    const address = match?.[2] === undefined ? null : canonicalIp(match[2])
    if (match === null || (match[2] !== undefined && address === null)) return []
    return [{ hop: Number(match[1]), address, ms: match[3] === undefined ? null : Number(match[3]), note: match[4] ?? null }]
  })
}

/** The way to an address, hop by hop, within the given time. Never throws. @param prefix runs it elsewhere: another network namespace. */
export async function traceRoute(
  deps: { readonly clock: Clock; readonly signal: AbortSignal; readonly timeoutMs: number; readonly prefix?: readonly string[] },
  target: string,
): Promise<Route> {
  const route: Route = {
    target,
    asked_at: deps.clock.now().toISOString(),
    tool: null,
    reached: false,
    hops: [],
    raw: null,
    error: null,
  }
  const address = canonicalIp(target)
  if (address === null) return { ...route, error: 'not_an_address' }
  // All hops at once, one question each: the whole way takes about one wait.
  const args = [address.includes(':') ? '-6' : '-4', '-n', '-q', '1', '-m', '24', '-N', '24', '-w', '1.5,3,10', address]
  const { prefix = [] } = deps
  const [file, before] = prefix[0] === undefined ? [program, []] : [prefix[0], [...prefix.slice(1), program]]
  const ran = await new Promise<{ stdout: string; stderr: string; error: string | null }>((resolve) => {
    execFile(
      file,
      [...before, ...args],
      {
        timeout: deps.timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024,
        signal: deps.signal,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      },
      (error, stdout, stderr) => {
        const reason =
          error === null
            ? null
            : error.killed === true
              ? 'timeout'
              : error.name === 'AbortError'
                ? 'cancelled'
                : String(error.code ?? 'failed')
        resolve({ stdout, stderr, error: reason })
      },
    )
  })
  const hops = readHops(ran.stdout)
  // What had come when time ran out is a measurement all the same.
  const error = ran.error === null || (ran.error === 'timeout' && hops.some((hop) => hop.address !== null)) ? null : ran.error
  return {
    ...route,
    tool: ran.error === 'ENOENT' ? null : program,
    // Trailing hops without an answer are those beyond the target, or beyond a silent filter.
    hops: hops.slice(0, hops.findLastIndex((hop) => hop.address !== null) + 1),
    reached: hops.some((hop) => hop.address === address && hop.note === null),
    raw: `${ran.stdout}${ran.stderr}`.slice(0, 16 * 1024) || null,
    error: error ?? (hops.every((hop) => hop.address === null) ? 'no_answer' : null),
  }
}
