/** What a screen shows of a report (decision 0365) is what its paper says: nothing is lost on the way, and its references lead somewhere. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument, writeDocument } from '../../../kernel/document/read-document.ts'
import { locales } from '../../../kernel/locale.ts'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import { composeReport } from './compose-report.ts'
import { type ReportInput, readContent } from './content/read-content.ts'
import { pictureAspect } from './page/pictures.ts'
import { sampleFacts, samplePieces, sampleSeal, sampleSubject, writeSampleFiles } from './sample-report.test-data.ts'
import { sessionFacts, sessionPieces, sessionSeal, sessionSubject, writeSessionFiles } from './sample-session.test-data.ts'

let folder = ''
let files: ReadonlyMap<string, string> = new Map()
const inputs = new Map<string, ReportInput>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-on-screen-'))
  const written = await writeSessionFiles(folder)
  files = new Map([...(await writeSampleFiles(folder, 4_000)), ...written.files])
  const siteUrl = null
  inputs.set('page', { subject: sampleSubject, facts: sampleFacts(4_000), pieces: samplePieces, seal: sampleSeal, siteUrl })
  inputs.set('session', {
    subject: sessionSubject,
    facts: sessionFacts(written.session),
    pieces: sessionPieces,
    seal: sessionSeal,
    siteUrl,
  })
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

/** Every value of a kind, wherever it stands. */
function all(value: unknown, kind: string): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap((each) => all(each, kind))
  return 'kind' in value && value.kind === kind ? [value, ...within] : within
}

test.each(['page', 'session'])('of a %s', async (which) => {
  const input = inputs.get(which)
  if (input === undefined) throw new Error('no such sample')
  const localFile = async (path: string) => files.get(path) ?? ''
  const content = await readContent(input, { localFile, folder, aspect: pictureAspect })
  for (const locale of locales) {
    const deps = { captureWords: () => null, rosette: sealRosette, folder }
    const { language, title, mark, blocks } = composeReport({ ...content, locale, preview: true }, deps)
    const read = readDocument(writeDocument({ language, title, mark, blocks }))
    expect(read).toEqual({ language, title, mark, blocks })
    expect(read?.mark).not.toBeNull()

    const ids = new Set(all(blocks, 'heading').map(({ id }) => id))
    const references = all(blocks, 'reference').map(({ to }) => to)
    expect(references.length).toBeGreaterThan(5)
    expect(references.filter((to) => !ids.has(to))).toEqual([])

    const pictures = all(blocks, 'figure').map(
      ({ picture }) => picture as { file: string; from?: { rows: readonly { path: string }[] } },
    )
    // The rosette is drawn by the page; every other picture is rows of a sealed piece that is an image.
    expect(pictures.filter(({ from }) => from === undefined).map(({ file }) => file)).toEqual([`rosette.${locale}.svg`])
    const paths = pictures.flatMap(({ from }) => from?.rows.map(({ path }) => path) ?? [])
    expect(paths.length).toBeGreaterThan(2)
    const images = input.pieces.filter((piece) => piece.media_type.startsWith('image/')).map(({ path }) => path)
    expect(paths.filter((path) => !images.includes(path))).toEqual([])
  }
})
