import type { Locale } from '../../../kernel/locale.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { sampleFacts, sampleFiles, type SampleFacts, type SampleFile } from '../contract/sample.ts'

export type Sample = {
  readonly id: string
  readonly locale: Locale
  readonly software: string
  readonly facts: SampleFacts
  readonly madeAt: Date
}
export type StoredFile = { readonly name: SampleFile; readonly sha256: string; readonly bytes: number }

export async function findSample(db: Db, locale: Locale): Promise<Sample | null> {
  const row = await db
    .selectFrom('sample')
    .select(['id', 'software', 'facts', 'made_at'])
    .where('locale', '=', locale)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { id: row.id, locale, software: row.software, facts: sampleFacts.parse(row.facts), madeAt: row.made_at }
}

/** Empty: there is none. */
export async function listSampleFiles(db: Db, locale: Locale): Promise<StoredFile[]> {
  const rows = await db
    .selectFrom('sample_file')
    .innerJoin('sample', 'sample.id', 'sample_file.sample_id')
    .select(['name', 'sha256', 'bytes'])
    .where('locale', '=', locale)
    .execute()
  return rows.flatMap(({ name, sha256, bytes }) => {
    const known = sampleFiles.find((each) => each === name)
    return known === undefined ? [] : [{ name: known, sha256, bytes }]
  })
}

/** SHA-256 of each file that a sample of any language has. */
export async function listStoredFiles(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('sample_file').select('sha256').execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** It takes the place of the one of before in its language. */
export async function replaceSample(tx: Tx, sample: Sample, files: readonly StoredFile[]): Promise<void> {
  const { id, locale, software, facts, madeAt } = sample
  await tx.deleteFrom('sample').where('locale', '=', locale).execute()
  await tx
    .insertInto('sample')
    .values({ id, locale, software, facts: JSON.stringify(facts), made_at: madeAt })
    .execute()
  await tx
    .insertInto('sample_file')
    .values(files.map(({ name, sha256, bytes }) => ({ sample_id: id, name, sha256, bytes })))
    .execute()
}
