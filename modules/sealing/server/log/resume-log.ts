import { equalBytes } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import {
  checkNoteSignature,
  leafHash,
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
} from '../../../verification/server/index.ts'
import type { Keyring } from '../keyring/signer.ts'
import { growTree, readFrontier, writeFrontier } from './grow-tree.ts'
import { openKeptCheckpoint } from './kept-checkpoint.ts'
import { appendLeaves, findCheckpoint, lockLogHead } from './log-store.ts'

export type ResumeDeps = {
  readonly db: Db
  readonly keyring: Pick<Keyring, 'publishedKeys'>
  readonly folder: string
}

/** Entries of leaves that the database does not have, the first being at `first`. */
export type LogTail = { readonly first: number; readonly entries: readonly Uint8Array[] }

/**
 * Lets the log go on. Leaves that were published after the backup are put back from `tail`, where they are known, up to exactly the tree
 * that was signed: their roots are in the packages of their owners, which still verify.
 * @param newest the newest checkpoint that anybody has, as it was signed; null: none was given out since the backup
 * @throws DomainError `sealing.checkpoint_not_ours`, `sealing.log_forked`, `sealing.log_lacks_leaves`
 */
export async function resumeLog(
  { db, keyring, folder }: ResumeDeps,
  newest: Uint8Array | null,
  tail: LogTail | null,
): Promise<{ size: number; added: number }> {
  const kept = await openKeptCheckpoint(folder)
  const notes = [await kept.note(), newest].filter((note) => note !== null)
  const done = await db.transaction().execute(async (tx) => {
    let added = 0
    // What was carried here is known outside too: the log goes on from the larger of both, and holds the smaller.
    const { origin } = await lockLogHead(tx)
    const known = await Promise.all(notes.map(async (note) => ({ note, checkpoint: await readOwn(keyring, note, origin) })))
    for (const each of known.toSorted((a, b) => a.checkpoint.size - b.checkpoint.size)) added += await growTo(tx, each, tail)
    return { size: (await lockLogHead(tx)).size, added }
  })
  await kept.letGo(await findCheckpoint(db))
  return done
}

type Known = { readonly checkpoint: SignedCheckpoint; readonly note: Uint8Array }

/** @returns how many leaves came back */
async function growTo(tx: Tx, { checkpoint, note }: Known, tail: LogTail | null): Promise<number> {
  const head = await lockLogHead(tx)
  const { size, rootHash } = checkpoint
  const forked = () => new DomainError('conflict', 'sealing.log_forked', { size })
  if (size <= head.size) {
    const stored = await findCheckpoint(tx, size)
    // Each tree that was signed is stored with the leaves that it covers.
    if (stored === null || !equalBytes(stored.rootHash, rootHash)) throw forked()
    return 0
  }
  const entries = entriesBetween(tail, head.size, size)
  if (entries === null) throw new DomainError('conflict', 'sealing.log_lacks_leaves', { size, stored: head.size })
  const leaves = entries.map((entry, i) => ({ index: head.size + i, entry, leafHash: leafHash(entry) }))
  const grown = growTree(
    readFrontier(head.size, head.frontier),
    leaves.map((leaf) => leaf.leafHash),
  )
  if (!equalBytes(grown.rootHash, rootHash)) throw forked()
  const frontier = writeFrontier(grown)
  await appendLeaves(tx, {
    origin: checkpoint.origin,
    size,
    frontier,
    leaves,
    subtrees: grown.subtrees,
    checkpoint: { rootHash, note },
    at: new Date(),
  })
  return leaves.length
}

/** @throws DomainError `sealing.checkpoint_not_ours` */
async function readOwn(keyring: ResumeDeps['keyring'], note: Uint8Array, origin: string | null): Promise<SignedCheckpoint> {
  const checkpoint = parseCheckpoint(note)
  const published = checkpoint === null ? null : await keyring.publishedKeys({ log: checkpoint.origin })
  const isOurs =
    checkpoint !== null &&
    (origin === null || checkpoint.origin === origin) &&
    (published?.log ?? []).some(({ id }) => {
      const key = parseVerifierKey(id)
      return key !== null && checkNoteSignature(checkpoint.note, key) === 'valid'
    })
  if (checkpoint === null || !isOurs) throw new DomainError('invalid', 'sealing.checkpoint_not_ours')
  return checkpoint
}

function entriesBetween(tail: LogTail | null, from: number, to: number): readonly Uint8Array[] | null {
  if (tail === null || tail.first > from || tail.first + tail.entries.length < to) return null
  return tail.entries.slice(from - tail.first, to - tail.first)
}
