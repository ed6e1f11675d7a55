import { readFile } from 'node:fs/promises'
import { processTree } from '../../../../../platform/browser/process-tree.ts'
import type { OnTheWay, ProxyFacts } from '../../../domain/conditions/machine-facts.ts'
import type { ObservedRequest } from '../../page/observe-browser.ts'

const proxyVariable = /^(?:https?|all|ftp|socks)_proxy$/i
/** Flags that send the browser's traffic elsewhere; the first is how it is given the tunnel. */
const proxyFlag = /^--(?:proxy-server|proxy-pac-url|proxy-auto-detect|winhttp-proxy-resolver)(?:=|$)/
/** The relay to the tunnel, on the loopback of the browser's own network (browser-flags.ts); without a jail, on a port of ours. */
const tunnelFlag = /^--proxy-server=http:\/\/127\.0\.0\.1:\d+$/
const proxyPolicy = /^Proxy/

/** Settings of proxies: of the system, of our environment, of the browser. Values of the system's are left out: passwords stand there. */
export async function measureProxies(input: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly flags: readonly string[]
  readonly policies: Readonly<Record<string, unknown>>
  readonly interfaces: readonly string[] | null
  readonly environmentFile?: string
}): Promise<ProxyFacts> {
  const lines = (await readFile(input.environmentFile ?? '/etc/environment', 'utf8').catch(() => '')).split('\n')
  const named = lines.flatMap((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]+)\s*=\s*\S/.exec(line)?.[1]
    return name !== undefined && proxyVariable.test(name) ? [`/etc/environment: ${name}`] : []
  })
  const variables = Object.entries(input.environment).flatMap(([name, value]) =>
    proxyVariable.test(name) && (value ?? '') !== '' ? [name] : [],
  )
  const flags = input.flags.filter((flag) => proxyFlag.test(flag))
  const policies = Object.entries(input.policies).flatMap(([name, value]) =>
    proxyPolicy.test(name) ? [`${name}=${JSON.stringify(value)}`.slice(0, 200)] : [],
  )
  const system = [...variables, ...named]
  const foreignPolicies = policies.filter((policy) => !/^ProxyMode="(?:fixed_servers|direct|system)"$/.test(policy))
  return {
    system,
    browser: [...flags, ...policies],
    foreign: [...system, ...flags.filter((flag) => !tunnelFlag.test(flag)), ...foreignPolicies],
    interfaces: input.interfaces,
  }
}

/** Interfaces of the network that a process lives in: proc(5), net/dev. Null when it is gone or may not be read. */
export async function interfacesOf(pid: number): Promise<readonly string[] | null> {
  const text = await readFile(`/proc/${pid}/net/dev`, 'utf8').catch(() => null)
  if (text === null) return null
  return text.split('\n').flatMap((line) => {
    const name = /^\s*([^\s:|]{1,32}):/.exec(line)?.[1]
    return name === undefined ? [] : [name]
  })
}

/** Interfaces that any process of the browser can see, whoever started it aside. Read while it runs; null when none could be. */
export async function interfacesOfBrowser(pid: number): Promise<readonly string[] | null> {
  const browser = await findBrowser(pid)
  if (browser.length === 0) return null
  const seen = await Promise.all(browser.map(interfacesOf))
  const read = seen.filter((names) => names !== null)
  return read.length === 0 ? null : [...new Set(read.flat())]
}

/** Processes of the browser itself: under the jail's own, which stay outside with us. */
async function findBrowser(pid: number): Promise<readonly number[]> {
  const tree = await processTree(pid)
  const named = await Promise.all(
    tree.map(async (entry) => ({
      pid: entry.pid,
      command: (await readFile(`/proc/${entry.pid}/comm`, 'utf8').catch(() => '')).trim(),
    })),
  )
  return named.filter(({ command }) => command.startsWith('chrom')).map((entry) => entry.pid)
}

/** More fields than this are not listed. */
const maxOnTheWay = 100

/** Traces of caches and proxies in what the origins answered. */
export function findOnTheWay(requests: readonly Pick<ObservedRequest, 'url' | 'headers'>[]): readonly OnTheWay[] {
  return requests
    .flatMap(({ url, headers }) =>
      Object.entries(headers).flatMap(([field, value]) =>
        /^(?:via|x-cache|x-cache-lookup|x-forwarded-.*|forwarded|age|proxy-.*)$/.test(field)
          ? [
              {
                url: url.slice(0, 500),
                encrypted: url.startsWith('https:') || url.startsWith('wss:'),
                field,
                value: value.slice(0, 200),
              },
            ]
          : [],
      ),
    )
    .slice(0, maxOnTheWay)
}
