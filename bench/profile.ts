/**
 * Where the time of a capture goes: per step, per kind of process. `node bench/profile.ts`. Processor time of a process is
 * what the system last said of it, read every 20 ms.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'

/** Linux counts processor time in hundredths of a second for user space (USER_HZ). */
const tickMs = 10
const site = await startFixtureSite()
const folder = mkdtempSync(join(tmpdir(), 'probant-profile-'))
process.env.PROBANT_ALLOW_ADDRESSES = new URL(site.origin).host

type Seen = { readonly kind: string; readonly ms: number }

function kindOf(pid: number): string {
  const words = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').split(/[\0 ]/)
  const program = (words[0] ?? '').split('/').at(-1) ?? ''
  if (program !== 'chromium') return program === 'node' ? 'node: ours' : program === '' ? 'ended' : program
  const service = words.find((word) => word.startsWith('--utility-sub-type='))?.split('=')[1]
  const type = words.find((word) => word.startsWith('--type='))?.split('=')[1] ?? 'browser'
  return `chromium ${service ?? type}`
}

/** Adds what every descendant of `root` has used by now. */
function look(root: number, seen: Map<string, Seen>): void {
  const parents = new Map<number, { parent: number; ms: number; started: string }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ms = (Number(fields[11]) + Number(fields[12])) * tickMs
      parents.set(Number(name), { parent: Number(fields[1]), ms, started: fields[19] ?? '' })
    } catch {
      // It ended between the two calls.
    }
  }
  for (const [pid, { ms, started }] of parents) {
    let up = pid
    while (up !== root && parents.has(up)) up = parents.get(up)?.parent ?? 0
    if (up !== root) continue
    try {
      const key = `${String(pid)} ${started}`
      const kind = kindOf(pid)
      seen.set(key, { kind: kind === 'ended' ? (seen.get(key)?.kind ?? kind) : kind, ms })
    } catch {
      // The same.
    }
  }
}

for (const path of ['/resources/', '/big-body/']) {
  const script = join(import.meta.dirname, 'profile-engine.ts')
  const child = spawn(process.execPath, [script, site.origin + path, join(folder, path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seen = new Map<string, Seen>()
  const timer = setInterval(() => look(child.pid ?? 0, seen), 20)
  console.log(`${path}\n  ${'step'.padEnd(28)}    wall  node's processor time`)
  for await (const line of createInterface(child.stdout)) {
    const { step, wallMs, cpuMs } = JSON.parse(line) as { step: string; wallMs: number; cpuMs: number }
    console.log(`  ${step.padEnd(28)} ${wallMs.toFixed(0).padStart(7)} ${cpuMs.toFixed(0).padStart(7)}  ms`)
  }
  clearInterval(timer)
  const kinds = Map.groupBy(seen.values(), ({ kind }) => kind)
  const sums = [...kinds].map(([kind, all]) => [kind, all.reduce((sum, { ms }) => sum + ms, 0)] as const)
  const total = sums.reduce((sum, [, ms]) => sum + ms, 0)
  for (const [kind, ms] of sums.toSorted((a, b) => b[1] - a[1]).filter(([, ms]) => ms > 0))
    console.log(`  ${kind.padEnd(52)} ${String(ms).padStart(6)} ms  ${((100 * ms) / total).toFixed(0).padStart(3)} %`)
}
await site.close()
rmSync(folder, { recursive: true, force: true })
