import type { Db, Tx } from '../../../platform/db/database.ts'
import { sampleFacts, sampleFiles, type SampleFacts, type SampleFile } from '../contract/sample.ts'

export type Sample = { readonly id: string; readonly software: string; readonly facts: SampleFacts; readonly madeAt: Date }
export type StoredFile = { readonly name: SampleFile; readonly sha256: string; readonly bytes: number }

export async function findSample(db: Db | Tx): Promise<Sample | null> {
  const row = await db.selectFrom('sample').select(['id', 'software', 'facts', 'made_at']).executeTakeFirst()
  return row === undefined
    ? null
    : { id: row.id, software: row.software, facts: sampleFacts.parse(row.facts), madeAt: row.made_at }
}

/** Empty: there is none. */
export async function listSampleFiles(db: Db): Promise<StoredFile[]> {
  const rows = await db.selectFrom('sample_file').select(['name', 'sha256', 'bytes']).execute()
  return rows.flatMap(({ name, sha256, bytes }) => {
    const known = sampleFiles.find((each) => each === name)
    return known === undefined ? [] : [{ name: known, sha256, bytes: Number(bytes) }]
  })
}

/** It takes the place of the one of before. */
export async function replaceSample(tx: Tx, sample: Sample, files: readonly StoredFile[]): Promise<void> {
  await tx.deleteFrom('sample').execute()
  const { id, software, facts, madeAt } = sample
  await tx
    .insertInto('sample')
    .values({ id, software, facts: JSON.stringify(facts), made_at: madeAt })
    .execute()
  await tx
    .insertInto('sample_file')
    .values(files.map(({ name, sha256, bytes }) => ({ sample_id: id, name, sha256, bytes })))
    .execute()
}
