import { systemClock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import {
  drainServer,
  inviteServer,
  joinServer,
  keyFingerprint,
  listServerStates,
  machineKey,
  removeServer,
  serverFolder,
  serverIdentity,
} from '../../modules/capture/server/index.ts'
import { releaseServer } from '../../modules/evidence/server/index.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Messages } from '../../platform/messages/messages.ts'
import { withInstallation } from './open-installation.ts'
import type { CommandIo } from './terminal/command-io.ts'

export type MachineUse =
  | { readonly act: 'list' | 'invite' }
  | { readonly act: 'drain' | 'resume' | 'remove'; readonly serverId: string }
  | { readonly act: 'join'; readonly token: string }

/** @returns null: it is another command, or wrongly used */
export function readMachineUse([act, value, ...rest]: readonly string[]): MachineUse | null {
  if (rest.length > 0 || value?.startsWith('--') === true) return null
  if (value === undefined) return act === 'list' || act === 'invite' ? { act } : null
  if (act === 'join') return { act, token: value }
  return act === 'drain' || act === 'resume' || act === 'remove' ? { act, serverId: value } : null
}

type Settings = Pick<Config, 'databaseUrl' | 'dataFolder' | 'server'>

/**
 * `probant server list|invite|join|drain|resume|remove`, on any machine that reaches the installation's database (decision 0470).
 * @returns the exit code: 0 done, 1 refused
 */
export async function runMachineCommand(
  use: MachineUse,
  config: Settings,
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  messages: Messages,
): Promise<number> {
  return await withInstallation(config, async (db) => {
    try {
      for (const line of await perform(use, config, db, (text) => void io.stderr.write(`${text}\n`), messages))
        io.stdout.write(`${JSON.stringify(line)}\n`)
      return 0
    } catch (error) {
      if (!(error instanceof DomainError) || !messages.has(error.code)) throw error
      io.stderr.write(`${messages.format(error.code, error.data)}\n`)
      return 1
    }
  })
}

async function perform(
  use: MachineUse,
  config: Settings,
  db: Db,
  say: (text: string) => void,
  messages: Messages,
): Promise<readonly object[]> {
  const deps = { db, clock: systemClock, releaseServer }
  switch (use.act) {
    case 'list': {
      const servers = await listServerStates(db)
      return servers.map(({ id, name, kind, status, running, capacity, interactive, version, seenAt, keySha256 }) => ({
        server_id: id,
        name,
        kind,
        status,
        captures: { running, capacity },
        live_sessions: interactive,
        version,
        seen_at: seenAt,
        key_sha256: keySha256,
      }))
    }
    case 'invite': {
      const { token, expiresAt } = await inviteServer(deps, null)
      say(messages.format('capture.server.invited', { at: expiresAt }))
      return [{ token, expires_at: expiresAt }]
    }
    case 'join': {
      const identity = await serverIdentity(config)
      const key = await machineKey(serverFolder(config.dataFolder, identity.id), config.server.key)
      await joinServer(deps, identity, key, use.token)
      say(messages.format('capture.server.joined', { id: identity.id }))
      return [{ server_id: identity.id, key_sha256: keyFingerprint(key) }]
    }
    case 'drain':
    case 'resume':
      await drainServer(deps, null, use.serverId, use.act === 'drain')
      say(messages.format(use.act === 'drain' ? 'capture.server.drained' : 'capture.server.resumed', { id: use.serverId }))
      return [{ server_id: use.serverId, drained: use.act === 'drain' }]
    default: {
      const removed = await removeServer(deps, null, use.serverId)
      say(messages.format('capture.server.removed', { id: use.serverId, ...removed }))
      return [{ server_id: use.serverId, ...removed }]
    }
  }
}
