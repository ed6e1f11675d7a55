import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import type { FirewallFacts } from '../../../domain/conditions/machine-facts.ts'

type Ran = { readonly stdout: string; readonly code: string | number | null; readonly stderr: string }

function run(command: readonly string[], signal: AbortSignal): Promise<Ran> {
  const [file, ...args] = command
  return new Promise((resolve) => {
    execFile(
      file as string,
      args,
      {
        timeout: 5_000,
        killSignal: 'SIGKILL',
        maxBuffer: 8 * 1024 * 1024,
        signal,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      },
      (error, stdout, stderr) => resolve({ stdout, stderr, code: error === null ? null : (error.code ?? 'failed') }),
    )
  })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What `nft -j list ruleset` says (libnftables-json(5)): rules, and whether the input hook drops by default. */
export function readNftables(json: string): Pick<FirewallFacts, 'rules' | 'drops_by_default'> | null {
  try {
    const { nftables } = JSON.parse(json) as { nftables?: unknown }
    if (!Array.isArray(nftables)) return null
    const entries = nftables as readonly { rule?: unknown; chain?: { hook?: unknown; policy?: unknown } }[]
    return {
      rules: entries.filter(({ rule }) => rule !== undefined).length,
      drops_by_default: entries.some(({ chain }) => chain?.hook === 'input' && chain.policy === 'drop'),
    }
  } catch {
    return null
  }
}

/** What `iptables-save` prints: `-A` lines, and the policy of `:INPUT`. */
export function readIptables(text: string): Pick<FirewallFacts, 'rules' | 'drops_by_default'> {
  return { rules: text.match(/^-A /gm)?.length ?? 0, drops_by_default: /^:INPUT DROP/m.test(text) }
}

/** The packet filter's state, where it may be read: Linux shows it to administrators only. Never throws. */
export async function measureFirewall(signal: AbortSignal, prefix: readonly string[] = []): Promise<FirewallFacts> {
  const unread: FirewallFacts = { tool: null, rules: null, drops_by_default: null, sha256: null, error: null }
  const nft = await run([...prefix, 'nft', '-j', 'list', 'ruleset'], signal)
  const seen = nft.code === null ? readNftables(nft.stdout) : null
  if (seen !== null) return { ...unread, tool: 'nftables', ...seen, sha256: sha256(nft.stdout) }
  const tables = await run([...prefix, 'iptables-save'], signal)
  // Without the right to read, it prints nothing and calls it a success.
  if (tables.code === null && tables.stdout !== '')
    return { ...unread, tool: 'iptables', ...readIptables(tables.stdout), sha256: sha256(tables.stdout) }
  const present = nft.code !== 'ENOENT' ? 'nftables' : tables.code !== 'ENOENT' ? 'iptables' : null
  return { ...unread, tool: present, error: present === null ? 'no_tool' : 'not_readable' }
}
