import { listPurchases } from '../../../billing/server/index.ts'
import { conditionsOf, listServerStates, wasSetAsideFor, whyWaiting, type CaptureFacts } from '../../../capture/server/index.ts'
import { qualificationOf, type Qualifications } from '../../../sealing/server/index.ts'
import type { Evidence, EvidenceLive, EvidencePhase, EvidencePreview } from '../../contract/evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { listFilesOf, type FileRecord } from '../files/file-store.ts'
import { findSeals, type SealRecord } from '../seal/seal-store.ts'
import { findLiveTime } from '../../../live/server/index.ts'
import { lastingExpiry, linksFor, type LinkTo } from '../own/link-to.ts'
import { findPeople, type Person } from '../../../../platform/reach/people-store.ts'
import { presentAnchor, readAnchors, type Anchors } from '../anchor/present-anchor.ts'
import { presentSession } from './present-session.ts'
import type { Caller } from '../own/reach-store.ts'
import { queuePosition } from '../queue/queue-store.ts'
import { type EvidenceRecord } from '../record/store.ts'

const phaseOfStatus = {
  queued: 'waiting_environment',
  preparing: 'preparing',
  capturing: 'capturing',
  completing: 'completing',
  to_validate: 'finished',
  awaiting_payment: 'finished',
  finalizing: 'finished',
  final: 'finished',
  rejected: 'finished',
  failed: 'finished',
  expired: 'finished',
} as const

export async function presentPhase(deps: Pick<EvidenceWebDeps, 'db'>, record: EvidenceRecord): Promise<EvidencePhase> {
  const position = await queuePosition(deps.db, record)
  const running = record.status === 'preparing' || record.status === 'capturing'
  // The witness has finished before the evidence has: storing and sealing are still to come.
  const phase = record.progress?.phase === 'finished' ? 'completing' : record.progress?.phase
  const byStatus = phaseOfStatus[record.status]
  const name = running && phase !== undefined ? phase : byStatus
  // A phase may begin before the status follows, and go on when it does.
  const ofProgress = name === phase && (name !== byStatus || name === 'completing')
  return {
    name,
    reason: record.status === 'queued' ? await reasonToWait(deps, record) : null,
    queue_position: position,
    step: record.status === 'completing' ? 'seal' : running ? (record.progress?.step ?? null) : null,
    data: running ? { ...record.progress?.data } : {},
    since: ofProgress && record.progress !== null ? record.progress.since : record.statusChangedAt.toISOString(),
  }
}

async function reasonToWait(
  deps: Pick<EvidenceWebDeps, 'db'>,
  record: EvidenceRecord,
): Promise<NonNullable<EvidencePhase['reason']>> {
  const servers = await listServerStates(deps.db)
  return whyWaiting(servers, record.askedServer, await wasSetAsideFor(deps.db, record.id), record.action)
}

export async function presentLive(deps: Pick<EvidenceWebDeps, 'db'>, record: EvidenceRecord): Promise<EvidenceLive | null> {
  if (record.action !== 'interactive' || (record.status !== 'preparing' && record.status !== 'capturing')) return null
  const time = await findLiveTime(deps.db, record.id)
  return time === null ? null : { began_at: time.beganAt?.toISOString() ?? null, remaining_ms: time.remainingMs }
}

/** Facts that were kept before a capture could do anything to a page have none of it. */
function presentScenario({ scenario }: CaptureFacts): EvidencePreview['scenario'] {
  if (scenario === null) return null
  const steps = scenario.steps.map((step) => ({ ...step, reason: step.reason ?? null, count: step.count ?? null }))
  return { ...scenario, input: { ...scenario.input }, steps }
}

