import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readPublished } from '../published/read-published.ts'
import { checkArchival } from './check-archival.ts'
import type { Finding } from './check-archival.ts'

/** `finds`: clauses. `why`: where that is not what the name of the file says. */
type Row = { path: string; sha256: string; finds: string[]; why?: string }
type Published = { repository: string; commit: string; files: Row[] }

const { repository, commit, files } = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as Published

/** The clause that a file breaks; none for one that breaks nothing; its family alone where it has no clause. */
function said(path: string): { readonly passes: boolean; readonly clause: string | undefined } {
  const [, clause, outcome] = /suite (.+?)-(?:t\d+|pdfa\d)-(pass|fail)-/.exec(path) ?? []
  if (clause === undefined) throw new Error(`${path} does not say what it is`)
  return { passes: outcome === 'pass', clause: /^\d/.test(clause) ? clause.replaceAll('-', '.') : undefined }
}

/** That these files are of part 2 or of a level below A is found in all of them, and is not what they are for. */
const isItsKind = ({ clause, words }: Finding): boolean => clause === '6.6.4' && /^the (?:part is 2|level is [BU])$/.test(words)

/** So is that those of level B are not tagged, and that those of part 2 hold files in their way. */
function compared(path: string, finds: readonly string[]): readonly string[] {
  const isOther = (clause: string): boolean =>
    (clause === '6.8' && !/PDF_A-3b|pdfa3/.test(path)) || (clause.startsWith('6.7') && !path.includes('PDF_A-2a'))
  return finds.filter((clause) => clause === said(path).clause || !isOther(clause))
}

test('what is found in a file is what its name says, but where it is told why not', () => {
  expect(files.length).toBeGreaterThan(300)
  for (const { path, finds, why } of files) {
    const { passes, clause } = said(path)
    const left = compared(path, finds)
    const agrees = passes ? left.length === 0 : left.some((each) => clause === undefined || clause.startsWith(each))
    expect(agrees, path).toBe(why === undefined)
  }
})

test.each(files)('$path', async ({ path, sha256, finds }) => {
  const found = await checkArchival(await readPublished({ repository, commit, path, sha256 }))
  const clauses = found.filter((each) => !isItsKind(each)).map(({ clause }) => clause)
  expect([...new Set(clauses)].toSorted()).toEqual(finds)
})
