import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RoleDeps, RunningRole } from '../role.ts'

/** Owns browsers: claims waiting captures and does them. */
export async function startCapture(deps: RoleDeps): Promise<RunningRole> {
  const workFolder = join(deps.config.dataFolder, 'captures')
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  return {
    async stop() {},
  }
}
