import { PDFDocument } from '@cantoo/pdf-lib'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import { temporaryFolder, temporaryKeyring } from '../../../../../testing/keyring.ts'
import { appendUpdate, formObjects, signText, stampText, writePdf } from '../../../../../testing/signed-pdf.ts'
import { createTimestampers, signPdf } from '../../../../sealing/server/index.ts'
import type { Timestamper } from '../../../../sealing/server/index.ts'
import { MalformedError } from '../../encoding/der.ts'
import { verifyPdf } from './verify-pdf.ts'
import type { PdfOutcome } from './verify-pdf.ts'
import { readCertificate } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'

let time: Timestamper
let known: { platform: Certificate[]; time: Certificate[] }
/** As reports were made before they held validation data. */
let plain: string
let report: Uint8Array

beforeAll(async () => {
  const folder = await temporaryFolder()
  const keyring = await temporaryKeyring(folder.dir)
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
  time = timestampers[0] as Timestamper
  const platform = await keyring.signer('platform')
  const read = (all: readonly Uint8Array[]): Certificate[] => all.map((each) => readCertificate(each))
  known = { platform: read(platform.chain), time: read((await keyring.signer('time')).chain) }
  plain = await signText(writePdf(formObjects()), { signer: platform, timestamper: time })
  const document = await PDFDocument.create()
  document.addPage([300, 300]).drawText('What the page showed')
  report = await signPdf(await document.save(), { keyring, timestampers, clock: systemClock, reason: 'Seal' })
  return async () => await folder.remove()
})

/** What the check of a package says; damage of the format is one of its reasons. */
async function verify(pdf: string | Uint8Array): Promise<PdfOutcome> {
  const bytes = typeof pdf === 'string' ? new Uint8Array(Buffer.from(pdf, 'latin1')) : pdf
  const read = async (at: number, length: number): Promise<Uint8Array> => {
    if (at < 0 || length < 0 || at + length > bytes.length) throw new RangeError('past the end')
    return bytes.subarray(at, at + length)
  }
  try {
    return await verifyPdf({ size: bytes.length, read }, known, { now: () => new Date() })
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return { status: 'failed', reason: 'malformed' }
    throw error
  }
}

test('a report of before holds at B-T, one of today at B-LTA with two dates', async () => {
  expect(await verify(plain)).toMatchObject({ status: 'passed', level: 'B-T', signer: 'Probant platform seal' })
  const today = await verify(report)
  expect(today).toMatchObject({ status: 'passed', level: 'B-LTA', timestamp: { embedded: true } })
  expect(today.status === 'passed' && today.document_timestamp?.embedded).toBe(true)
})

const forged = '<< /Length 21 >>\nstream\n(You owe 999 euros) Tj\nendstream'
const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [50 50 150 70] /P 3 0 R /V (Mallory) >>'

test('a timestamp of the platform’s own over anything but validation data saves nothing', async () => {
  const stamped = async (objects: Readonly<Record<number, string>>) =>
    await verify(await stampText(appendUpdate(plain, objects), time))
  expect(await stamped({ 4: forged })).toEqual({ status: 'failed', reason: 'pdf_changed' })
  expect(await stamped({ 7: field })).toEqual({ status: 'failed', reason: 'pdf_changed' })
  expect(await verify(await stampText(plain, time))).toEqual({ status: 'failed', reason: 'revocation' })
  expect(await verify(await stampText(await stampText(plain, time), time))).toMatchObject({ status: 'failed' })
})

test('whatever follows the last timestamp, or is cut, is seen', async () => {
  expect(await verify(Buffer.concat([report, Buffer.from(' ')]))).toEqual({ status: 'failed', reason: 'unsigned' })
  expect(await verify(report.subarray(0, -1))).toMatchObject({ status: 'failed' })
  expect(await verify(appendUpdate(plain, { 4: forged }))).toEqual({ status: 'failed', reason: 'unsigned' })
})

test('the case of a digit, which nothing signs, is one throughout', async () => {
  const [last] = [
    ...Buffer.from(report)
      .toString('latin1')
      .matchAll(/\/Contents\s*<[0-9A-Fa-f]+>/g),
  ].slice(-1)
  const from = last?.index ?? 0
  const text = Buffer.from(last?.[0] ?? '').subarray('/Contents'.length)
  const letters = [...text.entries()].filter(([, octet]) => /[A-Fa-f]/.test(String.fromCharCode(octet)))
  expect(letters.length).toBeGreaterThan(100)
  for (const [i, octet] of [letters[0], letters.at(-1)].filter((each) => each !== undefined)) {
    const at = from + '/Contents'.length + i
    expect(report[at]).toBe(octet)
    expect(await verify(report.with(at, octet ^ 0x20))).toEqual({ status: 'failed', reason: 'malformed' })
  }
})

test('no octet of a report changes unseen', async () => {
  for (let at = 0; at < report.length; at += 521) {
    const altered = report.with(at, (report[at] ?? 0) ^ (1 << (at % 8)))
    expect((await verify(altered)).status, `octet ${at}`).not.toBe('passed')
  }
})
