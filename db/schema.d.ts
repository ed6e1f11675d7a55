// Generated from the migrations by `node platform/db/generate-schema.ts`. Do not edit.
// Reading gives parsed values (bigint as an exact number); a json column is written as JSON text.
import type { ColumnType, Generated } from 'kysely'

export type Database = {
  evidence: {
    id: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    action: string
    requested_url: string
    locale: string
    status: string
    status_changed_at: ColumnType<Date, Date | string, Date | string>
    created_at: ColumnType<Date, Date | string, Date | string>
    captured_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    finalized_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    attempts: Generated<number>
    lease_owner: string | null
    lease_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    fence: Generated<number>
    progress: ColumnType<unknown, string | null | undefined, string | null>
    failure: ColumnType<unknown, string | null | undefined, string | null>
    facts: ColumnType<unknown, string | null | undefined, string | null>
    replaced_by: string | null
    version: Generated<number>
  }
  evidence_file: {
    evidence_id: string
    path: string
    section: string
    role: string | null
    media_type: string
    bytes: number
    sha256: string
    crc32: number
    position: number
  }
  evidence_transition: {
    from_status: string
    to_status: string
  }
  platform_migration: {
    name: string
    sha256: string
    applied_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  seal: {
    evidence_id: string
    root: string
    summary: ColumnType<unknown, string, string>
    sealed_at: ColumnType<Date, Date | string, Date | string>
  }
}
