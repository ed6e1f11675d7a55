import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { runTool, temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { checkArchival } from '../../../../testing/pdf-a/check-archival.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import type { OutsideTsa } from '../../../../testing/tsa.ts'
import { verifyPdfProof } from '../../../verification/server/index.ts'
import { createTimestampers } from '../timestamps/create-timestampers.ts'
import { oids } from '../encoding/object-identifiers.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import { readSignedData } from '../signed-data/read-signed-data.ts'
import { signPdf } from './sign-pdf.ts'
import type { SignPdfDeps } from './sign-pdf.ts'
import type { Keyring } from '../keyring/signer.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
let outside: OutsideTsa
let original: Uint8Array
beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await temporaryKeyring(folder.dir)
  outside = await startOutsideTsa()
  original = await makePdf()
})
afterAll(async () => {
  await outside.close()
  await folder.remove()
})

const xmp = '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"/><?xpacket end="w"?>'

/** Tagged, with XMP, an attachment and object streams, as a report has. */
async function makePdf(useObjectStreams = true): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.addPage([300, 300]).drawText('What the page showed')
  pdf.addPage([300, 300])
  pdf.setLanguage('fr-FR')
  // Its annotations in an object of their own.
  const link = { Type: 'Annot', Subtype: 'Link', F: 4, Rect: [0, 0, 0, 0] }
  pdf
    .getPage(0)
    .node.set(PDFName.of('Annots'), pdf.context.register(pdf.context.obj([pdf.context.register(pdf.context.obj(link))])))
  const { context, catalog } = pdf
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }))
  catalog.set(PDFName.of('StructTreeRoot'), context.register(context.obj({ Type: 'StructTreeRoot', Note: PDFString.of('kept') })))
  catalog.set(PDFName.of('Metadata'), context.register(context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })))
  await pdf.attach(new TextEncoder().encode('attached'), 'manifest.json', { mimeType: 'application/json' })
  return pdf.save({ useObjectStreams })
}

const deps = (urls: string[] = []): SignPdfDeps => ({
  keyring,
  clock: systemClock,
  reason: 'Scelle l’état de la page à 10 h « été »',
  location: 'Paris',
  timestampers: createTimestampers({ urls, keyring, clock: systemClock, log: silentLog }),
})

async function pdfsig(pdf: Uint8Array): Promise<string> {
  await writeFile(join(folder.dir, 's.pdf'), pdf)
  return (await runTool(folder.dir, 'pdfsig', 's.pdf')).output
}

