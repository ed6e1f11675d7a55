import { Client } from 'pg'
import { DomainError } from '../../../../kernel/errors.ts'

/** Any constant will do, as long as every process of the product uses the same one. */
const backupLock = 0x70726262

/**
 * One backup of an installation at a time, on whatever machine: a lock of a session, which the server frees when its holder is gone.
 * @throws DomainError `backup.under_way`
 */
export async function withBackupLock<T>(url: string, use: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'probant-backup-lock', keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [backupLock])
    if (rows[0]?.held !== true) throw new DomainError('conflict', 'backup.under_way')
    return await use()
  } finally {
    await client.end()
  }
}
