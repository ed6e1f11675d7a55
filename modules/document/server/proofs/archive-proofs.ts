import type { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { zipStream, type ZipFile } from '../../../../platform/zip/stream-zip.ts'
import type { downloadManyProofs, proofKinds } from '../../contract/endpoints.ts'
import { findBatches, findPaths } from '../deposit/batch-store.ts'
import { listCertificatesOf } from '../deposit/certificate-store.ts'
import type { Places } from '../../../../platform/http/request/places.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import type { SealedDeposit } from './sealed-deposit.ts'
import { openProofs, readCertificateFile, type ProofEntry } from './download-proofs.ts'
import { proofsReadme } from './proofs-readme.ts'
import { findAllReachable } from '../deposit/reach-store.ts'
import type { DocumentRecord } from '../deposit/store.ts'

type Asked = BodyOf<typeof downloadManyProofs>
type Kind = (typeof proofKinds)[number]

/** Of which ways to the root and certificates are looked up at once. */
const together = 100
const stalledMs = 60_000
/** 10,000 deposits over a line of a megabit a second. */
const longestMs = 60 * 60 * 1000

/** Which deposit has which folder, or why it has none. */
type Line = { readonly id: string; readonly record: DocumentRecord | null; readonly sealed: SealedDeposit | null }

/**
 * The proofs of many deposits as one archive, made as it is sent (decision 0254). What is asked twice is in it once.
 * @returns the stream of the archive; whoever reads it must end or destroy it
 * @throws DomainError not found `document.not_found` where none is both reached and final; limited `document.too_many_archives`
 */
export async function archiveProofs(deps: DocumentWebDeps, places: Places, actor: Actor, asked: Asked): Promise<Readable> {
  const leave = places.take(actor.userId)
  try {
    const lines = await linesOf(deps, actor, [...new Set(asked.ids)])
    const sealed = lines.flatMap((line) => line.sealed ?? [])
    if (sealed.length === 0) throw new DomainError('not_found', 'document.not_found')
    const kinds = asked.files === undefined ? null : new Set(asked.files)
    const stream = zipStream(filesOf(deps, lines, sealed, kinds), { stalledMs, longestMs })
    stream.once('close', leave)
    return stream
  } catch (error) {
    leave()
    throw error
  }
}

async function linesOf(deps: DocumentWebDeps, actor: Actor, ids: readonly string[]): Promise<Line[]> {
  const records = await findAllReachable(deps.db, actor, ids)
  const batches = await findBatches(
    deps.db,
    [...records.values()].flatMap(({ status, batchId }) => (status === 'final' && batchId !== null ? [batchId] : [])),
  )
  return ids.map((id) => {
    const record = records.get(id) ?? null
    const batch = record?.batchId == null ? undefined : batches.get(record.batchId)
    if (record?.status !== 'final' || record.batchId === null || batch?.root == null || batch.summary === null)
      return { id, record, sealed: null }
    const sealed = {
      record: { ...record, batchId: record.batchId },
      batch: { ...batch, root: batch.root, summary: batch.summary },
    }
    return { id, record, sealed }
  })
}

/** The declared name, as far as any file system takes it, before the id: people look for it. */
function folderOf({ id, name }: Pick<DocumentRecord, 'id' | 'name'>): string {
  const told = (name ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .replaceAll(/^[._-]+/g, '')
    .slice(0, 60)
  return told === '' ? id : `${told}_${id}`
}

function indexOf(lines: readonly Line[]): Uint8Array {
  const deposits = lines.map(({ id, record, sealed }) => ({
    id,
    folder: sealed === null ? null : folderOf(sealed.record),
    code: sealed !== null ? null : record === null ? 'document.not_found' : codeOf(record),
    sha256: record === null ? null : toHex(record.sha256),
    document_name: record?.name ?? null,
    sealed_at: record?.sealedAt?.toISOString() ?? null,
    root: sealed === null ? null : toHex(sealed.batch.root),
    batch_size: sealed?.batch.size ?? null,
  }))
  return Buffer.from(`${JSON.stringify({ format: 'probant-deposits/1', deposits }, null, 1)}\n`, 'utf8')
}

const codeOf = ({ status }: DocumentRecord) => (status === 'expired' ? 'document.expired' : 'document.not_final')

async function* filesOf(
  deps: DocumentWebDeps,
  lines: readonly Line[],
  sealed: readonly SealedDeposit[],
  kinds: ReadonlySet<Kind> | null,
): AsyncGenerator<ZipFile> {
  yield { path: 'deposits.json', data: indexOf(lines) }
  for (const members of Map.groupBy(sealed, ({ batch }) => batch.id).values()) {
    const [{ batch }] = members as [SealedDeposit]
    const proofs = await openProofs(deps, batch)
    for (let at = 0; at < members.length; at += together) {
      const some = members.slice(at, at + together)
      const ids = some.map(({ record }) => record.id)
      const paths = await findPaths(deps.db, ids)
      const certificates = kinds?.has('certificate') === false ? new Map() : await listCertificatesOf(deps.db, ids)
      for (const each of some) {
        const { record } = each
        const entries: ProofEntry[] = []
        for (const kept of certificates.get(record.id) ?? []) entries.push(await readCertificateFile(deps, record.id, kept))
        entries.push(...proofs.of(record.sha256, paths.get(record.id) ?? []))
        const names = entries.map(({ name }) => name)
        const folder = folderOf(record)
        if (kinds === null) yield { path: `${folder}/README.txt`, data: proofsReadme(each, names, proofs.renewals) }
        for (const { name, data } of entries)
          if (kinds === null || kinds.has(kindOf(name) as Kind)) yield { path: `${folder}/${name}`, data }
      }
    }
  }
}

/** Null: of no kind that is asked for by itself, as the signature. */
function kindOf(name: string): Kind | null {
  if (name === 'document.tsr') return 'tsr'
  if (name === 'document.ers') return 'ers'
  if (name.endsWith('.ots')) return 'ots'
  if (name.endsWith('.chainpoint.json')) return 'chainpoint'
  return name.endsWith('.pdf') ? 'certificate' : null
}
