import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processTree } from '../platform/browser/process-tree.ts'

export type Measured = { readonly cpuSeconds: number; readonly wallSeconds: number; readonly peakBytes: number }

/** Where this machine keeps control groups: version 2, or the two controllers of version 1 that are needed. */
function controllers(): { cpu: string; memory: string; version: 1 | 2 } {
  const v2 = '/sys/fs/cgroup'
  if (existsSync(join(v2, 'cgroup.controllers'))) return { cpu: v2, memory: v2, version: 2 }
  return { cpu: join(v2, 'cpuacct'), memory: join(v2, 'memory'), version: 1 }
}

function number(file: string): number {
  return Number(readFileSync(file, 'utf8').trim())
}

/**
 * Runs a command in a control group of its own, so that every descendant counts, also those whose parent never waited for
 * them: processor time in seconds, wall time, peak memory (page cache included, alike for every peer). Needs root.
 * @throws Error when the command fails
 */
export async function measure(command: string, args: readonly string[]): Promise<Measured> {
  const { cpu, memory, version } = controllers()
  const name = `probant-bench-${String(process.pid)}-${String(Date.now())}`
  const folders = [...new Set([join(cpu, name), join(memory, name)])]
  for (const folder of folders) mkdirSync(folder)
  const enter = folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`).join(' && ')
  const started = performance.now()
  const child = spawn('sh', ['-c', `${enter} && exec "$0" "$@"`, command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  const wallSeconds = (performance.now() - started) / 1000
  const cpuFolder = join(cpu, name)
  const memoryFolder = join(memory, name)
  const cpuSeconds =
    version === 1
      ? number(join(cpuFolder, 'cpuacct.usage')) / 1e9
      : Number(/usage_usec (\d+)/.exec(readFileSync(join(cpuFolder, 'cpu.stat'), 'utf8'))?.[1]) / 1e6
  const peakBytes = number(join(memoryFolder, version === 1 ? 'memory.max_usage_in_bytes' : 'memory.peak'))
  for (const folder of folders) rmdirSync(folder)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}`)
  return { cpuSeconds, wallSeconds, peakBytes }
}

/** Linux counts processor time in hundredths of a second for user space (USER_HZ). */
const ticksPerSecond = 100

/** Processor time of a process and its descendants, those included that ended and were waited for. */
export async function treeSeconds(root: number): Promise<number> {
  let ticks = 0
  for (const { pid } of await processTree(root)) {
    const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field] ?? 0)
  }
  return ticks / ticksPerSecond
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
