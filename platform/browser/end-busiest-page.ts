import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { processTree } from './process-tree.ts'

/** How long the pages' processes are watched before one of them is ended. */
const watchedMs = 300

/** Clock ticks that a process has used (proc(5), fields 14 and 15); null: it is gone, or draws no page. */
async function readTicks(pid: number): Promise<number | null> {
  const [given, stat] = await Promise.all(
    ['cmdline', 'stat'].map((file) => readFile(`/proc/${String(pid)}/${file}`, 'utf8').catch(() => '')),
  )
  // Spaces, where a process forked from another has written its arguments anew.
  const words = given?.split(/[\0 ]/) ?? []
  if (!words.includes('--type=renderer') || words.includes('--top-chrome-webui')) return null
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

/**
 * Ends, from outside, the process that works most of those that draw the pages of a browser: what a page sends may keep the browser from
 * hearing that it is to end it.
 * @param root of the browser's processes
 * @returns whether one was ended
 */
export async function endBusiestPage(root: number): Promise<boolean> {
  const read = async () => {
    const tree = await processTree(root)
    return await Promise.all(tree.map(async ({ pid, startedAt }) => ({ pid, startedAt, ticks: await readTicks(pid) })))
  }
  const before = new Map((await read()).map(({ pid, startedAt, ticks }) => [`${String(pid)} ${startedAt}`, ticks]))
  await wait(watchedMs)
  const [busiest] = (await read())
    .flatMap(({ pid, startedAt, ticks }) => {
      const earlier = before.get(`${String(pid)} ${startedAt}`)
      return ticks === null || earlier == null ? [] : [{ pid, used: ticks - earlier }]
    })
    .toSorted((a, b) => b.used - a.used)
  if (busiest === undefined || busiest.used <= 0) return false
  try {
    process.kill(busiest.pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
