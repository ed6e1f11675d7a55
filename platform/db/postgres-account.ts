import { spawnSync } from 'node:child_process'
import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * PostgreSQL refuses to run as root. How its programs are started from here: a command prefix, and the owner that its files
 * must have. Every form ends the program when this process dies, however it dies (prctl PR_SET_PDEATHSIG); SIGINT is a
 * fast, clean shutdown for a postmaster.
 */
export type PostgresAccount = {
  readonly prefix: readonly string[]
  /** Owner of the data folder; `undefined` keeps the current user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
}

const nobody = 65_534
const endWithParent = ['setpriv', '--pdeathsig', 'INT']

/** An ordinary account needs no change; root becomes `nobody`, really or inside a user namespace. */
export function choosePostgresAccount(binFolder: string, dataFolder: string): PostgresAccount {
  if (process.getuid?.() !== 0) return { prefix: [...endWithParent, '--'], owner: undefined }
  const asNobody = ['setpriv', '--reuid', String(nobody), '--regid', String(nobody), '--clear-groups', '--pdeathsig', 'INT', '--']
  changeOwner(dataFolder, nobody, nobody)
  if (succeeds([...asNobody, 'test', '-x', join(binFolder, 'postgres'), '-a', '-w', dataFolder])) {
    return { prefix: asNobody, owner: { uid: nobody, gid: nobody } }
  }
  // `nobody` cannot reach the program or the data (a checkout under /root, say). In a user namespace the process is root to
  // the files and nobody to itself, without a single capability.
  const inNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--', ...endWithParent, '--']
  changeOwner(dataFolder, 0, 0)
  if (succeeds([...inNamespace, 'test', '-x', join(binFolder, 'postgres'), '-a', '-w', dataFolder])) {
    return { prefix: inNamespace, owner: { uid: 0, gid: 0 } }
  }
  throw new Error(
    `PostgreSQL does not run as root, the account nobody cannot enter ${dataFolder} or ${binFolder}, and this system allows no user namespace: ` +
      'start as an ordinary user, move the folder where others may enter, or set DATABASE_URL',
  )
}

function succeeds([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Recursive, without following links; nothing is touched when the top already belongs to the owner. */
function changeOwner(folder: string, uid: number, gid: number): void {
  const { uid: present } = lstatSync(folder)
  if (present === uid) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chownSync(path, uid, gid)
  }
  // Last, so that a walk cut short is done again.
  chownSync(folder, uid, gid)
}