function contentsOf(pdf: Uint8Array): { cms: Uint8Array; signed: Buffer } {
  const text = Buffer.from(pdf).toString('latin1')
  const [, a, b, c] = (/\/ByteRange ?\[0 +(\d+) +(\d+) +(\d+)/.exec(text) ?? []).map(Number)
  if (a === undefined || b === undefined || c === undefined) throw new Error('no ByteRange')
  expect(b + c).toBeLessThanOrEqual(pdf.length)
  const padded = Buffer.from(text.slice(a + 1, b - 1), 'hex')
  return {
    cms: padded.subarray(0, 4 + padded.readUInt16BE(2)),
    signed: Buffer.concat([pdf.subarray(0, a), pdf.subarray(b, b + c)]),
  }
}

test.each([true, false])('poppler finds the signature valid over the whole document (object streams: %s)', async (streams) => {
  const text = await pdfsig(await signPdf(await makePdf(streams), deps()))
  expect(text).toContain('Signature Validation: Signature is Valid.')
  expect(text).toContain('Signature Type: ETSI.CAdES.detached')
  expect(text).toContain('Signing Hash Algorithm: SHA-256')
  expect(text).toContain('Total document signed')
  expect(text).toContain('Signer Certificate Common Name: Probant platform seal')
})

test('a flipped byte anywhere outside the signature is seen by poppler', async () => {
  const signed = await signPdf(original, deps())
  for (const offset of [20, Math.floor(original.length / 2), signed.length - 20]) {
    expect(await pdfsig(signed.with(offset, (signed[offset] ?? 0) ^ 1))).not.toContain('Signature is Valid.')
  }
})

test('the original is a prefix: tags, XMP and attachment are what they were', async () => {
  const signed = await signPdf(original, deps())
  expect(Buffer.compare(signed.subarray(0, original.length), original)).toBe(0)
  await writeFile(join(folder.dir, 'k.pdf'), signed)
  const info = (await runTool(folder.dir, 'pdfinfo', 'k.pdf')).output
  expect(info).toMatch(/Tagged: +yes/)
  expect(info).toMatch(/Metadata Stream: +yes/)
  expect((await runTool(folder.dir, 'pdfinfo', '-meta', 'k.pdf')).output.trim()).toBe(xmp)
  expect((await runTool(folder.dir, 'pdfdetach', '-list', 'k.pdf')).output).toContain('1: manifest.json')
  const again = await PDFDocument.load(signed)
  expect(again.catalog.has(PDFName.of('StructTreeRoot'))).toBe(true)
  expect(again.getPageCount()).toBe(2)
})

test('PAdES B-T: attributes, and a signature time-stamp that openssl accepts over the signature', async () => {
  const { cms, signed } = contentsOf(await signPdf(original, deps()))
  const file = (name: string) => join(folder.dir, name)
  const facts = readSignedData(cms)
  expect([...facts.signed.keys()].toSorted()).toEqual(
    [oids.contentType, oids.messageDigest, oids.signingCertificateV2].toSorted(),
  )
  expect([...facts.unsigned.keys()]).toEqual([oids.timeStampToken])
  await writeFile(file('cms.der'), cms)
  await writeFile(file('signed.bin'), signed)
  await writeFile(file('ca.pem'), pemOf((await keyring.signer('platform')).chain))
  const verified = await runTool(
    folder.dir,
    'openssl',
    'cms',
    '-verify',
    '-cades',
    '-binary',
    '-inform',
    'DER',
    '-in',
    'cms.der',
    '-content',
    'signed.bin',
    '-CAfile',
    'ca.pem',
    '-out',
    '/dev/null',
  )
  expect(verified).toMatchObject({ code: 0 })
  await writeFile(file('token.der'), facts.unsigned.get(oids.timeStampToken)?.encoded ?? '')
  await writeFile(file('tsa.pem'), pemOf((await keyring.signer('time')).chain))
  const digest = createHash('sha256').update(facts.signature).digest('hex')
  expect(
    await runTool(
      folder.dir,
      'openssl',
      'ts',
      '-verify',
      '-digest',
      digest,
      '-token_in',
      '-in',
      'token.der',
      '-CAfile',
      'tsa.pem',
    ),
  ).toMatchObject({ code: 0 })
})

test('an outside authority stamps the signature when there is one', async () => {
  const signed = await signPdf(original, deps([outside.url]))
  expect(await pdfsig(signed)).toContain('Signature is Valid.')
  const facts = readSignedData(contentsOf(signed).cms)
  await writeFile(join(folder.dir, 'o.der'), facts.unsigned.get(oids.timeStampToken)?.encoded ?? '')
  const digest = createHash('sha256').update(facts.signature).digest('hex')
  expect(
    await runTool(
      folder.dir,
      'openssl',
      'ts',
      '-verify',
      '-digest',
      digest,
      '-token_in',
      '-in',
      'o.der',
      '-CAfile',
      outside.caFile,
    ),
  ).toMatchObject({ code: 0 })
})

test('PAdES B-LTA: the document timestamp covers everything, and openssl accepts it and the lists with every certificate', async () => {
  const signed = await signPdf(original, deps())
  const text = await pdfsig(signed)
  expect(text).toContain('Signature #2')
  expect(text.split('Signature #2')[1]).toContain('Total document signed')
  const ranges = [
    ...Buffer.from(signed)
      .toString('latin1')
      .matchAll(/\/ByteRange ?\[0 +(\d+) +(\d+) +(\d+)/g),
  ]
  const [a = 0, b = 0, c = 0] = ranges.at(-1)?.slice(1).map(Number) ?? []
  expect(b + c).toBe(signed.length)
  const padded = Buffer.from(Buffer.from(signed.subarray(a + 1, b - 1)).toString('latin1'), 'hex')
  const file = (name: string) => join(folder.dir, name)
  await writeFile(file('document.der'), padded.subarray(0, 4 + padded.readUInt16BE(2)))
  const time = await keyring.signer('time')
  const platform = await keyring.signer('platform')
  await writeFile(file('roots.pem'), pemOf([...time.chain, ...platform.chain]))
  const digest = createHash('sha256').update(signed.subarray(0, a)).update(signed.subarray(b)).digest('hex')
  const stamp = ['ts', '-verify', '-digest', digest, '-token_in', '-in', 'document.der', '-CAfile', 'roots.pem']
  expect(await runTool(folder.dir, 'openssl', ...stamp)).toMatchObject({ code: 0 })
  for (const each of [time, platform]) {
    const list = (await keyring.revocationList(each.chain.at(-1) ?? new Uint8Array())) ?? new Uint8Array()
    expect(Buffer.from(signed).includes(list)).toBe(true)
    await writeFile(file('list.der'), list)
    await writeFile(file('leaf.pem'), pemOf([each.certificate]))
    await runTool(folder.dir, 'openssl', 'crl', '-inform', 'DER', '-in', 'list.der', '-out', 'list.pem')
    const check = ['verify', '-crl_check', '-CAfile', 'roots.pem', '-CRLfile', 'list.pem', 'leaf.pem']
    expect(await runTool(folder.dir, 'openssl', ...check)).toMatchObject({ code: 0, output: expect.stringContaining('OK') })
  }
})

test('PAdES B-LTA: our own verifier measures that level, whatever the form of the file', async () => {
  const trust = Buffer.from(pemOf([...(await keyring.signer('platform')).chain, ...(await keyring.signer('time')).chain]))
  for (const streams of [true, false]) {
    const signed = await signPdf(await makePdf(streams), deps())
    const file = { size: signed.length, read: async (at: number, length: number) => signed.subarray(at, at + length) }
    const report = await verifyPdfProof({ file }, { now: () => new Date(), trust })
    expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.facts).toContainEqual({ id: 'level', value: 'PAdES B-LTA', form: 'text' })
  }
})

test.each([true, false])('signing breaks nothing of PDF/A-3 that held before (object streams: %s)', async (streams) => {
  const before = await makePdf(streams)
  const told = (await checkArchival(before)).map(({ clause, words }) => `${clause} ${words}`)
  // It is no PDF/A, whose clauses of syntax and structure it keeps besides.
  expect(told).toContain('6.6.4 the part is absent')
  // At B-LTA, and at B-T: nobody answers for the outside authority. The link that was there, and a widget for each.
  for (const [sealing, annotations] of [
    [deps(), 3],
    [deps([outside.url]), 2],
  ] as const) {
    const signed = await signPdf(before, sealing)
    const found = await checkArchival(signed)
    expect(found.filter(({ clause, words }) => !told.includes(`${clause} ${words}`))).toEqual([])
    expect((await PDFDocument.load(signed)).getPage(0).node.Annots()?.size()).toBe(annotations)
  }
})

test('an issuer that gives no answer leaves the level at B-T, and nothing half done', async () => {
  const signed = await signPdf(original, { ...deps(), evidence: async () => undefined })
  expect(await pdfsig(signed)).toContain('Total document signed')
  expect(Buffer.from(signed).includes('/DSS')).toBe(false)
})

test('reason, place and time read as given', async () => {
  const clock = { now: () => new Date('2026-12-01T10:00:00Z') }
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const signed = await signPdf(original, { ...deps(), clock, timestampers })
  const loaded = await PDFDocument.load(signed)
  const dictionary = loaded.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .find((object) => object instanceof PDFDict && String(object.get(PDFName.of('SubFilter'))) === '/ETSI.CAdES.detached')
  if (!(dictionary instanceof PDFDict)) throw new Error('no signature dictionary')
  const text = (key: string) => dictionary.lookup(PDFName.of(key), PDFString, PDFHexString).decodeText()
  expect(text('Reason')).toBe('Scelle l’état de la page à 10 h « été »')
  expect(text('Location')).toBe('Paris')
  expect(await pdfsig(signed)).toMatch(/Signing Time: Dec 01 2026/)
  await expect(signPdf(original, { ...deps(), reason: 'a (b)' })).rejects.toMatchObject({ code: 'sealing.pdf_reason' })
})

test('what is not a PDF is refused', async () => {
  for (const bytes of [new Uint8Array(), new TextEncoder().encode('%PDF-1.7\n'), await readFile(import.meta.filename)]) {
    await expect(signPdf(bytes, deps())).rejects.toMatchObject({ code: 'sealing.pdf_unreadable' })
  }
})
