import { readdir, rename, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

/** `certificate-<deposit>-<attempt>`, `finalize-<evidence>`, `preview-<evidence>-<language>`: what jobs work in. */
const ownedByJobs = /^(?:certificate|finalize|preview)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/
const swept = /^swept-[0-9a-f-]{36}$/

/**
 * Removes what jobs left in the folder they work in: of those that ended with their worker, and of nothing else.
 * @param running payloads of jobs that living workers are doing: their folders stay, whoever these workers are. @returns how many went
 */
export async function sweepWork(workFolder: string, running: readonly unknown[]): Promise<number> {
  const ids = new Set(
    running.flatMap((payload) => JSON.stringify(payload).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []),
  )
  let count = 0
  for (const name of await readdir(workFolder)) {
    const id = ownedByJobs.exec(name)?.[1]
    if (!swept.test(name) && (id === undefined || ids.has(id))) continue
    // Out of the way first: a job that begins meanwhile finds no folder that is going.
    const aside = join(workFolder, `swept-${randomUUID()}`)
    await rename(join(workFolder, name), aside)
    await rm(aside, { recursive: true, force: true })
    count += 1
  }
  return count
}
