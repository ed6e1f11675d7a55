/**
 * One real package, altered in every way that leaves a trace: `probant verify` and `verify.html` never pass it, and name the
 * entry. Most alterations come in two forms: the bare one, and the one of a forger who makes the container right again.
 */
import { execFile, execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Page, expect, test } from '@playwright/test'
import { runVerifyCommand } from '../apps/cli/verify.ts'
import type { VerificationReport } from '../modules/verification/server/index.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'

test.describe.configure({ mode: 'serial' })

type Entry = { readonly path: string; readonly at: number; readonly size: number }
type Alteration = {
  readonly what: string
  readonly bytes: () => Buffer
  /** Every one of these must be named by a check that does not pass; when empty, that the container is broken is enough. */
  readonly names: readonly string[]
}

const folder = mkdtempSync(join(tmpdir(), 'probant-tamper-'))
const zip = join(folder, 'package.zip')
let whole: Buffer
let entries: readonly Entry[]
let alterations: readonly Alteration[]

/** Repeat a run with PROBANT_TAMPER_SEED. */
const seed = Number(process.env['PROBANT_TAMPER_SEED'] ?? randomInt(2 ** 31))

/** mulberry32: positions that a seed gives again. */
function positions(start: number): (below: number) => number {
  let state = start >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

function forged(...operation: readonly string[]): Buffer {
  const out = join(folder, 'forged.zip')
  execFileSync('python3', ['e2e/oracles/forge_package.py', zip, out, ...operation])
  return readFileSync(out)
}

function flipped(at: number, mask: number): Buffer {
  const bytes = Buffer.from(whole)
  bytes[at] = (bytes[at] ?? 0) ^ mask
  return bytes
}

function plan(): Alteration[] {
  const next = positions(seed)
  const made: Alteration[] = []
  for (const { path, at, size } of entries) {
    const offset = next(size)
    const mask = 1 << next(8)
    const place = `${path} at ${offset}, mask ${mask}`
    made.push(
      { what: `flip ${place}`, bytes: () => flipped(at + offset, mask), names: [path] },
      { what: `flip and repair ${place}`, bytes: () => forged('flip', path, String(offset), String(mask)), names: [path] },
      { what: `remove ${path}`, bytes: () => forged('remove', path), names: [path] },
    )
  }
  for (const path of ['capture/added.html', 'environment/added.json', 'added.txt', 'seal/added.bin', 'META-INF/added.xml'])
    made.push({ what: `add ${path}`, bytes: () => forged('add', path), names: [path] })
  for (const [a, b] of [
    ['capture/dom.html', 'capture/source.html'],
    ['report.en.pdf', 'report.fr.pdf'],
    ['META-INF/timestamp001.tst', 'META-INF/timestamp002.tst'],
    ['seal/platform-ca.pem', 'seal/timestamp-1-ca.pem'],
    ['seal/signature.p7s', 'seal/keys.p7s'],
    ['seal/keys.json', 'seal/message-signatures.json'],
    ['capture/timestamps/01-start.tsr', 'capture/timestamps/04-end.tsr'],
  ] as const) {
    made.push(
      { what: `exchange ${a} and ${b}`, bytes: () => forged('exchange', a, b), names: [a, b] },
      { what: `reorder ${a} and ${b}`, bytes: () => forged('reorder', a, b), names: [] },
    )
  }
  made.push({
    what: 'rename a piece',
    bytes: () => forged('rename', 'capture/dom.html', 'capture/other.html'),
    names: ['capture/dom.html', 'capture/other.html'],
  })
  const middles = entries.filter((_, i) => i % 5 === 1).map(({ path, at, size }) => ({ path, at: at + next(size) }))
  for (const { path, at } of middles) made.push({ what: `cut at ${at}`, bytes: () => whole.subarray(0, at), names: [path] })
  for (const at of [1, 4, whole.length - 1, whole.length - 22, whole.length - 100])
    made.push({ what: `cut at ${at}`, bytes: () => whole.subarray(0, at), names: [] })
  made.push({ what: 'a byte after the end', bytes: () => Buffer.concat([whole, Buffer.from('x')]), names: [] })
  return made
}

test.beforeAll(async () => {
  // What a failing run needs to be repeated.
  process.stdout.write(`seed of the altered positions: PROBANT_TAMPER_SEED=${seed}\n`)
  // The verifier that the package encloses is the one of these sources.
  execFileSync(process.execPath, ['-e', "import('./tools/build.mjs').then(({ build }) => build())"])
  const site = await startFixtureSite()
  const args = ['apps/cli/probant.ts', 'capture', `${site.secure.valid.origin}/resources/`, '-o', zip, '--quiet']
  const env = { ...process.env, PROBANT_ALLOW_ADDRESSES: site.addresses.join(',') }
  try {
    // Not execFileSync: the site answers from this very process.
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, args, { env }, (error, _stdout, stderr) =>
        error === null ? resolve() : reject(new Error(stderr)),
      )
    })
  } finally {
    await site.close()
  }
  whole = readFileSync(zip)
  const script =
    'import sys,zipfile,json\nprint(json.dumps([{"path":i.filename,"at":i.header_offset+30+len(i.filename),"size":i.file_size} for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
  entries = JSON.parse(execFileSync('python3', ['-c', script, zip], { encoding: 'utf8' })) as Entry[]
  execFileSync('unzip', ['-q', zip, '-d', join(folder, 'package')])
  alterations = plan()
})

