import { fromHex } from '../../../../kernel/bytes.ts'
import {
  nextAsk,
  sealPieces,
  wishedTimestampers,
  type Keyring,
  type PublicLog,
  type Timestamper,
} from '../../../sealing/server/index.ts'
import type { Piece, PieceRole } from '../../../verification/server/index.ts'
import { draftLifetimeMs } from '../../domain/status.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { healthOf } from './health-of.ts'
import { storeBytes } from '../files/store-files.ts'
import { subjectOf } from './subject-of.ts'
import { insertFiles, listFiles, type FileRecord } from '../files/file-store.ts'
import { insertSeal } from './seal-store.ts'
import { changeStatus, findEvidence, lockEvidence, type EvidenceRecord } from '../record/store.ts'

export type SealDeps = EvidenceDeps & {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  /** Every sealed root is put into it; absent only where there is none. */
  readonly publicLog?: PublicLog
  /** Name of this installation's witness, for the list of its keys. */
  readonly witness?: string
}

/** The authorities that may be asked for the stamps of one evidence (E-55, decision 0279). */
export function timestampersFor(
  { timestampers }: Pick<SealDeps, 'timestampers'>,
  { outsideStamps }: Pick<EvidenceRecord, 'outsideStamps'>,
): readonly Timestamper[] {
  return wishedTimestampers(timestampers, { ownOnly: !outsideStamps })
}

/**
 * Seals what was captured, before anybody looks at it: manifest, root, signature, timestamp, place in the log. Done once: the outside calls
 * come first and may be repeated after a crash, then seal, files and status are committed together, and the primary key of
 * the seal refuses a second one.
 */
export async function sealEvidence(deps: SealDeps, evidenceId: string): Promise<void> {
  const evidence = await findEvidence(deps.db, evidenceId)
  if (evidence === null || evidence.status !== 'completing') return
  const { facts } = evidence
  if (facts === null) throw new Error(`evidence ${evidenceId} is completing without facts`)
  const files = (await listFiles(deps.db, evidenceId)).filter((file) => file.section === 'piece')
  const pieces = files.map((file): Piece => ({
    path: file.path,
    role: file.role as PieceRole,
    media_type: file.mediaType,
    bytes: file.bytes,
    sha256: file.sha256,
  }))
  const subject = subjectOf(evidence.id, evidence.action, facts)
  const timestampers = timestampersFor(deps, evidence)
  const sealed = await sealPieces({ subject, pieces }, { ...deps, timestampers, log: deps.publicLog, witness: deps.witness })
  const summary = evidence.outsideStamps ? sealed.summary : { ...sealed.summary, outside_stamps: false }
  const scope = deps.blobs.scope(evidenceId)
  const sealFiles: FileRecord[] = []
  for (const file of sealed.files) {
    sealFiles.push(
      await storeBytes(scope, { path: file.path, section: 'seal', role: null, mediaType: file.media_type }, file.bytes),
    )
  }
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockEvidence(tx, evidenceId)
    if (locked?.status !== 'completing') return
    const now = deps.clock.now()
    await insertSeal(tx, evidenceId, {
      root: sealed.root,
      summary,
      sealedAt: now,
      health: healthOf(new Map(sealed.files.map(({ path, bytes }) => [path, bytes])), fromHex(sealed.root), now),
      askAgainAt: sealed.summary.pending_authorities.length === 0 ? null : nextAsk(now, 0),
    })
    await insertFiles(tx, evidenceId, sealFiles)
    await changeStatus(tx, evidenceId, 'to_validate', now, { expiresAt: new Date(now.getTime() + draftLifetimeMs) })
  })
}
