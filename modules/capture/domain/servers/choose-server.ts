import type { CaptureServerState } from './capture-server.ts'

/**
 * Who may take a capture (decision 0101): the server that was asked for and no other; without a wish, any public one.
 * A dedicated server is never chosen automatically.
 */
export function mayTake(server: Pick<CaptureServerState, 'id' | 'kind'>, asked: string | null): boolean {
  return asked === null ? server.kind === 'public' : server.id === asked
}

/**
 * Whether it may be asked for by name: a public one by anybody, a dedicated one by the members of the group that it is assigned to, and by nobody
 * while it is assigned to none (decision 0338).
 * @param groupId of the account that asks; null: it is in none, or a visitor without account asks
 */
export function mayBeAskedFor(server: Pick<CaptureServerState, 'kind' | 'ownerGroup'>, groupId: string | null = null): boolean {
  return server.kind === 'public' || (server.ownerGroup !== null && server.ownerGroup === groupId)
}

/** H-11, `lost`: the only servers that may take it do not answer, and `drained`: they take nothing new. */
export type WaitingReason = 'queue' | 'starting' | 'mismatch' | 'drained' | 'lost'

/**
 * Why a capture waits.
 * @param setAside a server was set aside for this very capture, which waits for another since
 * @param action a server that is ready, but for no live session, counts as one that has still to come for those
 */
export function whyWaiting(
  servers: readonly CaptureServerState[],
  asked: string | null,
  setAside: boolean,
  action: 'static' | 'interactive' = 'static',
): WaitingReason {
  if (setAside) return 'mismatch'
  const offers = (server: CaptureServerState) => action === 'static' || server.interactive.capacity > 0
  const statuses = new Set(
    servers
      .filter((server) => mayTake(server, asked))
      .map((server) => (server.status === 'ready' && !offers(server) ? 'starting' : server.status)),
  )
  if (statuses.has('ready')) return 'queue'
  if (statuses.has('starting')) return 'starting'
  if (statuses.has('set_aside')) return 'mismatch'
  if (statuses.has('drained')) return 'drained'
  // The server that was chosen is gone; without a wish, whichever starts next will do.
  return asked === null ? 'starting' : 'lost'
}
