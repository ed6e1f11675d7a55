import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor } from '../../kernel/actor.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createDocuments } from '../../modules/document/server/change/create-documents.ts'
import { sealBatch } from '../../modules/document/server/seal/seal-batch.ts'
import { shareDocument } from '../../modules/document/server/change/share-document.ts'
import { shareToken } from '../../modules/document/server/links/share-token.ts'
import { findDocument } from '../../modules/document/server/deposit/store.ts'
import { createTimestampers, openKeyring } from '../../modules/sealing/server/index.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { silentLog } from '../../platform/log/log.ts'
import { linkSecret } from './open-web-api.test-data.ts'

/** Deposits of `owner`. */
export type Deposits = { readonly draft: string; readonly final: string; readonly shareToken: string }

/** A draft, and one that is sealed with real keys and shared. */
export async function haveDeposits(db: Db, blobs: BlobStore, ownerId: string, label: string): Promise<Deposits> {
  const actor: Actor = {
    userId: ownerId,
    accountId: ownerId,
    delegation: null,
    sessionId: randomUUID(),
    roles: new Set(),
    secondFactor: false,
    locale: 'en',
  }
  const folder = await mkdtemp(join(tmpdir(), 'probant-deposits-'))
  try {
    const clock = systemClock
    const asked = () => ({ sha256: createHash('sha256').update(randomBytes(9)).digest('hex'), label, store: true })
    const [draft] = await createDocuments({ db, clock }, actor, { documents: [asked()], agree: false })
    const [final] = await createDocuments({ db, clock }, actor, { documents: [asked()], agree: true })
    if (draft === undefined || final?.batchId == null) throw new Error('nothing was deposited')
    const keyring = await openKeyring({ dir: folder, clock, log: silentLog })
    const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
    await sealBatch({ db, blobs, clock, log: silentLog, keyring, timestampers }, final.batchId)
    await shareDocument({ db, blobs, clock, log: silentLog, secret: linkSecret }, actor, final.id)
    const nonce = (await findDocument(db, final.id))?.shareNonce ?? new Uint8Array()
    return { draft: draft.id, final: final.id, shareToken: shareToken(linkSecret, final.id, nonce) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