test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function command(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const write = (text: string) => (out += text)
  const io = { stdout: { write }, stderr: { write }, env: {}, signal: new AbortController().signal }
  return { code: await runVerifyCommand(argv, io), out }
}

/** Paths that the checks which do not pass are about. */
const named = ({ checks }: VerificationReport): unknown[] =>
  checks.flatMap(({ status, subject, data, supplementary }) =>
    status === 'passed' || (status === 'indeterminate' && supplementary === true) ? [] : [subject, data['path']],
  )

test('P-02 the package holds before it is altered, and after its container is written anew', async () => {
  expect((await command(zip)).out).toContain('TOTAL-PASSED')
  expect(Buffer.compare(forged(), whole)).toBe(0)
  expect(entries.length).toBeGreaterThanOrEqual(25)
})

test('P-02 the program itself answers 1 for a flipped byte and 3 for what is no package', () => {
  const file = join(folder, 'program.zip')
  const answer = (): { code: number; out: string } => {
    try {
      return { code: 0, out: execFileSync(process.execPath, ['apps/cli/probant.ts', 'verify', file], { encoding: 'utf8' }) }
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string }
      return { code: status, out: stdout }
    }
  }
  writeFileSync(file, forged('flip', 'capture/dom.html', '40', '1'))
  const { code, out } = answer()
  expect(code).toBe(1)
  expect(out).toContain('capture/dom.html: altered')
  expect(out).toContain('TOTAL-FAILED')
  writeFileSync(file, 'no package')
  expect(answer().code).toBe(3)
})

/** What verify.html comes to: one question to the page, which answers when the result is there. */
async function verdictOf(page: Page, file: string): Promise<{ code: string; named: string }> {
  await page.evaluate(() => document.querySelector<HTMLElement>('.actions .quiet')?.click())
  await page.locator('#file').setInputFiles(file)
  // By frames, not by a locator: those ask again at growing intervals, which adds up over two hundred packages.
  await page.waitForFunction(() => document.querySelector('#result, .status .bad') !== null)
  return await page.evaluate(() => {
    const texts = (selector: string): string[] => [...document.querySelectorAll(selector)].map((each) => each.textContent ?? '')
    return {
      code: texts('#result .code, #result.verdict > .code')[0] ?? `no verdict: ${texts('#result, .status .bad').join(' ')}`,
      named: texts('.verdict li, .check-list > li.bad, .check-list > li.caution').join('\n'),
    }
  })
}

test('P-02 neither the command line nor verify.html, opened from the disk, passes an altered package; both name the entry', async ({
  page,
}) => {
  // About 110 packages, each verified twice: a minute alone, more beside other work.
  test.setTimeout(900_000)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const address = pathToFileURL(join(folder, 'package/verify.html')).href
  await page.goto(address)
  expect((await verdictOf(page, zip)).code).toBe('TOTAL-PASSED')
  const file = join(folder, 'altered.zip')
  for (const { what, bytes, names } of alterations) {
    writeFileSync(file, bytes())
    const [shown, { code, out }] = await Promise.all([verdictOf(page, file), command(file, '--json')])
    const report = JSON.parse(out) as VerificationReport
    expect.soft([1, 2, 3], what).toContain(code)
    expect.soft(['INDETERMINATE', 'TOTAL-FAILED'], what).toContain(report.verdict)
    expect.soft(named(report), what).toEqual(expect.arrayContaining([...names]))
    // Two hosts of one verifier, with two implementations of SHA-256.
    expect.soft(shown.code, what).toBe(report.verdict)
    for (const path of names) expect.soft(shown.named, what).toContain(path)
  }
  expect(requests).toEqual([address])
})
