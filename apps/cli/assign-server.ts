import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { assignServer, findAssigned, findGroupsNamed } from '../../modules/capture/server/index.ts'
import { failWithdrawn } from '../../modules/evidence/server/index.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Messages } from '../../platform/messages/messages.ts'
import type { CommandIo } from './terminal/command-io.ts'
import { withInstallation } from './open-installation.ts'

export type ServerAssignment = {
  readonly serverId: string
  /** Id or name of the group that it becomes dedicated to; null: nobody's. */
  readonly to: string | null
}

/**
 * `probant server assign SERVER GROUP` and `probant server unassign SERVER`, on any machine that reaches the installation's database: says whose it was,
 * and how many captures that waited for it ended.
 * @returns the exit code: 0 done, 1 refused
 */
export async function runAssignment(
  { serverId, to }: ServerAssignment,
  config: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  messages: Messages,
): Promise<number> {
  const say = (text: string) => void io.stderr.write(`${text}\n`)
  return await withInstallation(config, async (db) => {
    const before = (await findAssigned(db, [serverId])).get(serverId)?.group ?? null
    const groups = to === null ? [] : await findGroupsNamed(db, to)
    const [group = null, another] = groups
    if (to !== null && group === null) {
      say(messages.format('capture.server.no_group', { group: to }))
      return 1
    }
    if (another !== undefined) {
      say(messages.format('capture.server.several_groups', { group: to, ids: groups.map(({ id }) => id).join(', ') }))
      return 1
    }
    try {
      const deps = { db, clock: systemClock, endWithdrawn: failWithdrawn }
      const ended = await assignServer(deps, null, serverId, { from: before?.id ?? null, to: group?.id ?? null })
      if (before !== null && before.id !== group?.id)
        say(messages.format('capture.server.taken_from', { id: serverId, group: before.name, ended }))
      say(
        group === null
          ? messages.format('capture.server.nobodys', { id: serverId })
          : messages.format('capture.server.assigned', { id: serverId, group: group.name }),
      )
      io.stdout.write(`${JSON.stringify({ server_id: serverId, group, instead_of: before, ended })}\n`)
      return 0
    } catch (error) {
      if (!(error instanceof DomainError) || !messages.has(error.code)) throw error
      say(messages.format(error.code, error.data))
      return 1
    }
  })
}
