import { readdir, readlink } from 'node:fs/promises'
import { createSessionFolder } from '../platform/browser/session-folder.ts'
import { dirname } from 'node:path'
import { isRunning, processTree, type ProcessEntry } from '../platform/browser/process-tree.ts'
import { launchHeadfulBrowser } from '../platform/display/launch-headful-browser.ts'

/** What may be killed; `kill` is our own word, `abort` the caller's, at any moment from the first. */
const deaths = ['kill', 'abort', 'ffmpeg', 'Xvfb', 'pulseaudio', 'xdotool', 'chromium', 'bash', 'bwrap'] as const

export type RepeatedSessions = {
  readonly sessions: number
  /** How many came up before they were ended. */
  readonly up: number
  readonly pictures: number
  readonly deaths: Readonly<Record<string, number>>
  /** Of all that were ever seen of these sessions. */
  readonly processesSeen: number
  readonly processes: number
  readonly folders: number
  /** Open sockets of this process more than before: the pipes to a jail are sockets. */
  readonly sockets: number
}

/** Short sessions one after another, each ended at a random point by a random death. What is left is counted, not removed. */
export async function repeatSessions(options: {
  readonly count: number
  readonly atATime: number
  readonly seed: number
}): Promise<RepeatedSessions> {
  let state = options.seed >>> 0
  /** Mulberry32: the same sessions for the same seed. */
  const random = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const seen = new Map<string, ProcessEntry>()
  const counted: Record<string, number> = {}
  let [started, up, pictures] = [0, 0, 0]
  const first = await createSessionFolder()
  const parent = dirname(first.path)
  await first.remove()
  const own = async () => (await readdir(parent)).filter((name) => name.startsWith(`${String(process.pid)}-`)).length
  const sockets = async () => {
    const targets = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
    return (await Promise.all(targets)).filter((target) => target.startsWith('socket:')).length
  }
  const [foldersBefore, socketsBefore] = [await own(), await sockets()]

  const session = async (): Promise<void> => {
    const death = deaths[Math.floor(random() * deaths.length)] ?? 'kill'
    counted[death] = (counted[death] ?? 0) + 1
    const delayMs = Math.floor(random() * 2_500)
    const folder = await createSessionFolder()
    const abort = new AbortController()
    const note = async (): Promise<readonly ProcessEntry[]> => {
      // Ours alone: two sessions at a time share this process as their parent.
      const tree = (await processTree(process.pid)).filter(({ pid }) => pid !== process.pid)
      for (const entry of tree) seen.set(`${String(entry.pid)} ${entry.startedAt}`, entry)
      return tree
    }
    const strike = async (root: number | null): Promise<void> => {
      const tree = root === null ? await note() : await processTree(root)
      if (death === 'abort') return abort.abort(new Error('aborted'))
      const [victim] = tree.filter(({ name }) => name === death)
      if (victim !== undefined) {
        try {
          process.kill(victim.pid, 'SIGKILL')
        } catch {
          // It ended between the two calls.
        }
      }
    }
    // Half of them while they come up.
    const early = random() < 0.5 ? setTimeout(() => void strike(null), Math.floor(random() * 800)) : undefined
    try {
      const browser = await launchHeadfulBrowser({
        folder,
        writeKeyLog: false,
        language: 'en-US',
        timeZone: 'UTC',
        memoryBytes: 3e9,
        isolation: 'required',
        signal: abort.signal,
        sessionId: `session-${String(started)}`,
      })
      up += 1
      await note()
      const sink = { sample: () => void (pictures += 1), missed: () => undefined, ended: () => undefined }
      await Promise.race([browser.display.startEncoder(sink).catch(() => undefined), browser.ended])
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await note()
      await strike(browser.pid)
      await browser.kill()
    } catch {
      // It was ended while it came up.
    } finally {
      clearTimeout(early)
      await folder.remove()
    }
  }
  const worker = async (): Promise<void> => {
    while (started < options.count) {
      started += 1
      await session()
    }
  }
  await Promise.all(Array.from({ length: options.atATime }, worker))
  let left = [...seen.values()]
  for (const bound = Date.now() + 20_000; left.length > 0 && Date.now() < bound;) {
    const running = await Promise.all(left.map(isRunning))
    left = left.filter((_, at) => running[at])
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    sessions: options.count,
    up,
    pictures,
    deaths: counted,
    processesSeen: seen.size,
    processes: left.length,
    folders: (await own()) - foldersBefore,
    sockets: Math.max(0, (await sockets()) - socketsBefore),
  }
}
