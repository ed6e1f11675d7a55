import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createTimestampers, signPdf } from '../../modules/sealing/server/index.ts'
import { proofReport } from '../../modules/verification/contract/proof-report.ts'
import { writePublishedKeys } from '../../modules/verification/server/index.ts'
import { silentLog } from '../../platform/log/log.ts'
import { temporaryKeyring } from '../../testing/keyring.ts'
import { checkArchival } from '../../testing/pdf-a/check-archival.ts'
import * as anchored from '../../testing/proof-vectors/anchored-file.ts'
import { runVerifyCommand } from './verify.ts'

let dir: string
let ots: string
let hello: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'verify-cli-'))
  ots = join(dir, 'coinbase.bin.ots')
  hello = join(dir, 'coinbase.bin')
  writeFileSync(ots, anchored.proof)
  writeFileSync(hello, anchored.file)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function command(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
  let out = ''
  let error = ''
  const code = await runVerifyCommand(argv, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (error += text) },
    env: {},
    signal: new AbortController().signal,
  })
  return { code, out, error }
}

test('a proof, its file and a block header: 0 with the header, 2 without, 1 when the file was altered', async () => {
  const given = await command(ots, hello, '--header', anchored.headerLine.replace(' ', ''))
  expect(given.code).toBe(0)
  expect(given.out).toContain('coinbase.bin.ots is over coinbase.bin')
  expect(given.out).toContain('29 December 2010')
  writeFileSync(join(dir, 'headers'), `${anchored.headerLine}\n`)
  expect((await command(ots, hello, '--header', join(dir, 'headers'))).code).toBe(0)
  expect((await command(ots, hello)).code).toBe(2)
  const altered = Buffer.from(readFileSync(hello))
  altered[0] = 0
  const other = mkdtempSync(join(dir, 'altered-'))
  writeFileSync(join(other, 'coinbase.bin'), altered)
  const failed = await command(ots, join(other, 'coinbase.bin'), '--lang', 'fr')
  expect([failed.code, failed.out.includes('Quelque chose ici n’est pas conforme')]).toEqual([1, true])
})

test.each([
  ['en', 'Verification minutes', 'Everything holds'],
  ['fr', 'Compte rendu de vérification', 'Tout est conforme'],
])('%s: minutes are written as PDF/A and as a page, and say the verdict that was told', async (lang, title, verdict) => {
  const [pdf, page] = [join(dir, `minutes.${lang}.pdf`), join(dir, `minutes.${lang}.html`)]
  const header = anchored.headerLine.replace(' ', '')
  const { code, out } = await command(ots, hello, '--header', header, '--lang', lang, '--minutes', pdf)
  expect(code).toBe(0)
  expect((await command(ots, hello, '--header', header, '--lang', lang, '--minutes', page)).code).toBe(0)
  const text = execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8' }).replaceAll(/\s+/g, ' ')
  expect(out).toContain(verdict)
  for (const said of [title, verdict, 'coinbase.bin.ots']) {
    expect(text).toContain(said)
    expect(readFileSync(page, 'utf8').replaceAll('&#39;', "'")).toContain(said)
  }
  expect(await checkArchival(readFileSync(pdf))).toEqual([])
  expect(readdirSync(dir).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('minutes that cannot be written are told, after the result', async () => {
  const { code, out, error } = await command(ots, hello, '--minutes', join(dir, 'nowhere', 'minutes.pdf'))
  expect(code).toBe(3)
  expect(out).toContain('coinbase.bin')
  expect(error).toMatch(/The result stands above; .*nowhere.minutes\.pdf cannot be written/)
})

test('a digest given stands for the file, and one proof alone is answered as its report', async () => {
  const { code, out } = await command(ots, '--json', '--digest', 'ab'.repeat(32))
  const report = proofReport.parse(JSON.parse(out))
  expect([code, report.kind, report.verdict]).toEqual([1, 'opentimestamps', 'TOTAL-FAILED'])
})

test('what is no proof, no header, no option or no file is unusable: 3, and said in words', async () => {
  expect((await command(hello)).code).toBe(3)
  expect((await command(hello)).out).toContain('Nothing here is a proof')
  const wrong = await command(ots, '--header', hello)
  expect([wrong.code, wrong.error.includes('is no block header')]).toEqual([3, true])
  expect((await command(join(dir, 'absent'))).code).toBe(3)
  expect((await command(ots, '--nothing')).error).toContain('Usage')
  expect((await command()).code).toBe(3)
})

test('--keys: a platform’s own PDF rests on the authorities that it publishes; on those of another it does not', async () => {
  const files: Record<string, string> = {}
  for (const name of ['own', 'other']) {
    const keyring = await temporaryKeyring(mkdtempSync(join(dir, 'keys-')))
    const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
    const document = await PDFDocument.create()
    document.addPage([200, 200])
    const pdf = await signPdf(await document.save(), { keyring, timestampers, clock: systemClock, reason: 'Seal' })
    writeFileSync((files[`${name}.pdf`] = join(dir, `${name}.pdf`)), pdf)
    writeFileSync((files[`${name}.json`] = join(dir, `${name}.json`)), writePublishedKeys(await keyring.publishedKeys({})))
  }
  const { 'own.pdf': pdf = '', 'own.json': keys = '', 'other.json': others = '' } = files
  const own = await command(pdf, '--keys', keys)
  expect([own.code, own.out.includes('this platform publishes as its own')]).toEqual([0, true])
  expect((await command(pdf, keys)).code).toBe(0)
  expect((await command(pdf, '--keys', others)).code).toBe(2)
  expect((await command(pdf)).code).toBe(2)
  const wrong = await command(pdf, '--keys', pdf, '--lang', 'fr')
  expect([wrong.code, wrong.error.includes('n’est pas un document de clés publiées')]).toEqual([3, true])
})
