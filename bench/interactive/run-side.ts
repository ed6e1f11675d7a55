/** One side of the bench: a program of its own, whose whole tree of processes counts, and what it says, line by line. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { killTree, processTree } from '../../platform/browser/process-tree.ts'

export type Side = {
  readonly port: number
  /** Its next line that has this word. */
  said(word: string): Promise<Readonly<Record<string, unknown>>>
  /** Processor time of every living process of it, in seconds, by the name of the program. */
  processorSeconds(): Promise<Map<string, number>>
  kill(): Promise<void>
}

/** Clock ticks a second, as `getconf CLK_TCK` has it on every Linux that Node runs on. */
const ticks = 100

export async function runSide(program: string, args: readonly string[]): Promise<Side> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const lines: Readonly<Record<string, unknown>>[] = []
  let woken = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>)
    woken.resolve()
    woken = Promise.withResolvers()
  })
  const over = ended.then(() => {
    throw new Error(`${program} ended`)
  })
  over.catch(() => undefined)
  const said = async (word: string): Promise<Readonly<Record<string, unknown>>> => {
    for (;;) {
      const found = lines.find((line) => word in line)
      if (found !== undefined) return found
      await Promise.race([woken.promise, over])
    }
  }
  return {
    port: Number((await said('port'))['port']),
    said,
    processorSeconds: async () => {
      const sums = new Map<string, number>()
      for (const { pid, name } of await processTree(child.pid ?? -1)) {
        const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '')
        const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13) // prettier-ignore
        sums.set(name, (sums.get(name) ?? 0) + (Number(user ?? 0) + Number(system ?? 0)) / ticks)
      }
      return sums
    },
    kill: async () => {
      // Playwright takes a request to end for one to close its browser.
      if (child.pid !== undefined) await killTree(child.pid)
      await ended
    },
  }
}
