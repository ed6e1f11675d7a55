import { randomUUID } from 'node:crypto'
import { availableParallelism, hostname, loadavg } from 'node:os'
import { deleteRoleProcess, keepRoleProcess, serverIdentity } from '../../modules/capture/server/index.ts'
import type { Config } from '../../platform/config/config.ts'
import { packageVersion } from '../../platform/config/software.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { RoleName } from './roles/role.ts'

/** Without another word a process counts as lost after so long. */
const aliveSeconds = 60

/** Tells administrators that this process lives, where and with which version (decision 0470). What it does depends on nothing of it. */
export async function tellPresence(deps: {
  readonly config: Config
  readonly roles: readonly RoleName[]
  readonly db: Db
  readonly log: Log
}): Promise<{ stop(): Promise<void> }> {
  const { config, roles, db, log } = deps
  const id = randomUUID()
  const serverId = roles.includes('capture') ? (await serverIdentity(config)).id : null
  const tell = async () => {
    try {
      const [load = 0] = loadavg()
      const loadPerCore = load / availableParallelism()
      await keepRoleProcess(db, { id, roles, host: hostname(), version: packageVersion, serverId, loadPerCore, aliveSeconds })
    } catch (error) {
      log.warn({ err: error }, 'this process could not give a sign of life')
    }
  }
  let telling = tell()
  const timer = setInterval(
    () => {
      telling = telling.then(tell)
    },
    (aliveSeconds * 1000) / 4,
  )
  return {
    async stop() {
      clearInterval(timer)
      await telling
      await deleteRoleProcess(db, id).catch((error: unknown) =>
        log.warn({ err: error }, 'the end of this process could not be told'),
      )
    },
  }
}
