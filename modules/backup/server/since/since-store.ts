/** The SQL of what happened since a backup: read where it happens, done again where the backup was put back. */
import type { Client } from 'pg'
import { takingAway, type TakenAway } from './acts.ts'

export async function readTakenAway(client: Client, after: number): Promise<{ acts: TakenAway[]; last: number }> {
  const { rows } = await client.query<TakenAway & { number: string }>(
    `select number::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, action, subject_id as subject
     from act where act.number > $1 and action = any ($2) order by act.number`,
    [after, takingAway],
  )
  const { rows: newest } = await client.query<{ number: string }>('select coalesce(max(number), 0)::text as number from act')
  return { acts: rows.map((row) => ({ ...row, number: Number(row.number) })), last: Number(newest[0]?.number) }
}

/** Entries of the public log from a place on, and the newest checkpoint, which covers all of them. */
export async function readLogSince(
  client: Client,
  from: number,
): Promise<{ size: number; entries: string[]; checkpoint: string } | null> {
  const { rows: heads } = await client.query<{ size: string; note: Buffer }>(
    'select size::text, note from log_checkpoint order by log_checkpoint.size desc limit 1',
  )
  const [head] = heads
  if (head === undefined) return null
  const size = Number(head.size)
  const { rows } = await client.query<{ entry: Buffer }>(
    'select entry from log_leaf where index >= $1 and index < $2 order by index',
    [from, size],
  )
  return { size, entries: rows.map(({ entry }) => entry.toString('base64')), checkpoint: head.note.toString('base64') }
}

const account = `update account_user set status = 'closing', closing_at = $2::timestamptz, closing_reason = '', suspended_at = null, suspended_by = null,
  suspension_reason = null,`
/** A hash that no password has; the person asks for a link. */
const noPassword = `regexp_replace(password_hash, '[^$]+$', rtrim(encode(sha256(convert_to(id::text || random()::text || clock_timestamp()::text, 'UTF8')), 'base64'), '='))`
const ofUser = 'where id::text = $1'

/** What each does to rows of before; `$1` is the subject, `$2` when. A second time it changes nothing. */
const again: Readonly<Record<(typeof takingAway)[number], readonly string[]>> = {
  'account.closed_account': [`${account} erase_after = $2::timestamptz + interval '24 hours' ${ofUser} and status = 'active'`],
  'account.kept_account': [
    `update account_user set status = 'active', closing_at = null, closing_reason = null, erase_after = null ${ofUser} and status = 'closing' and $2 <> ''`,
  ],
  'account.erased_account': [`${account} erase_after = $2::timestamptz ${ofUser} and status <> 'erased'`],
  'account.ended_access': [`update access_delegation set ended_at = $2::timestamptz ${ofUser} and ended_at is null`],
  'document.copy_deleted': [
    `with ended as (
       update document_copy set state = 'deleted', sealed_key = null, ended_at = $2::timestamptz, ended_by = 'owner', found_sha256 = null
       where document_id::text = $1 and sealed_key is not null returning id)
     select graphile_worker.add_job('document.clear_copy', json_build_object('copy_id', id)) from ended`,
    `delete from document_copy_part using document_copy
       where document_copy.id = copy_id and document_id::text = $1 and sealed_key is null and $2 <> ''`,
  ],
  'document.restored': [`update document set trashed_at = null ${ofUser} and content_deleted_at is null and $2 <> ''`],
  'document.trashed': [`update document set trashed_at = $2::timestamptz ${ofUser} and status = 'final'`],
  'document.unshared': [`update document set share_nonce = null, share_hash = null ${ofUser} and $2 <> ''`],
  'evidence.deleted': [
    `update evidence set trashed_at = coalesce(trashed_at, $2::timestamptz), content_deleted_at = $2::timestamptz ${ofUser} and status = 'final'
       and content_deleted_at is null`,
    `select graphile_worker.add_job('evidence.delete_content', json_build_object('evidence_id', id), job_key := 'delete:' || id)
       from evidence ${ofUser} and content_deleted_at is not null and $2 <> ''`,
  ],
  'evidence.restored': [`update evidence set trashed_at = null ${ofUser} and content_deleted_at is null and $2 <> ''`],
  'evidence.trashed': [`update evidence set trashed_at = $2::timestamptz ${ofUser} and status = 'final'`],
  'identity.changed_password': [`update account_user set password_hash = ${noPassword} ${ofUser} and $2 <> ''`],
  'identity.reset_password': [`update account_user set password_hash = ${noPassword} ${ofUser} and $2 <> ''`],
  'identity.revoked_api_key': [`delete from api_key ${ofUser} and $2 <> ''`],
  'identity.suspended_account': [
    `update account_user set status = 'suspended', suspended_at = $2::timestamptz ${ofUser} and status = 'active'`,
  ],
}

export async function takeAwayAgain(client: Client, acts: readonly TakenAway[]): Promise<void> {
  for (const { action, at, subject } of acts) {
    const known = takingAway.find((each) => each === action)
    if (known === undefined || subject === null) continue
    for (const statement of again[known]) await client.query(statement, [subject, at])
  }
}
