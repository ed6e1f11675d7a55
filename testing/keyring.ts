import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../kernel/clock.ts'
import type { Clock } from '../kernel/clock.ts'
import { silentLog } from '../platform/log/log.ts'
import { openKeyring } from '../modules/sealing/server/index.ts'
import type { Keyring } from '../modules/sealing/server/index.ts'

/** A folder that the caller removes. */
export async function temporaryFolder(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'sealing-'))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}

/** A new keyring in `dir/keys`. */
export function temporaryKeyring(dir: string, clock: Clock = systemClock): Promise<Keyring> {
  return openKeyring({ dir: join(dir, 'keys'), clock, log: silentLog })
}

export async function writeFiles(dir: string, files: readonly { path: string; bytes: Uint8Array }[]): Promise<void> {
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), bytes)
  }
}

/** Runs a common tool in a folder; never throws, so that a test can state what the tool said. */
export function runTool(dir: string, tool: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(tool, [...args], { cwd: dir, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, output: stdout + stderr })
    })
  })
}