function presentPreview(
  record: EvidenceRecord,
  files: readonly FileRecord[],
  linkTo: LinkTo,
  thumbnailLinkTo: LinkTo,
): EvidencePreview | null {
  const { facts } = record
  const pieces = files.filter((file) => file.section === 'piece')
  if (facts === null || pieces.length === 0) return null
  const urlOf = (path: string) => linkTo(`/files/${record.id}/piece/?path=${encodeURIComponent(path)}`)
  const shot = facts.interactive?.screenshots.findLast(({ kind, paths }) => kind === 'viewport' && paths.length > 0)
  const seen = shot?.paths[0] ?? facts.images.find(({ kind }) => kind === 'viewport')?.path
  const pagePdf = pieces.find((piece) => piece.role === 'page_pdf')
  return {
    final_url: facts.final_url,
    title: facts.title,
    http_status: facts.http_status,
    started_at: facts.started_at,
    finished_at: facts.finished_at,
    viewport: facts.viewport,
    page_height: facts.page_height,
    captured_height: facts.captured_height,
    images: facts.images.map((image) => ({ ...image, url: urlOf(image.path) })),
    thumbnail_url:
      seen === undefined || !pieces.some(({ path, mediaType }) => path === seen && mediaType === 'image/png')
        ? null
        : thumbnailLinkTo(`/files/${record.id}/piece/?path=${encodeURIComponent(seen)}&thumbnail=true`),
    vantage: presentVantage(facts, urlOf),
    page_pdf_url: pagePdf === undefined ? null : urlOf(pagePdf.path),
    resources: facts.resources,
    redirects: [...facts.redirects],
    server_address: facts.server_address,
    certificate: facts.certificate,
    machine: { os: facts.machine.os, browser: facts.machine.browser, software: facts.machine.software },
    completeness: { state: facts.completeness.state, losses: [...facts.completeness.losses] },
    checklist: conditionsOf(facts.checklist).map((line) => ({ ...line })),
    warnings: facts.warnings.map((warning) => ({ ...warning })),
    quality: { ...facts.quality, advice: [...facts.quality.advice] },
    scenario: presentScenario(facts),
    cookie_banner: facts.cookie_banner,
    session: presentSession(facts, (path) => (pieces.some((piece) => piece.path === path) ? urlOf(path) : null)),
    pieces: pieces.map((piece) => ({
      path: piece.path,
      role: piece.role ?? '',
      media_type: piece.mediaType,
      bytes: piece.bytes,
      sha256: piece.sha256,
      url: urlOf(piece.path),
    })),
  }
}

function presentVantage({ vantage }: CaptureFacts, urlOf: (path: string) => string): EvidencePreview['vantage'] {
  if (vantage === null) return null
  return {
    ...vantage,
    comparisons: vantage.comparisons.map((one) => ({ ...one })),
    images: vantage.images.map((image) => ({ ...image, url: urlOf(image.path) })),
  }
}

function presentSeal(id: string, seal: SealRecord, qualifications: Qualifications): NonNullable<Evidence['seal']> {
  return {
    root: seal.root,
    signed_at: seal.summary.signed_at,
    signer: seal.summary.signer.subject,
    stamped_until: seal.stampedUntil?.toISOString() ?? null,
    outside_stamps: seal.summary.outside_stamps !== false,
    timestamps: seal.summary.timestamps.map((stamp) => ({
      authority: stamp.authority,
      gen_time: stamp.gen_time,
      ...qualificationOf(qualifications, id, stamp),
      embedded: stamp.embedded,
    })),
  }
}

/** Statuses in which the visitor may look at what was captured. */
const shown = new Set(['to_validate', 'awaiting_payment', 'finalizing', 'final'])

const hasFiles = ({ status, contentDeletedAt }: EvidenceRecord) => shown.has(status) && contentDeletedAt === null

/** What other tables hold of evidences that are shown together: read once for all of them. */
type Around = {
  readonly files: ReadonlyMap<string, readonly FileRecord[]>
  readonly seals: ReadonlyMap<string, SealRecord>
  readonly qualifications: Qualifications
  readonly people: ReadonlyMap<string, Person>
  readonly anchors: Anchors
  readonly payments: ReadonlyMap<string, Payment>
}

