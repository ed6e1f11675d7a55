import { createHash } from 'node:crypto'
import type { Tx } from '../../../../platform/db/database.ts'
import { findDocument, type DocumentRecord } from '../deposit/store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { opensCopyKey, scopeOfCopy } from './copy-key.ts'
import {
  announceCopy,
  dropPart,
  findCopy,
  listPieces,
  setCopyState,
  setStored,
  setUnopened,
  type CopyRecord,
} from './copy-store.ts'
import { endCopy } from './end-copy.ts'
import { PartDamaged } from './part-cipher.ts'
import { copyBytes } from './read-copy.ts'
import { certifyAnew } from './wish-copy.ts'

const dayMs = 24 * 60 * 60 * 1000

type Found = { readonly sha256: Buffer; readonly sha512: Buffer }

/**
 * The job: computes the fingerprint of what came, from the stored bytes themselves. The same as deposited: it is kept, and certificates say so.
 * Another: it is refused, and goes at once. A piece that the store lost or damaged must come again. One whose key does not open is left
 * alone, and said so once. May be repeated after a crash.
 */
export async function compareCopy(deps: CopyDeps, copyId: string, signal: AbortSignal): Promise<void> {
  const copy = await findCopy(deps.db, copyId)
  if (copy?.state !== 'comparing' || copy.documentId === null) return
  const { documentId } = copy
  if (copy.sealedKey !== null && !opensCopyKey(deps.vault, copyId, copy.sealedKey)) {
    if ((await setUnopened(deps.db, [copyId], deps.clock.now())) > 0)
      deps.log.error(
        { document: documentId },
        'the key of a copy does not open: it was kept under another master key, or damaged',
      )
    await announceCopy(deps.db, documentId)
    return
  }
  let found: Found
  try {
    found = await hashCopy(deps, copy, signal)
  } catch (error) {
    if (!(error instanceof PartDamaged)) throw error
    deps.log.error({ err: error, document: documentId }, 'a piece of a copy is damaged: it must be sent again')
    await settle(deps, copyId, async (tx) => {
      await dropPart(tx, copyId, error.part)
      await setCopyState(tx, copyId, 'receiving', deps.clock.now())
    })
    return
  }
  const stored = await settle(deps, copyId, async (tx, record) => {
    const now = deps.clock.now()
    if (!isOf(record, found)) {
      await endCopy(tx, copyId, { by: 'differs', at: now, foundSha256: found.sha256 })
      return false
    }
    await setStored(tx, copyId, { storedAt: now, keptUntil: new Date(now.getTime() + deps.copyLimits.days * dayMs) })
    await certifyAnew(tx, record)
    return true
  })
  if (stored === true) await sweepScope(deps, copyId)
}

async function hashCopy(deps: CopyDeps, copy: CopyRecord, signal: AbortSignal): Promise<Found> {
  const [sha256, sha512] = [createHash('sha256'), createHash('sha512')]
  for await (const chunk of copyBytes(deps, copy, { start: 0, end: copy.bytes })) {
    signal.throwIfAborted()
    sha256.update(chunk)
    sha512.update(chunk)
  }
  return { sha256: sha256.digest(), sha512: sha512.digest() }
}

function isOf({ sha256, sha512 }: DocumentRecord, found: Found): boolean {
  return found.sha256.equals(sha256) && (sha512 === null || found.sha512.equals(sha512))
}

/** Unless it was deleted meanwhile, or its deposit. */
async function settle<T>(
  { db }: Pick<CopyDeps, 'db'>,
  copyId: string,
  act: (tx: Tx, record: DocumentRecord) => Promise<T>,
): Promise<T | null> {
  return await db.transaction().execute(async (tx) => {
    const copy = await findCopy(tx, copyId, true)
    if (copy?.state !== 'comparing' || copy.documentId === null) return null
    const record = await findDocument(tx, copy.documentId)
    if (record === null) return null
    const done = await act(tx, record)
    await announceCopy(tx, copy.documentId)
    return done
  })
}

/** Pieces that a killed process wrote and no row names. */
async function sweepScope({ db, blobs }: Pick<CopyDeps, 'db' | 'blobs'>, copyId: string): Promise<void> {
  const named = new Set((await listPieces(db, copyId)).map(({ blob }) => blob))
  // Ended meanwhile: all of it is cleared.
  if (named.size === 0) return
  const kept = blobs.scope(scopeOfCopy(copyId))
  for await (const { sha256 } of kept.list()) if (!named.has(sha256)) await kept.remove(sha256)
}
