import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureServerConfig } from '../../../../platform/config/parts/captures.ts'
import { serverIdPattern, type CaptureServerIdentity } from '../../domain/servers/capture-server.ts'

/**
 * Who this machine is among capture servers: what the operator set, else an id made once and kept in the data folder. Two
 * processes that need it first at the same moment get the same.
 */
export async function serverIdentity(config: {
  readonly dataFolder: string
  readonly server: CaptureServerConfig
}): Promise<CaptureServerIdentity> {
  const { server } = config
  const id = server.id ?? (await keptId(join(config.dataFolder, 'servers')))
  return { id, name: server.name ?? id, country: server.country ?? null, city: server.city ?? null, kind: server.kind }
}

async function keptId(folder: string): Promise<string> {
  const file = join(folder, 'id')
  const read = async () => {
    const id = (await readFile(file, 'utf8')).trim()
    if (!serverIdPattern.test(id)) throw new Error(`${file} holds no server id; remove it to have a new one made`)
    return id
  }
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `server-${randomBytes(4).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return await read()
}
