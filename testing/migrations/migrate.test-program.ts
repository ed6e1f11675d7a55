/** Migrates the database of `DATABASE_URL`, as a start of the product does. */
import { migrate } from '../../platform/db/migrate.ts'

await migrate(process.env['DATABASE_URL'] ?? '')
