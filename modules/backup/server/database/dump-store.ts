/** The SQL of a snapshot: what tables there are, their rows, and which blobs these name. */
import { Client } from 'pg'
import { copyOut } from './copy-rows.ts'

export type Table = { readonly schema: string; readonly name: string; readonly columns: readonly string[] }
export type Sequence = { readonly schema: string; readonly name: string; readonly value: string; readonly called: boolean }

/** Schemas of the product and of its queue; both are made anew by their migrations before rows are put back. */
export const schemas = ['public', 'graphile_worker'] as const

/** What migrations write by themselves when they make the schema. */
const ofMigrations = new Set(['public.platform_migration', 'graphile_worker.migrations'])

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

export type Snapshot = {
  readonly takenAt: Date
  tables(): Promise<Table[]>
  rows(table: Table): AsyncIterable<Buffer>
  sequences(): Promise<Sequence[]>
  migrations(): Promise<{ name: string; sha256: string }[]>
  logHead(): Promise<{ size: number; root_hash: string } | null>
  lastAct(): Promise<number>
  /** Scope and name of each blob that a row names, in no order. */
  namedBlobs(): AsyncIterable<{ readonly scope: string; readonly sha256: string }>
  end(): Promise<void>
}

/**
 * Where rows name blobs, and whose scope these are in. `backup.test.ts` looks through the schema for columns that are neither here
 * nor known to name none.
 */
export const blobColumns: readonly { readonly column: string; readonly named: string }[] = [
  { column: 'account_statement.sha256', named: 'select customer_id::text, sha256 from account_statement' },
  { column: 'document_certificate.sha256', named: 'select document_id::text, sha256 from document_certificate' },
  {
    column: 'document_copy_part.blob',
    named: `select 'copy-' || copy_id, blob from document_copy_part join document_copy on document_copy.id = copy_id
      where sealed_key is not null`,
  },
  { column: 'evidence_file.sha256', named: 'select evidence_id::text, sha256 from evidence_file' },
  {
    column: 'evidence_vantage.files',
    named: `select evidence_id::text, file ->> 'sha256' from evidence_vantage, jsonb_array_elements(files) file`,
  },
  { column: 'identity_document.blob', named: `select 'identity-' || id, blob from identity_document where erased_at is null` },
  {
    column: 'identity_page.blob',
    named: `select 'identity-' || document_id, identity_page.blob from identity_page
      join identity_document on identity_document.id = document_id where erased_at is null`,
  },
  { column: 'invoice_document.sha256', named: 'select invoice_id::text, sha256 from invoice_document' },
  { column: 'license_document.sha256', named: 'select license_id::text, sha256 from license_document' },
  { column: 'payout_paper.sha256', named: 'select payout_id::text, sha256 from payout_paper' },
  { column: 'report_preview.sha256', named: 'select evidence_id::text, sha256 from report_preview' },
  { column: 'report_preview.document_sha256', named: 'select evidence_id::text, document_sha256 from report_preview' },
  { column: 'sample_file.sha256', named: `select 'sample', sha256 from sample_file` },
  {
    column: 'support_attachment.blob',
    named: `select 'support-' || request_id, blob from support_attachment
      join support_message on support_message.id = support_attachment.message_id`,
  },
]

/** One transaction that reads, and sees the database as it is now for as long as it lasts. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new Client({ connectionString: url, application_name: 'probant-backup', keepAlive: true })
  // Each query that meets it rejects with it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set bytea_output = 'hex'; set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set extra_float_digits = 3`)
    await client.query('begin transaction isolation level repeatable read read only')
    // A snapshot is taken by the first statement.
    const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at from platform_migration limit 1')
    return snapshotOf(client, rows[0]?.at ?? new Date(Number.NaN))
  } catch (error) {
    await client.end()
    throw error
  }
}

function snapshotOf(client: Client, takenAt: Date): Snapshot {
  const tables = async () => {
    const { rows } = await client.query<{ schema: string; name: string; columns: string[] }>(
      `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
       where n.nspname = any ($1) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       group by 1, 2 order by 1, 2`,
      [schemas],
    )
    return rows.filter(({ schema, name }) => !ofMigrations.has(`${schema}.${name}`))
  }
  return {
    takenAt,
    tables,
    rows: ({ schema, name, columns }) =>
      copyOut(client, `copy ${identifier(schema)}.${identifier(name)} (${columns.map(identifier).join(', ')}) to stdout`),
    async sequences() {
      const { rows } = await client.query<{ schema: string; name: string }>(
        `select schemaname as schema, sequencename as name from pg_sequences where schemaname = any ($1) order by 1, 2`,
        [schemas],
      )
      const found: Sequence[] = []
      for (const { schema, name } of rows) {
        const { rows: values } = await client.query<{ value: string; called: boolean }>(
          `select last_value::text as value, is_called as called from ${identifier(schema)}.${identifier(name)}`,
        )
        const [value] = values
        if (value !== undefined) found.push({ schema, name, ...value })
      }
      return found
    },
    async migrations() {
      const { rows } = await client.query<{ name: string; sha256: string }>(
        'select name, sha256 from platform_migration order by name',
      )
      return rows
    },
    async logHead() {
      const { rows } = await client.query<{ size: string; root_hash: string }>(
        `select size::text, encode(root_hash, 'hex') as root_hash from log_checkpoint order by log_checkpoint.size desc limit 1`,
      )
      const [head] = rows
      return head === undefined ? null : { size: Number(head.size), root_hash: head.root_hash }
    },
    async lastAct() {
      const { rows } = await client.query<{ number: string }>('select coalesce(max(number), 0)::text as number from act')
      return Number(rows[0]?.number)
    },
    async *namedBlobs() {
      for (const { named } of blobColumns) {
        for await (const row of copyOut(
          client,
          `copy (select * from (${named}) named (scope, name) where name is not null) to stdout`,
        )) {
          const [scope = '', sha256 = ''] = row.toString('utf8').trimEnd().split('\t')
          yield { scope, sha256 }
        }
      }
    },
    async end() {
      await client.end()
    },
  }
}
