import { randomUUIDv7 } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { CaptureResult } from '../../capture/server/index.ts'
import { packageStream, sealCaptured } from '../../evidence/server/index.ts'
import type { Keyring, PublicLog, Timestamper } from '../../sealing/server/index.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { Db } from '../../../platform/db/database.ts'
import { makeThumbnail } from '../../../platform/pictures/make-thumbnail.ts'
import { sampleFiles, type SampleFacts, type SampleFile } from '../contract/sample.ts'
import { findSample, listSampleFiles, listStoredFiles, replaceSample, type StoredFile } from './sample-store.ts'

export type MakeSampleDeps = {
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly publicLog?: PublicLog | undefined
  readonly witness?: string | undefined
  readonly verifyHtmlFile: string
  readonly workFolder: string
  readonly siteUrl: string | null
  /** What this release calls itself. */
  readonly software: string
  /** Captures the page of the installation in that language, as any other page is captured. */
  readonly capture: (evidenceId: string, locale: Locale, workDir: string, signal: AbortSignal) => Promise<CaptureResult>
}

/** Its stamps, and what it says of the machine, are to be of today. */
const longestKeptMs = 90 * 86_400_000

/** Somewhat wider than its page shows it; a telephone on a slow line waits for it. */
const pictureWidth = 800

/** Of all samples: what no row names is removed when the next one is there. */
export const sampleScope = 'sample'

/**
 * Captures a page of the installation, seals it and keeps the package where everybody may fetch it: once for each release and language, again when
 * it is old or its files are gone. Everything before the transaction may be repeated after a crash.
 */
export async function makeSample(deps: MakeSampleDeps, locale: Locale, signal: AbortSignal): Promise<'made' | 'there'> {
  const { db, clock, software } = deps
  const now = clock.now()
  const scope = deps.blobs.scope(sampleScope)
  const there = await findSample(db, locale)
  const isKept = async () => {
    const files = await listSampleFiles(db, locale)
    return (
      files.length === sampleFiles.length &&
      (await Promise.all(files.map(async ({ sha256 }) => await scope.has(sha256)))).every(Boolean)
    )
  }
  if (there?.software === software && now.getTime() - there.madeAt.getTime() < longestKeptMs && (await isKept())) return 'there'
  const id = randomUUIDv7()
  const workDir = join(deps.workFolder, 'sample')
  await rm(workDir, { recursive: true, force: true })
  try {
    await mkdir(join(workDir, 'capture'), { recursive: true, mode: 0o700 })
    const captured = await deps.capture(id, locale, join(workDir, 'capture'), signal)
    const { quality, images, final_url, started_at } = captured.facts
    // A page that was not there yet is no sample; the job is tried again.
    if (quality.verdict === 'poor') throw new Error('the page of the installation was captured badly')
    const { sealed, layout } = await sealCaptured(
      { evidenceId: id, captured, askedBy: { kind: 'installation' }, siteUrl: deps.siteUrl },
      { ...deps, workDir: join(workDir, 'reports'), signal },
    )
    const entries = layout.full()
    const bytesOf = async (path: string) => {
      const found = entries.find((each) => each.path === path)
      if (found === undefined) throw new Error(`the package has no ${path}`)
      return await found.open()
    }
    const image = images.find(({ kind }) => kind === 'viewport')
    const [stamp] = sealed.summary.timestamps
    if (image === undefined || stamp === undefined) throw new Error('the sample has no picture or no time stamp')
    const png = await buffer(await bytesOf(image.path))
    // The page shows a copy that is quickly there; the picture itself is in the package.
    const shown = await makeThumbnail(png, { width: pictureWidth, rows: image.height })
    const store = async (name: SampleFile, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile> => ({
      name,
      ...(await scope.putStream(bytes)),
    })
    const whole = await store('package.zip', packageStream(entries).stream)
    const files = [whole, { name: 'page.jpg' as const, ...(await scope.putBytes(shown)) }]
    for (const name of ['report.en.pdf', 'report.fr.pdf'] as const) files.push(await store(name, await bytesOf(name)))
    const facts: SampleFacts = {
      page_url: final_url,
      captured_at: started_at,
      sealed_at: stamp.gen_time,
      authority: stamp.authority,
      embedded: stamp.embedded,
      root: sealed.root,
      software,
      pieces: captured.files.length,
      quality: quality.verdict,
      width: image.width,
      height: image.height,
      package_bytes: whole.bytes,
    }
    await db.transaction().execute(async (tx) => await replaceSample(tx, { id, locale, software, facts, madeAt: now }, files))
    const named = await listStoredFiles(db)
    for await (const { sha256 } of scope.list()) if (!named.has(sha256)) await scope.remove(sha256)
    return 'made'
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}
