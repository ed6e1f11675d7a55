/**
 * Our XML held against what others published: the schemas of UN/CEFACT and of Factur-X, by xmllint, and the rules of CEN/TC 434 and of the
 * French reform as they are compiled, by Saxon-HE (Debian's libsaxonhe-java, MPL-2.0). Each document that breaks a rule of ours goes there too.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool } from '../../../../../testing/keyring.ts'
import { readPublished } from '../../../../../testing/published/read-published.ts'
import { everyKind, outsideUnion, person, toPerson } from '../../../server/document/invoices.test-data.ts'
import { writeDocument } from '../../../server/document/write/write-document.ts'
import { breaks, categories, taxedAs } from '../../../server/document/breaks.test-data.ts'
import { crossIndustryInvoice } from './cross-industry-invoice.ts'

type Source = { readonly repository: string; readonly commit: string }
type Row = { readonly path: string; readonly sha256: string }
type Published = {
  readonly schemas: readonly (Source & { readonly main: string; readonly files: readonly Row[] })[]
  readonly rules: readonly (Source & Row & { readonly main: string })[]
}
const { schemas, rules } = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as Published

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'published-rules-'))
  for (const { files, ...source } of schemas)
    for (const { path, sha256 } of files)
      await writeFile(join(dir, basename(path)), await readPublished({ ...source, path, sha256 }))
  for (const [at, each] of rules.entries()) await writeFile(join(dir, `${String(at)}.xslt`), await readPublished(each))
})
afterAll(async () => await rm(dir, { recursive: true, force: true }))

const xmlOf = (name: keyof typeof everyKind): string =>
  new TextDecoder().decode(crossIndustryInvoice(writeDocument(everyKind[name], 'fr')))
async function lay(name: string, xml: string): Promise<string> {
  await writeFile(join(dir, `${name}.xml`), xml)
  return `${name}.xml`
}
const names = Object.keys(everyKind) as (keyof typeof everyKind)[]

describe.each(schemas)('$main', ({ main }) => {
  test.each(names)('%s', async (name) => {
    const file = await lay(name, xmlOf(name))
    expect((await runTool(dir, 'xmllint', '--noout', '--schema', main, file)).output).toBe(`${file} validates\n`)
  })
  test('what is out of order is found', async () => {
    const xml = xmlOf('ordinary').replace(/( *<ram:TypeCode>380<\/ram:TypeCode>\n)([^]*?<\/ram:IssueDateTime>\n)/, '$2$1')
    const { code, output } = await runTool(dir, 'xmllint', '--noout', '--schema', main, await lay('disordered', xml))
    expect([code, output]).toEqual([3, expect.stringContaining('disordered.xml fails to validate')])
  })
})

/** Ids of what each document breaks, of the one list of rules; null where it is no invoice that the rules could be asked about. */
async function brokenBy(
  list: number,
  documents: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const [given, found] = [`given-${String(list)}`, `found-${String(list)}`]
  for (const folder of [given, found]) {
    await rm(join(dir, folder), { recursive: true, force: true })
    await mkdir(join(dir, folder))
  }
  const files = [...documents].map(([name, xml], at) => ({ name, xml, file: `${String(at)}.xml` }))
  for (const { xml, file } of files) await writeFile(join(dir, given, file), xml)
  const saxon = ['-cp', '/usr/share/java/Saxon-HE.jar', 'net.sf.saxon.Transform']
  await runTool(dir, 'java', ...saxon, `-s:${given}`, `-xsl:${String(list)}.xslt`, `-o:${found}`)
  const said = files.map(async ({ name, file }) => {
    const report = await readFile(join(dir, found, file), 'utf8').catch(() => '')
    if (!report.includes('<svrl:fired-rule')) return [name, null] as const
    return [
      name,
      [...new Set([...report.matchAll(/<svrl:failed-assert[^>]*?\sid="([^"]+)"/g)].map(([, id = '']) => id))],
    ] as const
  })
  return new Map(await Promise.all(said))
}

const abroad = { ...person, address: { lines: ['1 Elm Street'], postcode: '02139', city: 'Cambridge', country: 'US' } }
const kept = new Map(
  [
    ...Object.values(everyKind),
    // A person abroad, who pays VAT here or none.
    { ...toPerson, number: 'F2026-000129', buyer: abroad },
    { ...outsideUnion, number: 'F2026-000130', buyer: abroad },
  ].flatMap((facts) =>
    (['en', 'fr'] as const).map((locale) => [`${facts.number}.${locale}`, crossIndustryInvoice(writeDocument(facts, locale))]),
  ),
)
/**
 * Where ours are stricter than the published ones: half an address, a space for a text, a line without a number, half a line, an amount beyond
 * what a number holds, a cent where they leave a euro.
 */
const stricter =
  'BR-08 BR-10 BR-11 BR-21 BR-22 BR-33 BR-62 BR-63 BR-CO-15 BR-CO-17 BR-CO-25 BR-DEC-10 BR-DEC-23 BR-FR-05/AAB BR-Z-08 BR-AE-08 BR-G-08 BR-O-01'.split(
    ' ',
  )
/** What is under another number there. */
const elsewhere: Readonly<Record<string, string>> = { 'BR-03': 'BR-FR-03', 'BR-FR-05/PMD': 'BR-FR-06', 'BR-DEC': 'BR-FR-DEC-01' }

describe('rules as they are published', { timeout: 600_000 }, () => {
  test.each(rules.map(({ main }, list) => [main, list] as const))(
    '%s: documents of every kind break none',
    async (_main, list) => {
      const found = await brokenBy(list, kept)
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...kept.keys()].map((name) => [name, []])))
    },
  )

  test('each document that breaks one of our rules breaks the same one there, where it is on their lists', async () => {
    const broken = new Map(breaks.map(([id, document, change]) => [id, crossIndustryInvoice({ ...document, ...change })]))
    const lists = await Promise.all(rules.map(async (_, list) => await brokenBy(list, broken)))
    // What is no amount is no invoice to them.
    const isTheirs = (id: string) => id.startsWith('BR-')
    const missed = [...broken.keys()].filter(isTheirs).filter((id) => {
      const [theirs = id] = Object.entries(elsewhere).flatMap(([ours, other]) => (id.startsWith(ours) ? [other] : []))
      const named = theirs.split('/')[0] ?? theirs
      return !lists.some((list) => {
        const ids = list.get(id)
        return ids === null || ids?.some((each) => each === named || each.startsWith(`${named}_`) || each.startsWith(`${named}-`))
      })
    })
    expect(missed.toSorted()).toEqual(stricter.toSorted())
  })

  test('what is taxed in each way, with something taken off, breaks none', async () => {
    const taxed = new Map(categories.map((category) => [category, crossIndustryInvoice(taxedAs(category))]))
    const lists = await Promise.all(rules.map(async (_, list) => await brokenBy(list, taxed)))
    for (const list of lists) expect(Object.fromEntries(list)).toEqual(Object.fromEntries(categories.map((each) => [each, []])))
  })
})
