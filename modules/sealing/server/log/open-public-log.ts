import { randomBytes } from 'node:crypto'
import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { formatCheckpoint, formatNote, leafHash, logEntryOf, type VerifierKey } from '../../../verification/server/index.ts'
import type { Keyring } from '../keyring/signer.ts'
import { growTree, readFrontier, rootOfFrontier, writeFrontier } from './grow-tree.ts'
import { openKeptCheckpoint } from './kept-checkpoint.ts'
import { appendLeaves, findCheckpoint, findRoots, lockLogHead, type NewLeaf } from './log-store.ts'
import type { Checkpoint, LoggedRoot, PublicLog } from './public-log.ts'
import { inclusionPath, proofOf, writeProof } from './read-log.ts'
import { findCosigners } from './witness-store.ts'

/** As many roots as one transaction puts in; more wait for the next. */
const largestBatch = 1000

type Waiting = {
  readonly root: Uint8Array
  readonly resolve: (found: { logged: LoggedRoot; checkpoint: Checkpoint }) => void
  readonly reject: (error: unknown) => void
}

export type PublicLogDeps = {
  readonly db: Db
  readonly keyring: Pick<Keyring, 'logSigner'>
  readonly clock: Clock
  /** Identity of the log, fixed by its first leaf: later ones keep that. */
  readonly origin: string
  /** Where the newest checkpoint given out is kept, beside the database. */
  readonly folder: string
  /** Witnesses that are asked to cosign. */
  readonly witnesses?: readonly VerifierKey[]
  /** Told of each new checkpoint, after it is committed and kept; never awaited by whoever seals. */
  readonly onCheckpoint?: (checkpoint: Checkpoint) => void
}

/**
 * The log, for whoever may append: leaf, tree and signed checkpoint are one transaction under the lock of the head, so that
 * no crash publishes a checkpoint that the store does not have, and no two workers sign two trees of one size.
 */
export async function openPublicLog(deps: PublicLogDeps): Promise<PublicLog> {
  const { db } = deps
  const kept = await openKeptCheckpoint(deps.folder)

  const append = async (roots: readonly Uint8Array[]): Promise<{ logged: LoggedRoot[]; checkpoint: Checkpoint }> => {
    const done = await db.transaction().execute(async (tx) => {
      const head = await lockLogHead(tx)
      await kept.refuseOlder(tx)
      const known = await findRoots(tx, roots)
      const newest = await findCheckpoint(tx)
      const frontier = readFrontier(head.size, head.frontier)
      const stored = newest === null ? head.size === 0 : newest.size === head.size && isRootOf(frontier, newest)
      if (!stored) throw new DomainError('unavailable', 'sealing.log_damaged', { size: head.size })
      const missing = missingOf(roots, known)
      if (missing.length === 0 && newest !== null) return { logged: known, checkpoint: newest }

      const at = deps.clock.now()
      const leaves = missing.map((root, i): NewLeaf => {
        const salt = new Uint8Array(randomBytes(32))
        const entry = logEntryOf(salt, root)
        return { index: head.size + i, root, salt, entry, leafHash: leafHash(entry) }
      })
      const grown = growTree(
        frontier,
        leaves.map((leaf) => leaf.leafHash),
      )
      const origin = head.origin ?? deps.origin
      const signer = await deps.keyring.logSigner(origin)
      const text = formatCheckpoint({ origin, size: grown.size, rootHash: grown.rootHash, extensions: [] })
      const signature = await signer.sign(new TextEncoder().encode(text))
      const note = formatNote(text, [{ name: signer.name, keyId: signer.keyId, signature }])
      const checkpoint: Checkpoint = { size: grown.size, rootHash: grown.rootHash, note, at }
      await appendLeaves(tx, {
        origin,
        size: grown.size,
        frontier: writeFrontier(grown),
        leaves,
        subtrees: grown.subtrees,
        checkpoint,
        at,
      })
      const logged = leaves.map(({ root, salt, index }): LoggedRoot => ({ root, salt, index, loggedAt: at }))
      return { logged: [...known, ...logged], checkpoint }
    })
    await kept.keep(done.checkpoint)
    return done
  }

  let waiting: Waiting[] = []
  let running = false
  /** Whoever comes while a transaction runs shares the next one: one signature and one commit for all of them. */
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largestBatch)
      waiting = waiting.slice(largestBatch)
      try {
        const { logged, checkpoint } = await append(batch.map(({ root }) => root))
        const byRoot = new Map(logged.map((each) => [toHex(each.root), each]))
        for (const { root, resolve, reject } of batch) {
          const found = byRoot.get(toHex(root))
          if (found === undefined) reject(new Error('the log lost a root that was just put into it'))
          else resolve({ logged: found, checkpoint })
        }
        deps.onCheckpoint?.(checkpoint)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  const enqueue = async (root: Uint8Array): Promise<{ logged: LoggedRoot; checkpoint: Checkpoint }> => {
    const answer = Promise.withResolvers<{ logged: LoggedRoot; checkpoint: Checkpoint }>()
    waiting.push({ root, resolve: answer.resolve, reject: answer.reject })
    // One turn of the loop later, so that what is asked for at once goes together.
    if (!running) {
      running = true
      queueMicrotask(() => void drain())
    }
    return await answer.promise
  }

  return {
    async include(root) {
      if (root.length !== 32) throw new RangeError('a root has 32 octets')
      const { logged, checkpoint } = await enqueue(Uint8Array.from(root))
      return { logged, proof: await writeProof(db, logged, checkpoint) }
    },
    ...logReader(db),
    cosigners: async (asked) => await findCosigners(db, deps.witnesses ?? [], asked),
  }
}

/** What the log answers without any key. */
export function logReader(db: Db): Omit<PublicLog, 'include'> {
  return {
    find: async (root) => (await findRoots(db, [root]))[0] ?? null,
    checkpoint: async () => await findCheckpoint(db),
    checkpointAt: async (size) => await findCheckpoint(db, size),
    inclusionPath: async (index, size) => await inclusionPath(db, index, size),
    proofOf: async (root) => await proofOf(db, root),
  }
}

function missingOf(roots: readonly Uint8Array[], known: readonly LoggedRoot[]): Uint8Array[] {
  const seen = new Set(known.map(({ root }) => toHex(root)))
  return roots.filter((root) => {
    const hex = toHex(root)
    if (seen.has(hex)) return false
    seen.add(hex)
    return true
  })
}

function isRootOf(frontier: ReturnType<typeof readFrontier>, checkpoint: Checkpoint): boolean {
  return equalBytes(rootOfFrontier(frontier), checkpoint.rootHash)
}
