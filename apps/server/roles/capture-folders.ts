import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { processStart } from '../../../platform/browser/process-tree.ts'

const owned = /^(\d+)(?:-(\d+))?$/

/**
 * Makes the folder that this process alone works in. Its name carries when the process began: a number alone is given again, in a container
 * to the very process that comes after one that was killed.
 */
export async function makeCaptureFolder(folder: string): Promise<string> {
  const path = join(folder, `${process.pid}-${await processStart(process.pid)}`)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

/** Removes the folders of capture processes that were killed; those of processes that live stay. @returns how many went */
export async function sweepCaptureFolders(folder: string): Promise<number> {
  let count = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, start] = owned.exec(name) ?? []
    if (pid === undefined) continue
    const lives = await processStart(Number(pid))
    // Names of before had no beginning: what is ours by number alone is not ours.
    const isOwned = start === undefined ? lives !== null && Number(pid) !== process.pid : lives === start
    if (isOwned) continue
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
    count += 1
  }
  return count
}
