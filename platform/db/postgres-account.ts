import { spawnSync } from 'node:child_process'
import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Owner = { readonly uid: number; readonly gid: number }

/**
 * PostgreSQL refuses to run as root. How its programs are started from here: a command prefix, and the owner that its files
 * must have. Every form ends the program when this process dies, however it dies (prctl PR_SET_PDEATHSIG); SIGINT is a
 * fast, clean shutdown for a postmaster.
 */
export type PostgresAccount = {
  readonly prefix: readonly string[]
  /** Owner of the data folder; `undefined` keeps the current user. */
  readonly owner: Owner | undefined
}

const nobody: Owner = { uid: 65_534, gid: 65_534 }
const endWithParent = ['setpriv', '--pdeathsig', 'INT']

/**
 * An ordinary account needs no change. Root becomes, in this order: `nobody`; root without any capability in a user
 * namespace, where it is called nobody (a checkout under /root, which `nobody` cannot enter); the account whose closed
 * folder is in the way (`sudo npm start` in a home).
 */
export function choosePostgresAccount(binFolder: string, dataFolder: string): PostgresAccount {
  if (process.getuid?.() !== 0) return { prefix: [...endWithParent, '--'], owner: undefined }
  const become = ({ uid, gid }: Owner) => [
    'setpriv',
    '--reuid',
    String(uid),
    '--regid',
    String(gid),
    '--clear-groups',
    ...endWithParent.slice(1),
    '--',
  ]
  const inNamespace = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--', ...endWithParent, '--']
  const inTheWay = closedFolderOwner(binFolder) ?? closedFolderOwner(dataFolder)
  const candidates = [
    { prefix: become(nobody), owner: nobody },
    { prefix: inNamespace, owner: { uid: 0, gid: 0 } },
    ...(inTheWay === undefined ? [] : [{ prefix: become(inTheWay), owner: inTheWay }]),
  ]
  for (const candidate of candidates) {
    changeOwner(dataFolder, candidate.owner)
    if (succeeds([...candidate.prefix, 'test', '-x', join(binFolder, 'postgres'), '-a', '-w', dataFolder])) return candidate
  }
  throw new Error(
    `PostgreSQL does not run as root, and no other account can enter both ${dataFolder} and ${binFolder}: ` +
      'start as an ordinary user, move the folder where others may enter, or set DATABASE_URL',
  )
}

/** Owner, other than root, of the first folder on the way that others may not enter. */
function closedFolderOwner(path: string): Owner | undefined {
  const ancestors = path.split('/').map((_, depth, segments) => segments.slice(0, depth).join('/') || '/')
  for (const folder of ancestors) {
    const { uid, gid, mode } = lstatSync(folder)
    if ((mode & 0o001) === 0 && uid !== 0) return { uid, gid }
  }
  return undefined
}

function succeeds([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Recursive, without following links; nothing is touched when the top already belongs to the owner. */
function changeOwner(folder: string, { uid, gid }: Owner): void {
  const { uid: present } = lstatSync(folder)
  if (present === uid) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chownSync(path, uid, gid)
  }
  // Last, so that a walk cut short is done again.
  chownSync(folder, uid, gid)
}
