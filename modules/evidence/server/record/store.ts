/** The SQL of the module. Every function takes the database or the transaction first. */
import type { Selectable } from 'kysely'
import type { CaptureFacts, CaptureProgress } from '../../../capture/server/index.ts'
import type { Database } from '../../../../db/schema.d.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { currentOrigin, type Origin } from '../../../../platform/trace/origin.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Status } from '../../domain/status.ts'
import type { CaptureAction, CaptureDevice } from '../../domain/action.ts'
import type { CaptureOptions } from '../../domain/capture-options.ts'
import type { Sale } from '../../domain/sale.ts'

export type FailureRecord = { readonly code: string; readonly data: Readonly<Record<string, string | number>> }

/** With the instant at which the phase began that is shown (ISO 8601). */
export type KeptProgress = CaptureProgress & { readonly since: string }

export type EvidenceRecord = {
  readonly id: string
  readonly tokenHash: Buffer
  readonly action: CaptureAction
  readonly device: CaptureDevice
  readonly requestedUrl: string
  readonly locale: Locale
  readonly status: Status
  readonly statusChangedAt: Date
  readonly createdAt: Date
  readonly capturedAt: Date | null
  readonly finalizedAt: Date | null
  readonly expiresAt: Date | null
  /** When its package was made anew with the proofs of its anchor. */
  readonly anchoredAt: Date | null
  readonly attempts: number
  readonly fence: number
  readonly progress: KeptProgress | null
  readonly failure: FailureRecord | null
  readonly facts: CaptureFacts | null
  readonly replacedBy: string | null
  readonly version: number
  readonly options: CaptureOptions
  /** Id of the capture server that was asked for; null: chosen automatically. */
  readonly askedServer: string | null
  /** Account whose it is; null: whoever holds the token. */
  readonly ownerId: string | null
  /** Whose managers reach it too. */
  readonly groupId: string | null
  /** Who asked for it; null: a visitor without account. */
  readonly createdBy: string | null
  /** Who took a draft over that was asked for without account, and when. */
  readonly claimedBy: string | null
  readonly claimedAt: Date | null
  readonly label: string
  readonly trashedAt: Date | null
  /** Since then only the row, the seal and its proofs are left. */
  readonly contentDeletedAt: Date | null
  /** E-24: whether the files of its report stay. */
  readonly store: boolean
  /** Of a report whose files do not: when the term of them began, and when it ends. */
  readonly unstoredAt: Date | null
  readonly keepFilesUntil: Date | null
  /** When its whole package was last sent to its last byte. */
  readonly downloadedAt: Date | null
  /** E-29: whether it is offered for sale, or somebody has a licence of it: then it stays. */
  readonly sale: Sale
  /** E-55: whether authorities outside the installation are asked for its time stamps. */
  readonly outsideStamps: boolean
  /** By which request it was asked for; null: by none that is known. */
  readonly origin: Origin | null
}

/** In whose name an evidence is asked for. */
export type Ownership = { readonly ownerId: string; readonly createdBy: string; readonly groupId: string | null }

const originColumn = (): string | null => {
  const from = currentOrigin()
  return from === null ? null : JSON.stringify(from)
}

/** The jsonb columns are written by this file only, from these types. */
export function toRecord(row: Selectable<Database['evidence']>): EvidenceRecord {
  return {
    id: row.id,
    tokenHash: row.token_hash,
    action: row.action as CaptureAction,
    device: row.device as CaptureDevice,
    requestedUrl: row.requested_url,
    locale: row.locale as Locale,
    status: row.status as Status,
    statusChangedAt: row.status_changed_at,
    createdAt: row.created_at,
    capturedAt: row.captured_at,
    finalizedAt: row.finalized_at,
    expiresAt: row.expires_at,
    anchoredAt: row.anchored_at,
    attempts: row.attempts,
    fence: row.fence,
    progress: row.progress as KeptProgress | null,
    failure: row.failure as FailureRecord | null,
    facts: row.facts as CaptureFacts | null,
    replacedBy: row.replaced_by,
    version: row.version,
    options: {
      closeCookies: row.close_cookies,
      scenario:
        row.scenario === null
          ? null
          : { id: row.scenario, text: row.scenario_recipe ?? '', input: row.scenario_input as Readonly<Record<string, string>> },
    },
    askedServer: row.asked_server,
    ownerId: row.owner_id,
    groupId: row.group_id,
    createdBy: row.created_by,
    claimedBy: row.claimed_by,
    claimedAt: row.claimed_at,
    label: row.label,
    trashedAt: row.trashed_at,
    contentDeletedAt: row.content_deleted_at,
    store: row.store,
    unstoredAt: row.unstored_at,
    keepFilesUntil: row.keep_files_until,
    downloadedAt: row.downloaded_at,
    sale: row.sale as Sale,
    outsideStamps: row.outside_stamps,
    origin: row.origin as Origin | null,
  }
}

export async function insertEvidence(
  db: Db | Tx,
  row: {
    id: string
    tokenHash: Buffer
    action: CaptureAction
    device?: CaptureDevice
    /** See `askerOf`; null: nobody is told apart, and the first come is the first served. */
    asker?: Buffer | null
    requestedUrl: string
    locale: Locale
    now: Date
    askedServer?: string | null
    /** As the account that asks says; null: it says none, or none asks. */
    askerCountry?: string | null
    options?: CaptureOptions
    ownership?: Ownership | null
    label?: string
    store?: boolean
    outsideStamps?: boolean
  },
): Promise<EvidenceRecord> {
  const inserted = await db
    .insertInto('evidence')
    .values({
      id: row.id,
      token_hash: row.tokenHash,
      action: row.action,
      device: row.device ?? 'desktop',
      asker: row.asker ?? null,
      requested_url: row.requestedUrl,
      locale: row.locale,
      status: 'queued',
      status_changed_at: row.now,
      created_at: row.now,
      close_cookies: row.options?.closeCookies ?? false,
      scenario: row.options?.scenario?.id ?? null,
      scenario_recipe: row.options?.scenario?.text ?? null,
      scenario_input: row.options?.scenario == null ? null : JSON.stringify(row.options.scenario.input),
      asked_server: row.askedServer ?? null,
      asker_country: row.askerCountry ?? null,
      owner_id: row.ownership?.ownerId ?? null,
      group_id: row.ownership?.groupId ?? null,
      created_by: row.ownership?.createdBy ?? null,
      label: row.label ?? '',
      origin: originColumn(),
      store: row.store ?? true,
      outside_stamps: row.outsideStamps ?? true,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRecord(inserted)
}

export async function findEvidence(db: Db | Tx, id: string): Promise<EvidenceRecord | null> {
  const row = await db.selectFrom('evidence').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** Holds the row until the transaction ends, so that two transitions of one evidence come one after the other. */
export async function lockEvidence(tx: Tx, id: string): Promise<EvidenceRecord | null> {
  const row = await tx.selectFrom('evidence').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** One status change with what belongs to it. The caller holds the row and has asked the domain. */
export async function changeStatus(
  tx: Tx,
  id: string,
  to: Status,
  now: Date,
  also: { expiresAt?: Date | null; finalizedAt?: Date } = {},
): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({
      status: to,
      status_changed_at: now,
      ...(also.expiresAt === undefined ? {} : { expires_at: also.expiresAt }),
      ...(also.finalizedAt === undefined ? {} : { finalized_at: also.finalizedAt }),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
