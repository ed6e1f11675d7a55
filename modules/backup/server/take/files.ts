import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { backupSecretFile } from '../pieces/backup-secret.ts'

/**
 * What of the data folder goes with the database and the blobs: keys, what was cosigned of other logs, what capture servers pinned. Not: the
 * newest checkpoint of the own log, which must be that of the snapshot or a later one; the database itself, blobs, whatever a process works with while it lives, logs, and mails that were sent.
 */
const kept = ['keys', 'archive-keys', 'witness', 'servers', 'secret', backupSecretFile, 'payments.json'] as const

/** It opens what the database keeps secret of people: in a backup only when that is asked for. */
export const masterKeyFile = 'master-key'

const temporary = /^\.new-|\.[0-9a-f]{16}$/

/** Paths below the data folder, in order. */
export async function* listKeptFiles(dataFolder: string, withMasterKey: boolean): AsyncGenerator<string> {
  for (const name of withMasterKey ? [...kept, masterKeyFile] : kept) yield* filesBelow(dataFolder, name)
}

async function* filesBelow(dataFolder: string, name: string): AsyncGenerator<string> {
  const path = join(dataFolder, name)
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !temporary.test(entry.name))
    yield* files.map((entry) => relative(dataFolder, join(entry.parentPath, entry.name))).toSorted()
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) yield name
    else if (!isCode(error, 'ENOENT')) throw error
  }
}

/** Null: it went meanwhile, as what is replaced does. */
export async function readKept(dataFolder: string, path: string): Promise<Buffer | null> {
  return await readFile(join(dataFolder, path)).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return null
    throw error
  })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
