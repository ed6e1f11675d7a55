/**
 * Our XML held against what others published: the schemas of UN/CEFACT and of Factur-X, by xmllint, and the rules of CEN/TC 434, by the
 * schematron engine in the folder that `NODE_SCHEMATRON` names (node-schematron 2.1.0, MIT; any folder it was installed to by npm).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool } from '../../../../../testing/keyring.ts'
import { readPublished } from '../../../../../testing/published/read-published.ts'
import { everyKind } from '../../../server/document/invoices.test-data.ts'
import { writeDocument } from '../../../server/document/write/write-document.ts'
import { crossIndustryInvoice } from './cross-industry-invoice.ts'

type Source = { readonly repository: string; readonly commit: string }
type Row = { readonly path: string; readonly sha256: string }
type Published = {
  readonly schemas: readonly (Source & { readonly main: string; readonly files: readonly Row[] })[]
  readonly rules: Source & Row
}
const { schemas, rules } = JSON.parse(await readFile(new URL('published.json', import.meta.url), 'utf8')) as Published

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'published-rules-'))
  for (const { files, ...source } of schemas)
    for (const { path, sha256 } of files)
      await writeFile(join(dir, basename(path)), await readPublished({ ...source, path, sha256 }))
  await writeFile(join(dir, 'rules.sch'), await readPublished(rules))
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

const program = `
import { readFileSync } from 'node:fs'
const { Schema } = (await import(process.argv[1])).default
const schema = Schema.fromString(readFileSync('rules.sch', 'utf8'))
console.log(JSON.stringify(schema.validateString(readFileSync(process.argv[2], 'utf8')).map(({ assertId }) => assertId)))
`

/** Ids of what a file breaks. */
async function brokenIn(file: string): Promise<readonly string[]> {
  const engine = process.env['NODE_SCHEMATRON']
  if (engine === undefined) throw new Error('NODE_SCHEMATRON names no folder')
  const index = join(engine, 'dist/index.js')
  const { output } = await runTool(dir, process.execPath, '--input-type=module', '-e', program, index, file)
  return [...new Set(JSON.parse(output) as string[])].toSorted()
}

describe('rules of CEN/TC 434', { timeout: 240_000 }, () => {
  test.each(names)('%s breaks none', async (name) => {
    expect(await brokenIn(await lay(name, xmlOf(name)))).toEqual([])
  })
  test('what does not add up, and why no VAT is paid left out, are found', async () => {
    const xml = xmlOf('outsideUnion')
      .replace(/<ram:GrandTotalAmount>[^<]*/, '<ram:GrandTotalAmount>1.00')
      .replaceAll(/<ram:ExemptionReason(Code)?>[^<]*<\/ram:ExemptionReason(Code)?>/g, '')
    expect(await brokenIn(await lay('wrong', xml))).toEqual(['BR-CO-15', 'BR-CO-16', 'BR-O-10'])
  })
})
