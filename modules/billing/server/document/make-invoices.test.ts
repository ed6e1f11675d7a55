import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { typesetAll } from '../../../../platform/print/typeset/typeset.ts'
import { runTool, temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { checkArchival } from '../../../../testing/pdf-a/check-archival.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { createTimestampers, signPdf, type Keyring } from '../../../sealing/server/index.ts'
import { InvoiceBreaksRules } from '../issue/assert-issuable.ts'
import { makeInvoices, type MadeInvoice } from './make-invoices.ts'
import { everyKind, instalment, monthly, ordinary, person } from './invoices.test-data.ts'
import { readLeaves } from './read-leaves.test-data.ts'
import { amountsIn, shownAs } from './shown-as.test-data.ts'
import type { InvoiceFacts } from './write/invoice-facts.ts'
import { writeDocument } from './write/write-document.ts'
import { documentWords } from './words/document-words.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let outside: OutsideTsa
let keyring: Keyring
const made = new Map<string, MadeInvoice>()

beforeAll(async () => {
  folder = await temporaryFolder()
  outside = await startOutsideTsa()
  keyring = await temporaryKeyring(folder.dir)
  const all = Object.entries(everyKind).flatMap(([name, facts]) =>
    (['en', 'fr'] as const).map((locale) => ({ name, facts, locale })),
  )
  const files = await make(all)
  for (const [at, { name, locale }] of all.entries()) await lay(`${name}.${locale}`, files[at])
}, 180_000)
afterAll(async () => {
  await outside?.close()
  await folder.remove()
})

const kinds = Object.keys(everyKind).flatMap((name) => [`${name}.en`, `${name}.fr`])

async function make(
  all: readonly { readonly facts: InvoiceFacts; readonly locale: Locale }[],
  sign = true,
): Promise<readonly MadeInvoice[]> {
  const timestampers = createTimestampers({ urls: [outside.url], keyring, clock: systemClock, log: silentLog })
  return await makeInvoices(
    all.map(({ facts, locale }) => ({ document: writeDocument(facts, locale), locale })),
    {
      typesetAll: async (documents) =>
        await typesetAll(documents, { folder: join(folder.dir, 'work'), signal: AbortSignal.timeout(170_000) }),
      signPdf: async (pdf, reason) => (sign ? await signPdf(pdf, { keyring, timestampers, clock: systemClock, reason }) : pdf),
    },
  )
}

/** A folder of its own for each. */
async function lay(name: string, one: MadeInvoice | undefined): Promise<void> {
  if (one === undefined) throw new Error(`${name} was not made`)
  made.set(name, one)
  await mkdir(join(folder.dir, name))
  await writeFile(join(folder.dir, name, 'invoice.pdf'), one.pdf)
  await writeFile(join(folder.dir, name, 'made.xml'), one.xml)
}

const tool = async (name: string, program: string, ...args: readonly string[]) =>
  await runTool(join(folder.dir, name), program, ...args)
async function pageText(name: string, how = '-raw'): Promise<string> {
  return (await tool(name, 'pdftotext', how, 'invoice.pdf', '-')).output
}
/** Without spaces and what only directs text. */
const solid = (text: string): string => text.replaceAll(/[\s\u2060-\u206f\u200b-\u200f]/gu, '')
const leaves = async (name: string) => await readLeaves(join(folder.dir, name), 'made.xml')

describe.each(kinds)('%s', (name) => {
  const locale = name.slice(-2) as Locale

  test('is one page of signed PDF/A-3a that holds its XML as an alternative, and says in its metadata that it is Factur-X', async () => {
    const info = (await tool(name, 'pdfinfo', 'invoice.pdf')).output
    expect(info).toMatch(/^Pages: +1$/m)
    expect(info).toMatch(/^Tagged: +yes$/m)
    expect((await tool(name, 'qpdf', '--check', 'invoice.pdf')).output).toContain('No syntax or stream encoding errors found')
    const signatures = (await tool(name, 'pdfsig', 'invoice.pdf')).output
    expect(signatures).toContain('Signature is Valid.')
    expect(signatures).toContain('Total document signed')
    const { pdf, xml } = made.get(name) ?? expect.fail(name)
    await tool(name, 'pdfdetach', '-saveall', '-o', '.', 'invoice.pdf')
    expect(Buffer.compare(await readFile(join(folder.dir, name, 'factur-x.xml')), xml)).toBe(0)
    expect(
      Buffer.from(pdf)
        .toString('latin1')
        .match(/\/AFRelationship \/\w+/g),
    ).toEqual(['/AFRelationship /Alternative'])
    const metadata = (await tool(name, 'pdfinfo', '-meta', 'invoice.pdf')).output
    for (const said of [
      '<pdfaid:part>3</pdfaid:part>',
      '<pdfaid:conformance>A</pdfaid:conformance>',
      '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
      '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
      '<fx:DocumentType>INVOICE</fx:DocumentType>',
      '<fx:Version>1.0</fx:Version>',
      '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
    ])
      expect(metadata).toContain(said)
    await writeFile(join(folder.dir, name, 'metadata.xml'), metadata.slice(metadata.indexOf('<?xpacket')))
    expect((await tool(name, 'xmllint', '--noout', 'metadata.xml')).output).toBe('')
  })

  test('keeps the clauses of PDF/A-3a that attaching and signing can break', async () => {
    expect(await checkArchival((made.get(name) ?? expect.fail(name)).pdf)).toEqual([])
  })

  test('says on its page each field of its XML, and no amount that is not there', async () => {
    const words = documentWords(locale)
    const fields = (await leaves(name)).map((leaf) => ({ ...leaf, shown: shownAs(leaf, words) }))
    expect(fields.length).toBeGreaterThan(40)
    const text = solid(await pageText(name))
    expect(fields.filter(({ shown }) => shown !== null && !text.includes(solid(shown)))).toEqual([])
    const inXml = fields.flatMap(({ shown }) => amountsIn(shown ?? '')).map(solid)
    const onPage = amountsIn(await pageText(name, '-layout')).map(solid)
    expect(onPage.length).toBeGreaterThan(5)
    expect(onPage.filter((amount) => !inXml.includes(amount))).toEqual([])
  })
})

test('amounts are as the screen has them, to the cent', async () => {
  const english = await pageText('instalment.en')
  for (const said of ['€1,197.60', '€239.52', '€1,437.12', '1 of 4, this document', '23 August 2027'])
    expect(english).toContain(said)
  const french = await pageText('instalment.fr')
  for (const said of ['1 197,60 €', '1 437,12 €', '4 sur 4', '23 août 2027']) expect(french).toContain(said)
  expect(french.match(/1 437,12 €/g)?.length).toBeGreaterThanOrEqual(4 + 2 + 4)
  expect(await pageText('ordinary.fr')).toContain('118,80 €')
})

test('what law wants of each kind stands on its page', async () => {
  const said = async (name: string, ...words: readonly string[]) => {
    const text = solid(await pageText(name))
    expect(
      words.filter((each) => !text.includes(solid(each))),
      name,
    ).toEqual([])
  }
  await said(
    'ordinary.fr',
    'Payée le 23 novembre 2026',
    'indemnité forfaitaire de 40 €',
    'Pas d’escompte',
    'RCS Paris 732 829 320',
  )
  await said('creditNote.fr', 'Avoir', 'F2026-000123 du 23 novembre 2026', 'En votre faveur', 'Déduit de vos prochaines factures')
  await said('reverseCharge.fr', 'Autoliquidation', 'DE136695976', 'FR44732829320', 'B2BINT')
  await said('reverseCharge.en', 'Autoliquidation (reverse charge)')
  await said('outsideUnion.fr', 'Non soumis à la TVA française', 'hors champ', 'TVA FR44732829320')
  await said('selfBilled.en', 'Self-billed invoice', 'Autofacturation', 'Amount due to you')
  await said('toPerson.fr', 'n’est pas due par un consommateur', 'article 1231-6')
})

test('a payment that moves no money is marked across the page, at its foot and in the XML; another is not', async () => {
  for (const [name, words] of [
    ['toPerson.en', 'Test payments – no value'],
    ['toPerson.fr', 'Paiements de test – sans valeur'],
  ] as const) {
    expect((await pageText(name)).split(words)).toHaveLength(1 + 3 + 1)
    expect(Buffer.from(made.get(name)?.xml ?? []).toString()).toContain('<ram:SubjectCode>AAI</ram:SubjectCode>')
  }
  expect(await pageText('ordinary.en')).not.toContain('Test payments')
})

test('the same document gives the same bytes, before it is signed', async () => {
  const twice = [
    { facts: monthly, locale: 'fr' as const },
    { facts: instalment, locale: 'en' as const },
  ]
  const [first, second] = [await make(twice, false), await make(twice, false)]
  for (const [at, { pdf, xml }] of first.entries()) {
    expect(Buffer.compare(pdf, second[at]?.pdf ?? new Uint8Array())).toBe(0)
    expect(Buffer.compare(xml, second[at]?.xml ?? new Uint8Array())).toBe(0)
  }
})

/** Markup of every kind, what turns text round, what no file may hold, and more than there is room for. */
const hostile = `<a href="x">&amp;]]>' #panic("x") $x$ *b* @ref \u202egnp.exe\u0000\u0007\ud800\ufffe\ue000 مرحبا {count, plural} \u{1f469}\u200d\u{1f680}`
const strange = (facts: InvoiceFacts): InvoiceFacts => ({
  ...facts,
  seller: { ...facts.seller, name: hostile, legal: { form: hostile, capital: hostile, register: hostile } },
  buyer: {
    ...person,
    name: `${hostile}${'x'.repeat(5_000)}`,
    registration: { scheme: null, id: hostile },
    vatId: 'FR44732829320',
    address: { lines: [hostile, hostile, hostile, hostile], postcode: hostile, city: hostile, country: 'FR' },
    electronic: { scheme: 'EM', id: hostile },
  },
  order: hostile,
  means: { kind: 'transfer', iban: hostile, bic: hostile, holder: hostile, reference: hostile },
  allowances: facts.allowances.map((each) => ({ ...each, reason: hostile })),
  lines: facts.lines.map((line) => ({ ...line, name: hostile, description: `${hostile}\n${'long '.repeat(300)}` })),
})

test.each(['en', 'fr'] as const)('%s: whatever stands in a field is text, on the page and in the XML', async (locale) => {
  const name = `hostile.${locale}`
  await lay(name, (await make([{ facts: strange(monthly), locale }]))[0])
  expect((await tool(name, 'xmllint', '--noout', 'made.xml')).output).toBe('')
  const fields = await leaves(name)
  // What XML has no place for is shown by its code; all else is as it was.
  const inXml = hostile.replaceAll(
    /[\u0000\u0007\ud800\ufffe]/g,
    (found) => `⟨U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
  expect(fields.filter(({ value }) => value.includes(inXml)).length).toBeGreaterThanOrEqual(18)
  expect(fields.map(({ path }) => path).filter((path) => path.includes('/a'))).toEqual([])
  const text = solid(await pageText(name))
  for (const said of ['#panic("x")$x$*b*@ref', '<ahref="x">&amp;]]>', 'U+202E', 'U+0000', 'factur-x.xml]'])
    expect(text).toContain(said)
  expect((await tool(name, 'qpdf', '--check', 'invoice.pdf')).output).toContain('No syntax or stream encoding errors found')
  expect((await tool(name, 'pdfsig', 'invoice.pdf')).output).toContain('Signature is Valid.')
  expect(await checkArchival((made.get(name) ?? expect.fail(name)).pdf)).toEqual([])
})

test('seventy lines take the pages that they need, under their heads; what law wants to be said is torn by none', async () => {
  const [, report = expect.fail('a line')] = monthly.lines
  const lines = Array.from({ length: 70 }, (_, at) => ({
    ...report,
    id: String(at + 1),
    quantity: 1,
    net: 9_900,
    description: `Capture ${String(at)}.`,
  }))
  const vat = [{ category: 'S' as const, rate: 2_000, taxable: 693_000, tax: 138_600 }]
  await lay('long.fr', (await make([{ facts: { ...monthly, lines, allowances: [], vat }, locale: 'fr' }]))[0])
  const pages = (await pageText('long.fr')).split('\f').slice(0, -1)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.map((page, at) => page.includes(`${String(at + 1)} / ${String(pages.length)}`))).toEqual(pages.map(() => true))
  const withLines = pages.filter((page) => page.includes('Capture '))
  expect(withLines.map((page) => page.includes('Désignation'))).toEqual(withLines.map(() => true))
  expect(pages.join('').match(/Capture \d+\./g)).toHaveLength(70)
  expect(pages.filter((page) => page.includes('Prestations de services'))).toEqual([
    expect.stringMatching(/pénalités[^]*indemnité forfaitaire[^]*escompte[^]*RCS Paris/),
  ])
  expect(pages.filter((page) => page.includes('Net à payer'))).toEqual([expect.stringMatching(/Total HT[^]*8 316,00 €/)])
})

test('what breaks a rule is not set, and the rules are named', async () => {
  const facts = { ...ordinary, paid: 1, suppliedOn: null }
  await expect(
    make(
      [
        { facts: monthly, locale: 'fr' },
        { facts, locale: 'fr' },
      ],
      false,
    ),
  ).rejects.toThrow(new InvoiceBreaksRules('F2026-000123', ['CGI-242-NONIES-A/SUPPLIED']))
})