async function readAround(deps: EvidenceWebDeps, records: readonly EvidenceRecord[]): Promise<Around> {
  const { db } = deps
  const idsOf = (some: readonly EvidenceRecord[]) => some.map(({ id }) => id)
  // The fingerprint and its proofs outlive the files.
  const seals = await findSeals(db, idsOf(records.filter(({ status }) => shown.has(status))))
  const dated = idsOf(records.filter(hasFiles)).map((id) => ({ id, timestamps: seals.get(id)?.summary.timestamps ?? [] }))
  return {
    files: await listFilesOf(db, idsOf(records.filter(hasFiles))),
    seals,
    qualifications: (await deps.qualify?.(dated)) ?? new Map(),
    people: await findPeople(
      db,
      records.flatMap(({ ownerId, createdBy }) => [ownerId, createdBy]),
    ),
    anchors: await readAnchors(deps, records),
    payments: await readPayments(db, records),
  }
}

type Payment = NonNullable<Evidence['payment']>

async function readPayments(
  db: EvidenceWebDeps['db'],
  records: readonly EvidenceRecord[],
): Promise<ReadonlyMap<string, Payment>> {
  const waiting = records.filter(({ status }) => status === 'awaiting_payment').map(({ id }) => id)
  const purchases = await listPurchases(db, 'evidence', waiting)
  return new Map(
    purchases.map(({ subjectId, invoiceId, amount, toPay, state }) => [
      subjectId,
      { invoice_id: invoiceId, net_cents: amount.net, gross_cents: amount.gross, to_pay_cents: toPay, state },
    ]),
  )
}

function presentPeople(
  people: ReadonlyMap<string, Person>,
  { ownerId, createdBy }: EvidenceRecord,
): Pick<Evidence, 'owner' | 'created_by'> {
  const named = (id: string | null) => (id === null ? null : { id, name: people.get(id)?.name ?? '' })
  return { owner: named(ownerId), created_by: named(createdBy) }
}

/** The evidence as its holder sees it, with links to its files that are his. */
export async function presentEvidence(deps: EvidenceWebDeps, caller: Caller, record: EvidenceRecord): Promise<Evidence> {
  return await present(deps, caller, record, await readAround(deps, [record]))
}

/** Many of them, in their order. */
export async function presentEvidences(
  deps: EvidenceWebDeps,
  caller: Caller,
  records: readonly EvidenceRecord[],
): Promise<Evidence[]> {
  const around = await readAround(deps, records)
  const presented = []
  for (const record of records) presented.push(await present(deps, caller, record, around))
  return presented
}

async function present(deps: EvidenceWebDeps, caller: Caller, record: EvidenceRecord, around: Around): Promise<Evidence> {
  const visible = hasFiles(record)
  const files = around.files.get(record.id) ?? []
  const seal = around.seals.get(record.id) ?? null
  const linkTo = linksFor(deps, caller, record)
  const reportUrl = (language: string) => linkTo(`/files/${record.id}/report/?language=${language}`)
  return {
    id: record.id,
    ...presentPeople(around.people, record),
    label: record.label,
    trashed_at: record.trashedAt?.toISOString() ?? null,
    content_deleted_at: record.contentDeletedAt?.toISOString() ?? null,
    store: record.store,
    files_kept_until: record.contentDeletedAt === null ? (record.keepFilesUntil?.toISOString() ?? null) : null,
    sale: record.sale,
    action: record.action,
    page_url: record.requestedUrl,
    locale: record.locale,
    options: {
      scenario: record.options.scenario?.id ?? null,
      close_cookies: record.options.closeCookies,
      server: record.askedServer,
      device: record.device,
    },
    status: record.status,
    phase: await presentPhase(deps, record),
    live: await presentLive(deps, record),
    created_at: record.createdAt.toISOString(),
    captured_at: record.capturedAt?.toISOString() ?? null,
    finalized_at: record.finalizedAt?.toISOString() ?? null,
    expires_at: record.expiresAt?.toISOString() ?? null,
    failure: record.failure === null ? null : { code: record.failure.code, data: { ...record.failure.data } },
    payment: around.payments.get(record.id) ?? null,
    replaced_by: record.replacedBy,
    preview: presentPreview(record, files, linkTo, linksFor(deps, caller, record, lastingExpiry(deps.clock))),
    seal: seal === null ? null : presentSeal(record.id, seal, around.qualifications),
    anchor: seal === null ? null : await presentAnchor(deps, record, seal, linkTo, around.anchors),
    reports: record.status === 'final' && visible ? { en: reportUrl('en'), fr: reportUrl('fr') } : null,
  }
}
