/** Unix sockets of processes that hold keys, in a folder that its owner alone may enter (decision 0126). */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'

/** Each process has a socket of its own, `<prefix>-<16 hexadecimal digits>.sock`: one that ends takes nothing from the others. */
export const socketNames = (prefix: string): RegExp => new RegExp(`^${prefix}-[0-9a-f]{16}\\.sock$`)

/** A socket's address holds 107 bytes (unix(7)) and a data folder may be deeper: by way of the folder's descriptor it is short. */
export const socketPath = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`

/** The folder is made with mode 0700. `close` ends the server, its connections and its socket. */
export async function listenInFolder(server: Server, path: string, prefix: string): Promise<{ close(): Promise<void> }> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  const name = `${prefix}-${randomBytes(8).toString('hex')}.sock`
  const folder = await open(path, 'r')
  try {
    await removeDeserted(path, folder, socketNames(prefix))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socketPath(folder, name), () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    await folder.close()
    throw error
  }
  await chmod(join(path, name), 0o600)
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await rm(join(path, name), { force: true })
      await folder.close()
    },
  }
}

/** Sockets of processes that were killed: nobody listens there, now or later, since names are never used twice. */
async function removeDeserted(path: string, folder: FileHandle, names: RegExp): Promise<void> {
  for (const name of await readdir(path)) {
    if (!names.test(name)) continue
    const deserted = await new Promise<boolean>((resolve) => {
      const socket = connect(socketPath(folder, name))
      socket
        .once('connect', () => resolve(false))
        .once('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'))
      socket.once('connect', () => socket.destroy())
    })
    if (deserted) await rm(join(path, name), { force: true })
  }
}
