import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { restoringFile } from '../../../../platform/config/config.ts'

/** A restore that is under way, or was interrupted: the product does not start on half of an installation. */
const marker = z.object({ backup: z.string() })

export async function readMarker(dataFolder: string): Promise<z.infer<typeof marker> | null> {
  try {
    return marker.parse(JSON.parse(await readFile(join(dataFolder, restoringFile), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

export async function setMarker(dataFolder: string, backup: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  await writeWhole(join(dataFolder, restoringFile), Buffer.from(JSON.stringify({ backup })))
}

export async function clearMarker(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, restoringFile), { force: true })
}

/** Whole or not at all, for its owner alone; over what is there. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.restoring`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
