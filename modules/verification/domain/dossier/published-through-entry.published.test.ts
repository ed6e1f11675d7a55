import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import type { ZipPart } from '../../../../testing/write-zip.ts'
import { verifyDossier } from './dossier.ts'
import type { Dossier } from './dossier.ts'
import { fileOfBytes } from './dropped/dossier-units.ts'
import type { DossierFile } from './dropped/dossier-units.ts'
import { readAnyZip, readEntry } from '../zip/read-any-zip.ts'
import { shippedLists } from '../../server/trusted-lists/shipped-lists.ts'
import { draw, seed } from '../../../../testing/sweep.ts'

/**
 * Every published file as a reader gives it: dropped as a file, with its document where there is one, and given to the command line. The
 * verdict must be that of its table, which the verifier of its kind is held to elsewhere: what is right inside is of no use when another
 * door lets the file in as something else.
 */
type Document = { path: string; sha256: string } | { text: string } | { digests: Record<string, string> }
type Row = {
  repository: string
  commit: string
  path: string
  sha256: string
  document?: Document
  verdict: string | null
  finds: readonly string[]
}

const domain = new URL('../', import.meta.url)
async function rowsOf(room: string): Promise<Row[]> {
  const read = JSON.parse(await readFile(new URL(`${room}/published.json`, domain), 'utf8')) as
    | Row[]
    | { repository: string; commit: string; files: Row[] }
  return Array.isArray(read) ? read : read.files.map((row) => ({ ...row, repository: read.repository, commit: read.commit }))
}
const groups = Object.fromEntries(
  await Promise.all(
    Object.entries({ asic: 'asic', cms: 'cades', 'evidence-record': 'evidence-record', pdf: 'pdf' }).map(
      async ([kind, room]) => [kind, await rowsOf(room)] as const,
    ),
  ),
)
const now = (): Date => new Date('2026-11-21T12:00:00Z')
const fileOf = async ({ repository, commit }: Row, path: string, sha256: string): Promise<DossierFile> =>
  fileOfBytes(basename(path), await readPublished({ repository, commit, path, sha256 }))

/** The file, and what it is over. */
async function given(row: Row): Promise<DossierFile[]> {
  const file = await fileOf(row, row.path, row.sha256)
  const { document } = row
  if (document === undefined || 'digests' in document) return [file]
  return [
    file,
    'text' in document ? fileOfBytes('document.txt', utf8(document.text)) : await fileOf(row, document.path, document.sha256),
  ]
}

/** Not a proof at all is no verdict of one. */
const verdictOf = ({ items, verdict }: Dossier): string | null => {
  const [first] = items
  return first?.result.form === 'proof' ? first.result.report.verdict : verdict
}

const all = Object.entries(groups).flatMap(([kind, rows]) => rows.map((row) => ({ kind, row, path: row.path })))

test.each(all)('$kind: $path is judged as its table says when it is dropped', async ({ kind, row }) => {
  const dossier = await verifyDossier(await given(row), { now })
  // Of none of these does the reader know the authority; with the lists that are shipped, of some.
  expect(dossier.verdict).not.toBe('TOTAL-PASSED')
  const listed =
    row.verdict === 'TOTAL-FAILED' ? await verifyDossier(await given(row), { now, trustedLists: shippedLists().lists }) : dossier
  expect(listed.verdict).not.toBe('TOTAL-PASSED')
  if (row.finds.some((each) => /^(?:form|container|structure)=/.test(each))) return
  expect(dossier.items[0]?.kind).toBe(kind.replaceAll('-', '_'))
  // A digest that is known from elsewhere is typed, not dropped.
  if (row.document !== undefined && 'digests' in row.document) return
  // A file beside the proof of another one is not said to be false, unless it is named as if it were that one.
  const isOther = row.finds.some((each) => /^(?:message_digest=other_content|document=other_document)/.test(each))
  expect(isOther ? ['TOTAL-FAILED', 'INDETERMINATE'] : [row.verdict]).toContain(verdictOf(dossier))
})

test.each(groups['asic'] ?? [])('$path is the same container without its mark', async (row) => {
  const file = await fileOf(row, row.path, row.sha256)
  const { entries, flaws } = await readAnyZip(file)
  if (flaws.length > 0) return
  const parts: ZipPart[] = []
  for (const entry of entries) parts.push({ path: entry.path, bytes: await readEntry(file, entry, 1 << 24) })
  const others = parts.filter(({ path }) => path !== 'mimetype')
  const [before, after] = await Promise.all(
    [parts, others].map(async (each) => await verifyDossier([fileOfBytes('renamed.zip', zipOf(each))], { now })),
  )
  expect(after?.items.map(({ kind }) => kind)).toEqual(['asic'])
  const isOfAnother = row.finds.some((each) => each.startsWith('mimetype='))
  if (!isOfAnother) expect(after?.verdict).toBe(before?.verdict)
})

describe('the command line', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'published-entry-'))
    return async () => await rm(folder, { recursive: true, force: true })
  })

  test.each(draw(all))(`$kind: $path ends as it should (seed ${seed})`, async ({ row }) => {
    const files = await given(row)
    const paths: string[] = []
    for (const [i, file] of files.entries()) {
      paths.push(join(folder, `${i}-${file.path}`))
      await writeFile(paths.at(-1) ?? '', await file.read(0, file.size))
    }
    const bin = fileURLToPath(new URL('../../../../apps/cli/probant.ts', import.meta.url))
    const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) =>
      execFile(process.execPath, [bin, 'verify', '--json', ...paths], { maxBuffer: 1 << 28 }, (error, out) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout: out }),
      ),
    )
    const dossier = await verifyDossier(files, { now: () => new Date(), trustedLists: shippedLists().lists })
    const said = JSON.parse(stdout) as { verdict: string | null; unusable?: boolean }
    expect(said.verdict).toBe(files.length === 1 ? verdictOf(dossier) : dossier.verdict)
    // With the lists that are shipped some are whole; what is broken is green nowhere.
    if (code === 0) expect(row.verdict).not.toBe('TOTAL-FAILED')
    expect(code === 0).toBe(dossier.verdict === 'TOTAL-PASSED')
  })
})
afterAll(() => expect(all.length).toBeGreaterThan(250))
