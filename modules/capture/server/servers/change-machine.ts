import { createHash, randomBytes } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CaptureServerIdentity } from '../../domain/servers/capture-server.ts'
import {
  admitServer,
  holdMembership,
  insertInvitation,
  isFirstServer,
  pinKey,
  setDrained,
  setOutside,
  spendInvitation,
} from './machine-store.ts'
import { insertServerEvent } from './servers-store.ts'

/** An administrator; null: the operator, at the command line. */
type By = Pick<Actor, 'userId'> | null
type Deps = { readonly db: Db; readonly clock: Clock }

const actorOf = (by: By) => (by === null ? null : { userId: by.userId, accountId: by.userId })
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** How long somebody who adds a machine has until it joins. */
const invitationSeconds = 3600

async function heldInside(tx: Tx, serverId: string): Promise<{ readonly isDrained: boolean }> {
  const membership = await holdMembership(tx, serverId)
  if (membership === null || membership.isOutside) throw new DomainError('not_found', 'capture.server_unknown')
  return membership
}

/**
 * Drains a server, or undoes it (decision 0470): it takes nothing new, and finishes what it has. Said again, it changes nothing and is no act.
 * @throws DomainError `capture.server_unknown`
 */
export async function drainServer(deps: Deps, by: By, serverId: string, drained: boolean): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { isDrained } = await heldInside(tx, serverId)
    if (isDrained === drained) return
    await setDrained(tx, serverId, drained)
    await recordAct(tx, deps.clock.now(), {
      action: drained ? 'capture.drained_server' : 'capture.resumed_server',
      actor: actorOf(by),
      subject: { type: 'server', id: serverId },
    })
  })
}

export type Removed = { readonly requeued: number; readonly lost: number; readonly ended: number }
export type RemovalDeps = Deps & {
  /** Takes from it whatever it has, and ends what waits for it by name. */
  readonly releaseServer: (
    tx: Tx,
    serverId: string,
  ) => Promise<{ readonly requeued: readonly string[]; readonly lost: readonly string[]; readonly ended: readonly string[] }>
}

/**
 * Removes a server from the installation, whether it lives or not (decision 0470): captures go to the others, live sessions that somebody uses are
 * lost, what waits for it by name ends. It comes back by a new invitation alone.
 * @throws DomainError `capture.server_unknown`
 */
export async function removeServer(deps: RemovalDeps, by: By, serverId: string): Promise<Removed> {
  return await deps.db.transaction().execute(async (tx) => {
    await heldInside(tx, serverId)
    await setOutside(tx, serverId)
    const { requeued, lost, ended } = await deps.releaseServer(tx, serverId)
    const removed = { requeued: requeued.length, lost: lost.length, ended: ended.length }
    await recordAct(tx, deps.clock.now(), {
      action: 'capture.removed_server',
      actor: actorOf(by),
      subject: { type: 'server', id: serverId },
      data: removed,
    })
    return removed
  })
}

/** @returns what lets one machine join, once, and until when by the clock of the database; the token is kept nowhere */
export async function inviteServer(deps: Deps, by: By): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  return await deps.db.transaction().execute(async (tx) => {
    const expiresAt = await insertInvitation(tx, hashOf(token), invitationSeconds)
    await recordAct(tx, deps.clock.now(), { action: 'capture.invited_server', actor: actorOf(by), subject: null })
    return { token, expiresAt }
  })
}

/**
 * Makes a machine one of the installation, and pins its key.
 * @throws DomainError `capture.invitation_spent`; `capture.server_present` when a machine with another key has that id
 */
export async function joinServer(deps: Deps, server: CaptureServerIdentity, publicKey: Buffer, token: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await spendInvitation(tx, hashOf(token)))) throw new DomainError('forbidden', 'capture.invitation_spent')
    const known = await holdMembership(tx, server.id)
    if (known?.isOutside === false && known.publicKey?.equals(publicKey) !== true)
      throw new DomainError('conflict', 'capture.server_present')
    await admitServer(tx, server, publicKey)
    await recordAct(tx, deps.clock.now(), {
      action: 'capture.joined_server',
      actor: null,
      subject: { type: 'server', id: server.id },
      data: { key: keyFingerprint(publicKey) },
    })
  })
}

export const keyFingerprint = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('hex')

/**
 * At each start. The first machine of an installation joins by itself; of one that was there before machines had keys, the key is pinned now.
 * @returns false when it has not joined, or was removed: it takes nothing until it does
 * @throws Error when another machine is the server of this id
 */
export async function registerMachine(deps: Deps, server: CaptureServerIdentity, publicKey: Buffer): Promise<boolean> {
  return await deps.db.transaction().execute(async (tx) => {
    const isFirst = await isFirstServer(tx)
    const known = await holdMembership(tx, server.id)
    if (known === null) {
      await admitServer(tx, server, publicKey)
      if (!isFirst) await setOutside(tx, server.id)
      await insertServerEvent(tx, { serverId: server.id, kind: 'registered' })
      return isFirst
    }
    if (known.isOutside) return false
    if (known.publicKey === null) await pinKey(tx, server.id, publicKey)
    else if (!known.publicKey.equals(publicKey))
      throw new Error(
        `another machine, which has another key, is capture server ${server.id}: choose another PROBANT_SERVER_ID, or remove that one first`,
      )
    return true
  })
}
