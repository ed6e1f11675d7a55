import { formatBytes } from '../../../kernel/format-bytes.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { sampleWords } from '../../../kernel/page-sample.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { PageFacts } from '../../../platform/http/pages/web-app.ts'
import { findSample } from './sample-store.ts'

/** What its page is sent with; null: there is none, or nobody can say, and the application asks again. */
export async function tellSample(db: Db, locale: Locale): Promise<PageFacts | null> {
  const facts = await findSample(db, locale).then(
    (sample) => sample?.facts ?? null,
    () => null,
  )
  if (facts === null) return null
  const { width, height, package_bytes: bytes } = facts
  return { data: facts, words: sampleWords({ width, height, size: formatBytes(bytes, locale) }) }
}
