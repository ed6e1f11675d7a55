import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { holdLog, type LogTail } from '../../../sealing/server/index.ts'
import type { AllSince } from '../since/since.ts'
import { writeWhole } from './marker.ts'

const tailFile = 'carried-entries.json'
const checkpointFile = 'newest-checkpoint'

const tail = z.object({ first: z.int().min(0), entries: z.array(z.base64()) })

/** Holds the log, with what is known of its end: `probant log resume` puts that back. */
export async function leaveLog(dataFolder: string, { log }: AllSince): Promise<void> {
  const folder = join(dataFolder, 'log')
  await holdLog(folder)
  if (log === null) return
  const entries = log.entries.map((entry) => entry.toString('base64'))
  await writeWhole(join(folder, tailFile), Buffer.from(JSON.stringify({ first: log.first, entries })))
  // The log is never resumed below it.
  await writeWhole(join(folder, checkpointFile), log.checkpoint)
}

/** Null: nothing was carried, or nothing was restored. */
export async function readTail(folder: string): Promise<LogTail | null> {
  const text = await readFile(join(folder, tailFile), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const { first, entries } = tail.parse(JSON.parse(text))
  return { first, entries: entries.map((entry) => Buffer.from(entry, 'base64')) }
}
