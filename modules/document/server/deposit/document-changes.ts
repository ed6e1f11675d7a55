import { createFollowers, type Follower } from '../../../../platform/db/followers.ts'

/** Who follows which deposit. */
export type DocumentChanges = {
  /** With the payload of each notification of {@link documentChannel}: an id, `batch:` with that of a batch, or `many`. */
  announce(payload: string): void
  /** After a lost subscription: everybody reads again. */
  announceAll(): void
  /** Each waits with the id of his deposit's batch, as he read it last. */
  follow(id: string): Follower<string | null>
}

export const documentChannel = 'document'
/** Payload that says that an anchor got on. */
export const anchorPayload = 'anchor'

export function createDocumentChanges(): DocumentChanges {
  const followers = createFollowers<string | null>()
  return {
    announce(payload) {
      if (payload === 'many' || payload === anchorPayload) followers.wakeAll()
      else if (payload.startsWith('batch:')) followers.wakeAll((batchId) => batchId === payload.slice('batch:'.length))
      else followers.wake(payload)
    },
    announceAll: () => followers.wakeAll(),
    follow: (id) => followers.follow(id),
  }
}
