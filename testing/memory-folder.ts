import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const enough = 4 * 1024 ** 3
const name = 'probant-memory'

/**
 * A folder of this process for what is written much and kept never, databases for one: in memory, where the system has so much room there, else
 * among the temporary ones. What a process that was killed left goes with the next one that asks.
 */
export function memoryFolder(): string {
  const isRoomy = existsSync(memory) && room() >= enough
  if (!isRoomy) return mkdtempSync(join(tmpdir(), `${name}-`))
  for (const each of readdirSync(memory)) {
    const owner = new RegExp(`^${name}-(\\d+)-`).exec(each)?.[1]
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue
    try {
      rmSync(join(memory, each), { recursive: true, force: true })
    } catch {
      // Another user's: it goes with his next run.
    }
  }
  return mkdtempSync(join(memory, `${name}-${process.pid}-`))
}

function room(): number {
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize
}
