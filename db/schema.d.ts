// Generated from the migrations by `node platform/db/generate-schema.ts`. Do not edit.
// Reading gives parsed values (bigint as an exact number); a json column is written as JSON text.
import type { ColumnType, Generated } from 'kysely'

export type Database = {
  capture_process: {
    owner: string
    server_id: string
    capacity: number
    status: string
    status_changed_at: ColumnType<Date, Date | string | undefined, Date | string>
    differences: ColumnType<unknown, string | null | undefined, string | null>
    started_at: ColumnType<Date, Date | string | undefined, Date | string>
    seen_at: ColumnType<Date, Date | string | undefined, Date | string>
    alive_until: ColumnType<Date, Date | string, Date | string>
  }
  capture_server: {
    id: string
    name: string
    country: string | null
    city: string | null
    kind: string
    owner_group: string | null
    manifest_sha256: string | null
    image_digest: string | null
    browser: string | null
    public_address: string | null
    asn: number | null
    network_name: string | null
    preflight_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    preflight_matched: boolean | null
    registered_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  capture_server_event: {
    id: ColumnType<number, never, never>
    server_id: string
    at: ColumnType<Date, Date | string | undefined, Date | string>
    kind: string
    evidence_id: string | null
    manifest_sha256: string | null
    differences: ColumnType<unknown, string | undefined, string>
  }
  capture_server_state: {
    id: string | null
    name: string | null
    country: string | null
    city: string | null
    kind: string | null
    owner_group: string | null
    manifest_sha256: string | null
    image_digest: string | null
    browser: string | null
    public_address: string | null
    asn: number | null
    network_name: string | null
    preflight_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    preflight_matched: boolean | null
    status: string | null
    capacity: number | null
    seen_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    alive_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    running: number | null
  }
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
    asked_server: string | null
    server_id: string | null
    queued_at: ColumnType<Date, Date | string | undefined, Date | string>
    scenario: string | null
    close_cookies: Generated<boolean>
    scenario_recipe: string | null
    scenario_input: ColumnType<unknown, string | null | undefined, string | null>
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
  evidence_vantage: {
    evidence_id: string
    asked_server: string | null
    server_id: string | null
    status: Generated<string>
    lease_owner: string | null
    lease_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    fence: Generated<number>
    first_ready_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    second_ready_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    first_left_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    second_left_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    failure: string | null
    facts: ColumnType<unknown, string | null | undefined, string | null>
    files: ColumnType<unknown, string | null | undefined, string | null>
  }
  platform_migration: {
    name: string
    sha256: string
    applied_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  report_preview: {
    evidence_id: string
    language: string
    asked_at: ColumnType<Date, Date | string, Date | string>
    started_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    failed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    sha256: string | null
    bytes: number | null
  }
  seal: {
    evidence_id: string
    root: string
    summary: ColumnType<unknown, string, string>
    sealed_at: ColumnType<Date, Date | string, Date | string>
  }
}
