import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../../../kernel/errors.ts'
import { assertObjectName, type BackupTarget, type TargetFolder, type TargetObject } from './backup-target.ts'

const temporary = /^\.new-[0-9a-f-]{36}$/

/** Objects as files `pieces/ab/abcd…`, `backups/…`, `since/…`: temporary file, fsync, rename, fsync of the folder. */
export function createFolderTarget(root: string): BackupTarget {
  // Hundreds of thousands of files in one folder are slow to list on many file systems.
  const folderOf = (folder: TargetFolder, name: string) =>
    folder === 'pieces' ? join(root, folder, name.slice(0, 2)) : join(root, folder)
  const pathOf = (folder: TargetFolder, name: string) => {
    assertObjectName(name)
    return join(folderOf(folder, name), name)
  }
  return {
    address: root,
    async *list(folder): AsyncGenerator<TargetObject> {
      if (folder !== 'pieces') yield* filesOf(join(root, folder))
      else for await (const { name } of entriesOf(join(root, folder))) yield* filesOf(join(root, folder, name))
    },
    async read(folder, name) {
      return await readFile(pathOf(folder, name)).catch((error: unknown) => {
        if (isCode(error, 'ENOENT')) return null
        throw error
      })
    },
    async write(folder, name, bytes) {
      const path = pathOf(folder, name)
      const own = folderOf(folder, name)
      const draft = join(own, `.new-${randomUUID()}`)
      try {
        await mkdir(own, { recursive: true, mode: 0o700 })
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
        await syncFolder(own)
      } catch (error) {
        await rm(draft, { force: true })
        if (isCode(error, 'ENOSPC', 'EDQUOT'))
          throw new DomainError('unavailable', 'backup.no_room', { path: root }, { cause: error })
        throw error
      }
    },
    async remove(folder, name) {
      await rm(pathOf(folder, name), { force: true })
    },
  }
}

async function* filesOf(folder: string): AsyncGenerator<TargetObject> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (!entry.isFile()) continue
    // Nobody else writes here: the backup that left it was killed.
    if (temporary.test(entry.name)) await rm(path, { force: true })
    else yield { name: entry.name, bytes: (await stat(path)).size }
  }
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
