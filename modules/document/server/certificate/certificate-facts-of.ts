import { toHex } from '../../../../kernel/bytes.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { hasEnded, identityStatusOf } from '../../../review/server/index.ts'
import { anchorNetwork, findAnchored, qualifyToken, type PublicLog } from '../../../sealing/server/index.ts'
import type { BitcoinNetwork, TrustedLists } from '../../../verification/server/index.ts'
import { findPath, listBatchFiles } from '../deposit/batch-store.ts'
import type {
  CertificateFacts,
  CertificateRenewal,
  CertificateStamp,
  Depositor,
  EarlierVersion,
} from './page/certificate-facts.ts'
import { findCopyOf, type CopyRecord } from '../copy/copy-store.ts'
import type { SealedDeposit } from '../proofs/sealed-deposit.ts'
import { listRenewals } from '../stamps/health-store.ts'
import { recordName, renewalCaName } from '../stamps/stamp-chains.ts'
import { findPeople } from '../../../../platform/reach/people-store.ts'
import { loggedOf } from '../seal/seal-batch.ts'
import { shareToken } from '../links/share-token.ts'
import { findDocument } from '../deposit/store.ts'

export type FactsDeps = {
  readonly db: Db
  /** The trusted lists that stand; absent: nothing is said of whether a time stamp is qualified. */
  readonly lists?: () => Promise<TrustedLists>
  readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath'>
  /** Whether checkpoints of the log are anchored. */
  readonly anchoring: boolean
  /** Into which chain; `main` when absent. */
  readonly bitcoinNetwork?: BitcoinNetwork
  readonly secret: string
  /** Without trailing slash. */
  readonly publicUrl: string
  readonly verifierUrl: string | null
}

/** As many earlier versions as are told of. */
const mostEarlier = 20

/** What the certificate of a deposit says, as it stands now. */
export async function certificateFactsOf(deps: FactsDeps, sealed: SealedDeposit, now: Date): Promise<CertificateFacts> {
  const { record, batch } = sealed
  const { summary } = batch
  // Though it be deleted since, or another take its place: it was compared.
  const copy = await findCopyOf(deps.db, record.id)
  const depositor = await depositorOf(deps.db, record.createdBy, now)
  return {
    id: record.id,
    sha256: toHex(record.sha256),
    sha512: record.sha512 === null ? null : toHex(record.sha512),
    name: record.name,
    description: record.description,
    replaces: await earlierOf(deps.db, record.replaces, record.ownerId),
    stored: storedOf(copy),
    depositor,
    owner: record.ownerId === record.createdBy ? null : await depositorOf(deps.db, record.ownerId, now),
    apiKey: record.apiKey,
    receivedAt: record.createdAt.toISOString(),
    root: toHex(batch.root),
    batch: { size: batch.size, steps: (await findPath(deps.db, record.id)).length },
    signedAt: summary.signed_at,
    signer: summary.signer,
    ...(await stampsOf(deps, sealed)),
    outsideStamps: batch.outsideStamps,
    log: summary.log === null ? null : { ...summary.log, blind: toHex(batch.blind) },
    anchor: await anchorOf(deps, sealed),
    shareUrl:
      record.shareNonce === null ? null : `${deps.publicUrl}/shared/${shareToken(deps.secret, record.id, record.shareNonce)}/`,
    verifierUrl: deps.verifierUrl,
  }
}

function storedOf(copy: CopyRecord | null): CertificateFacts['stored'] {
  if (copy?.compared == null) return null
  const { compared, storedAt, endedAt } = copy
  return {
    bytes: compared.bytes,
    comparedAt: compared.at.toISOString(),
    // What ended was that copy, and not another that was to take its place.
    deletedAt: storedAt === null ? null : (endedAt?.toISOString() ?? null),
  }
}

async function stampsOf(deps: FactsDeps, { batch }: SealedDeposit): Promise<Pick<CertificateFacts, 'stamps' | 'renewals'>> {
  const lists = await deps.lists?.()
  const qualificationOf = (
    token: { readonly response: Uint8Array; readonly issuers: Uint8Array; readonly genTime: Date },
    embedded: boolean,
  ): CertificateStamp['qualification'] =>
    embedded || lists === undefined
      ? { state: embedded ? 'not_qualified' : 'not_established', source: null }
      : qualifyToken(token, lists)
  const files = new Map((await listBatchFiles(deps.db, batch.id)).map(({ name, data }) => [name, data]))
  const read = (name: string): Uint8Array => files.get(name) ?? new Uint8Array()
  const stamps: CertificateStamp[] = []
  for (const { file, ca_file: caFile, authority, gen_time: genTime, serial, embedded } of batch.summary.timestamps) {
    const token = { response: read(file), issuers: read(caFile), genTime: new Date(genTime) }
    stamps.push({ file, caFile, authority, genTime, serial, embedded, qualification: qualificationOf(token, embedded) })
  }
  const renewals = (await listRenewals(deps.db, batch.id)).map((renewal): CertificateRenewal => {
    const { token: response, ca: issuers, genTime, number, authority, serial, embedded } = renewal
    const qualification = qualificationOf({ response, issuers, genTime }, embedded)
    const stamp = { authority, genTime: genTime.toISOString(), serial, embedded, qualification }
    return { file: recordName(renewal), number, caFile: renewalCaName(renewal), ...stamp }
  })
  return { stamps, renewals }
}

async function depositorOf(db: Db, userId: string, now: Date): Promise<Depositor> {
  const person = (await findPeople(db, [userId])).get(userId) ?? null
  const { state, decidedAt, expiresOn } = await identityStatusOf(db, userId)
  const verified = state === 'success' && !hasEnded(expiresOn, now.toISOString().slice(0, 10))
  return {
    name: person?.name ?? '',
    confirmedAt: person?.confirmedAt?.toISOString() ?? null,
    identityVerifiedAt: verified ? (decidedAt?.toISOString() ?? null) : null,
  }
}

/** Of the same account, nearest first. */
async function earlierOf(db: Db, first: string | null, ownerId: string): Promise<EarlierVersion[]> {
  const versions: EarlierVersion[] = []
  const seen = new Set<string>()
  for (let id = first; id !== null && versions.length < mostEarlier && !seen.has(id);) {
    seen.add(id)
    const record = await findDocument(db, id)
    if (record === null || record.ownerId !== ownerId) break
    versions.push({ id, name: record.name, sealedAt: record.sealedAt?.toISOString() ?? null })
    id = record.replaces
  }
  return versions
}

async function anchorOf(
  { db, publicLog, anchoring, bitcoinNetwork }: FactsDeps,
  { batch }: SealedDeposit,
): Promise<CertificateFacts['anchor']> {
  const anchored =
    publicLog === undefined || batch.anchoredAt === null
      ? null
      : await findAnchored({ db, publicLog }, loggedOf(batch, batch.root))
  if (anchored !== null) {
    const { height, header, time } = anchored.block
    return { network: anchorNetwork({ height, header }, bitcoinNetwork), block: { height, time: time.toISOString() } }
  }
  return anchoring && batch.summary.log !== null ? { network: anchorNetwork(null, bitcoinNetwork), block: null } : null
}
