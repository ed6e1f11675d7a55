import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of this run of the tests, or of this machine. */
const shared = join(tmpdir(), `probant-silence-${String(process.getuid?.() ?? 0)}.json`)
const fileOf = (dataFolder: string): string => join(dataFolder, 'servers', 'silence.json')

/**
 * Gives a new data folder what another installation of the tests heard of the browser, as an upgrade keeps it: a browser is listened to once, and
 * again only when it, its flags or its policies are others than what the file is of.
 */
export function inheritSilence(dataFolder: string): void {
  if (!existsSync(shared)) return
  mkdirSync(join(dataFolder, 'servers'), { recursive: true, mode: 0o700 })
  copyFileSync(shared, fileOf(dataFolder))
}

/** Leaves what this installation heard to those that come after it. @returns whether it has listened yet */
export function bequeathSilence(dataFolder: string): boolean {
  if (!existsSync(fileOf(dataFolder))) return false
  const draft = `${shared}.${String(process.pid)}`
  copyFileSync(fileOf(dataFolder), draft)
  renameSync(draft, shared)
  return true
}
