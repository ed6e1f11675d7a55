import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { killStrays, processStart } from './process-tree.ts'

/**
 * The user that browsers run as when the server is root: a number of its own that no Debian package or systemd range uses,
 * so that it owns nothing else on the machine. The jail gives it a name.
 */
export const jailUid = 59_870

export type SessionFolder = {
  /** Short absolute path (a Unix socket's path has at most 107 bytes), readable by the browser's user and by us alone. */
  readonly path: string
  /** Uid of the browser outside the jail. */
  readonly uid: number
  remove(): Promise<void>
}

/** The browser's user is nobody's friend and in no group. @throws Error that names the folder which keeps it out, and what to do */
async function refuseClosedFolders(base: string): Promise<void> {
  for (let folder = base; ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0)
      throw new Error(
        `${folder} has mode ${(mode & 0o7777).toString(8).padStart(4, '0')}, so the browser, which runs as user ${String(jailUid)}, cannot enter ${base}: chmod o+x ${folder}, or name another folder in TMPDIR`,
      )
    if (folder === dirname(folder)) return
  }
}

async function parentFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0
  const base = tmpdir().length <= 40 ? tmpdir() : '/tmp'
  if (uid === 0) await refuseClosedFolders(base)
  const parent = join(base, `probant-${uid}`)
  await mkdir(parent, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const facts = await lstat(parent)
  // Someone else's folder, or a link, under a shared /tmp.
  if (!facts.isDirectory() || facts.uid !== uid) throw new Error(`${parent} does not belong to this user`)
  await chmod(parent, 0o711)
  return parent
}

/** A folder for one browser. Its name carries the owning process, so that leftovers of a killed one are known as such. */
export async function createSessionFolder(): Promise<SessionFolder> {
  const parent = await parentFolder()
  const path = await mkdtemp(join(parent, `${process.pid}-${await processStart(process.pid)}-`))
  const root = process.getuid?.() === 0
  if (root) await chown(path, jailUid, jailUid)
  await chmod(path, 0o700)
  return {
    path,
    uid: root ? jailUid : (process.getuid?.() ?? jailUid),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** A folder that the browser's user may read, and we alone may write to. It is not in the session's folder: that one's owner could replace it. */
export async function createReadableFolder(): Promise<SessionFolder> {
  const folder = await createSessionFolder()
  if (process.getuid?.() === 0) await chown(folder.path, 0, jailUid)
  await chmod(folder.path, 0o750)
  return folder
}

/** Removes the folders of processes that are no more, and jails that were being built in them: what a `kill -9` left. Returns how many. */
export async function sweepSessionFolders(): Promise<number> {
  const parent = await parentFolder()
  let swept = 0
  for (const name of await readdir(parent)) {
    const [, pid, start] = /^(\d+)-(\d+)-/.exec(name) ?? []
    if (pid === undefined || start === (await processStart(Number(pid)))) continue
    await killStrays(join(parent, name))
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })
    swept += 1
  }
  return swept
}
