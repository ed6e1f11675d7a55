import { readdir, readFile } from 'node:fs/promises'

export type ProcessEntry = {
  readonly pid: number
  readonly parent: number
  /** What the kernel calls it: the first 15 bytes of its program's name. The process may have changed it. */
  readonly name: string
  /** Clock ticks since boot; with the pid it names a process beyond reuse of the number. */
  readonly startedAt: string
  /** Anonymous and shared memory resident, in bytes; file-backed pages are not counted. */
  readonly bytes: number
}

/** When a process started, in clock ticks since boot; null when there is none of that number (proc(5), field 22). */
export async function processStart(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The command may hold spaces and brackets: what counts starts after its last bracket.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

type Relation = Pick<ProcessEntry, 'pid' | 'parent' | 'name' | 'startedAt'>

async function readRelation(pid: number): Promise<Relation | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  // A zombie holds nothing and runs nothing; its parent, the namespace's init, is ending too.
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return { pid, parent: Number(fields[1]), name: stat.slice(stat.indexOf('(') + 1, end), startedAt: fields[19] ?? '' }
}

/** What a process holds; nothing once it has ended. */
async function readBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return 1024 * (kilobytes('RssAnon') + kilobytes('RssShmem'))
}

/** Whether that very process still runs; one that has ended and waits to be collected does not. */
export async function isRunning(entry: Pick<ProcessEntry, 'pid' | 'startedAt'>): Promise<boolean> {
  return (await readRelation(entry.pid))?.startedAt === entry.startedAt
}

/** A process and all its living descendants. Inside a PID namespace nothing can leave the tree: orphans go to its init. */
export async function processTree(root: number): Promise<readonly ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const entries = (await Promise.all(pids.map(readRelation))).filter((entry) => entry !== null)
  const children = Map.groupBy(entries, (entry) => entry.parent)
  const tree = entries.filter((entry) => entry.pid === root)
  for (let i = 0; i < tree.length; i += 1) tree.push(...(children.get((tree[i] as Relation).pid) ?? []))
  // Memory is asked of these alone, not of every process of the machine.
  return await Promise.all(tree.map(async (entry) => ({ ...entry, bytes: await readBytes(entry.pid) })))
}

/** Of so many looks one asks every process of the machine anew: a number may have been given again between two looks. */
const wholeEvery = 20

/**
 * The memory of a process and all its living descendants, for whoever asks again and again: who the others of the machine are is kept, and
 * at each look only the numbers that are new are asked for their parents.
 */
export function followMemory(root: number): () => Promise<number> {
  const known = new Set<number>()
  const members = new Set<number>()
  let looks = 0
  return async () => {
    if (looks % wholeEvery === 0) known.clear()
    looks += 1
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const running = new Set(pids)
    for (const pid of known) if (!running.has(pid)) known.delete(pid)
    for (const pid of members) if (!known.has(pid)) members.delete(pid)
    let fresh = (await Promise.all(pids.filter((pid) => !known.has(pid)).map(readRelation))).filter((entry) => entry !== null)
    for (const { pid } of fresh) known.add(pid)
    for (;;) {
      const [strangers, joining] = split(fresh, ({ pid, parent }) => pid === root || members.has(parent))
      if (joining.length === 0) break
      for (const { pid } of joining) members.add(pid)
      fresh = strangers
    }
    // One whose parent ended meanwhile is looked at again: it may have been in the tree.
    for (const { pid, parent } of fresh) if (parent !== 0 && !known.has(parent)) known.delete(pid)
    return (await Promise.all([...members].map(readBytes))).reduce((sum, bytes) => sum + bytes, 0)
  }
}

function split<T>(all: readonly T[], isSecond: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter((one) => !isSecond(one)), all.filter(isSecond)]
}

/** Kills every process of a tree and waits until none is left. `bound` limits the wait. @throws Error when some survive it. */
export async function killTree(root: number, bound: AbortSignal = AbortSignal.timeout(10_000)): Promise<void> {
  const known = new Map<string, ProcessEntry>()
  for (;;) {
    for (const entry of await processTree(root)) known.set(`${entry.pid} ${entry.startedAt}`, entry)
    let alive = 0
    for (const entry of known.values()) {
      if (!(await isRunning(entry))) continue
      alive += 1
      try {
        process.kill(entry.pid, 'SIGKILL')
      } catch {
        // It ended between the two calls.
      }
    }
    if (alive === 0) return
    if (bound.aborted) throw new Error(`${alive} processes of the browser survive`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/**
 * Kills each bubblewrap that was given this folder. One whose parent ended before it had asked to die with it waits for its parent's word for
 * ever (bubblewrap asks when its parent has written its user map), and is in no tree that we know. `bound` limits the wait. @throws Error when some survive it.
 */
export async function killStrays(folder: string, bound: AbortSignal = AbortSignal.timeout(10_000)): Promise<void> {
  for (;;) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const strays = await Promise.all(
      pids.map(async (pid) => {
        const relation = await readRelation(pid)
        if (relation?.name !== 'bwrap') return null
        const given = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        return given.split('\0').includes(folder) ? pid : null
      }),
    )
    const left = strays.filter((pid) => pid !== null)
    if (left.length === 0) return
    if (bound.aborted) throw new Error(`${left.length} jails of ${folder} survive`)
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended between the two calls.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
