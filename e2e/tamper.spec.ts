/**
 * Real packages, altered in every way that leaves a trace: `probant verify` and `verify.html` never pass them, and name the
 * entry. Most alterations come in two forms: the bare one, and the one of a forger who makes the container right again. One package
 * is that of a capture; the other has what comes later besides: log proof, anchor, renewal of its stamp.
 * The command line is asked about every alteration; the page, which runs the same verifier, about each entry and each kind of alteration. How many
 * there are, testing/sweep.ts says.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { type Page, expect, test } from '@playwright/test'
import { runVerifyCommand } from '../apps/cli/verify.ts'
import type { VerificationReport } from '../modules/verification/server/index.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { packageOfEveryProof } from '../testing/package-of-every-proof.ts'
import { below, seed, whole } from '../testing/sweep.ts'

test.describe.configure({ mode: 'serial' })

type Entry = { readonly path: string; readonly at: number; readonly size: number }
type Alteration = {
  readonly what: string
  readonly bytes: () => Buffer | Promise<Buffer>
  /** Every one of these must be named by a check that does not pass; when empty, that the container is broken is enough. */
  readonly names: readonly string[]
  /** Shown to the page too. */
  readonly inPage?: boolean
  /** Packed again, and no more. */
  readonly remade?: boolean
}

/** `known`: options of a reader who compared the fingerprints. */
type Specimen = {
  readonly zip: string
  readonly whole: Buffer
  readonly entries: readonly Entry[]
  readonly known: readonly string[]
}

const folder = mkdtempSync(join(tmpdir(), 'probant-tamper-'))
const zip = join(folder, 'package.zip')
let captured: Specimen
let proven: Specimen

/** One forger for all: hundreds of packages are made, each in less time than a program takes to start. */
function startForger() {
  const forger = spawn('python3', ['e2e/oracles/forge_package.py'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: forger.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  return {
    make(from: Specimen, operation: readonly string[]): Promise<Buffer> {
      const out = join(folder, 'forged.zip')
      const made = last.then(async () => {
        forger.stdin.write(`${JSON.stringify([from.zip, out, ...operation])}\n`)
        expect(await answers.next()).toEqual({ value: 'done', done: false })
        return readFileSync(out)
      })
      last = made
      return made
    },
    end: () => forger.stdin.end(),
  }
}
let forger: ReturnType<typeof startForger>
const forged = (from: Specimen, ...operation: readonly string[]): Promise<Buffer> => forger.make(from, operation)

function flipped(whole: Buffer, at: number, mask: number): Buffer {
  const bytes = Buffer.from(whole)
  bytes[at] = (bytes[at] ?? 0) ^ mask
  return bytes
}

/**
 * A bit of each entry, bare and with the container made right; and the entry gone. Each entry meets one of these three, by turns of the seed,
 * and the page is shown it; in the whole sweep it meets all of them, and the page is shown one.
 */
function entryByEntry(from: Specimen, next: (below: number) => number): Alteration[] {
  return from.entries.flatMap(({ path, at, size }, i) => {
    const offset = next(size)
    const mask = 1 << next(8)
    const place = `${path} at ${offset}, mask ${mask}`
    const ways: Alteration[] = [
      { what: `flip ${place}`, bytes: () => flipped(from.whole, at + offset, mask), names: [path] },
      { what: `flip and repair ${place}`, bytes: () => forged(from, 'flip', path, String(offset), String(mask)), names: [path] },
      { what: `remove ${path}`, bytes: () => forged(from, 'remove', path), names: [path] },
    ]
    return ways
      .map((way, turn) => ({ ...way, inPage: (seed + i) % ways.length === turn }))
      .filter(({ inPage }) => whole || inPage)
  })
}

function pairByPair(from: Specimen, pairs: readonly (readonly [string, string])[]): Alteration[] {
  return pairs.flatMap(([a, b]) => [
    { what: `exchange ${a} and ${b}`, bytes: () => forged(from, 'exchange', a, b), names: [a, b] },
    // Whoever packs it again may do so: every sealed octet is there, which is remarked, and no alteration.
    { what: `reorder ${a} and ${b}`, bytes: () => forged(from, 'reorder', a, b), names: [], remade: true },
  ])
}

function added(from: Specimen, ...paths: readonly string[]): Alteration[] {
  return paths.map((path) => ({ what: `add ${path}`, bytes: () => forged(from, 'add', path), names: [path] }))
}

function planOfCapture(next: (below: number) => number): Alteration[] {
  const { whole, entries } = captured
  const cut = (at: number, names: readonly string[]): Alteration => ({
    what: `cut at ${at}`,
    bytes: () => whole.subarray(0, at),
    names,
  })
  return [
    ...entryByEntry(captured, next),
    ...added(captured, 'capture/added.html', 'environment/added.json', 'added.txt', 'seal/added.bin', 'META-INF/added.xml'),
    ...added(captured, 'seal/log-proof.txt', 'seal/anchor.ots', 'seal/anchor.chainpoint.json', 'seal/anchor-header.json'),
    ...pairByPair(captured, [
      ['capture/dom.html', 'capture/source.html'],
      ['report.en.pdf', 'report.fr.pdf'],
      ['META-INF/timestamp001.tst', 'META-INF/timestamp002.tst'],
      ['seal/platform-ca.pem', 'seal/timestamp-1-ca.pem'],
      ['seal/signature.p7s', 'seal/keys.p7s'],
      ['seal/keys.json', 'seal/message-signatures.json'],
      ['capture/timestamps/01-start.tsr', 'capture/timestamps/04-end.tsr'],
    ]),
    {
      what: 'rename a piece',
      bytes: () => forged(captured, 'rename', 'capture/dom.html', 'capture/other.html'),
      names: ['capture/dom.html', 'capture/other.html'],
    },
    ...entries.filter((_, i) => i % 5 === 1).map(({ path, at, size }) => cut(at + next(size), [path])),
    ...[1, 4, whole.length - 1, whole.length - 22, whole.length - 100].map((at) => cut(at, [])),
    { what: 'a byte after the end', bytes: () => Buffer.concat([whole, Buffer.from('x')]), names: [] },
  ]
}

function planOfProofs(next: (below: number) => number): Alteration[] {
  return [
    ...entryByEntry(proven, next),
    ...added(proven, 'seal/anchor.chainpoint.json', 'seal/anchor-header.json', 'seal/renewal-2.json', 'seal/renewal-3.tsr'),
    ...pairByPair(proven, [
      ['seal/log-proof.txt', 'seal/renewal-1-log-proof.txt'],
      ['seal/timestamp-1.tsr', 'seal/renewal-1.tsr'],
      ['seal/message.txt', 'seal/renewal-1.json'],
      ['seal/message-signatures.json', 'seal/anchor.ots'],
    ]),
  ]
}

/** Of what is not told entry by entry, the page is shown the first of its kind, and of the others one of three, another with each seed. */
function shownByTurns(plan: readonly Alteration[]): Alteration[] {
  const seen = new Map<string, number>()
  return plan.map((each) => {
    const kind = each.what.split(' ', 1)[0] ?? ''
    const number = seen.get(kind) ?? 0
    seen.set(kind, number + 1)
    return { inPage: number === 0 || (number + seed) % 3 === 0, ...each }
  })
}

async function specimenOf(path: string): Promise<Specimen> {
  const script =
    'import sys,zipfile,json\nprint(json.dumps([{"path":i.filename,"at":i.header_offset+30+len(i.filename),"size":i.file_size} for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
  const entries = JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' })) as Entry[]
  const { authorities } = JSON.parse((await command(path, '--json')).out) as VerificationReport
  return { zip: path, whole: readFileSync(path), entries, known: authorities.flatMap(({ sha256 }) => ['--fingerprint', sha256]) }
}

test.beforeAll(async () => {
  forger = startForger()
  // A build and a capture, beside whatever else the machine does.
  test.setTimeout(600_000)
  // What a failing run needs to be repeated.
  process.stdout.write(`seed of the altered positions: PROBANT_SEED=${seed}\n`)
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
  captured = await specimenOf(zip)
  const second = join(folder, 'proven.zip')
  writeFileSync(second, await packageOfEveryProof(join(folder, 'keys')))
  proven = await specimenOf(second)
  execFileSync('unzip', ['-q', zip, '-d', join(folder, 'package')])
})

test.afterAll(() => {
  forger.end()
  rmSync(folder, { recursive: true, force: true })
})

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

test('P-02 the packages hold before they are altered, and after their containers are written anew', async () => {
  for (const specimen of [captured, proven]) {
    expect((await command(specimen.zip)).out).toContain('INDETERMINATE')
    expect((await command(specimen.zip, ...specimen.known)).out).toContain('TOTAL-PASSED')
    expect(Buffer.compare(await forged(specimen), specimen.whole)).toBe(0)
  }
  expect(captured.entries.length).toBeGreaterThanOrEqual(25)
  const paths = proven.entries.map(({ path }) => path)
  const later = ['log-proof.txt', 'anchor.ots', 'renewal-1.json', 'renewal-1-log-proof.txt', 'renewal-1.tsr', 'renewal-1-ca.pem']
  expect(paths).toEqual(expect.arrayContaining(later.map((name) => `seal/${name}`)))
})

test('P-02 the program itself answers 1 for a flipped byte and 3 for what is no package', async () => {
  const file = join(folder, 'program.zip')
  const answer = (): { code: number; out: string } => {
    try {
      return { code: 0, out: execFileSync(process.execPath, ['apps/cli/probant.ts', 'verify', file], { encoding: 'utf8' }) }
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string }
      return { code: status, out: stdout }
    }
  }
  writeFileSync(file, await forged(captured, 'flip', 'capture/dom.html', '40', '1'))
  const { code, out } = answer()
  expect(code).toBe(1)
  expect(out).toContain('capture/dom.html: altered')
  expect(out).toContain('TOTAL-FAILED')
  writeFileSync(file, 'no package')
  expect(answer().code).toBe(3)
})

/** What verify.html comes to: one question to the page, which answers when the result is there. */
async function verdictOf(page: Page, file: string): Promise<{ code: string | null; named: string }> {
  await page.evaluate(() => document.querySelector<HTMLElement>('.actions .quiet')?.click())
  await page.locator('#file').setInputFiles(file)
  // By frames, not by a locator: those ask again at growing intervals, which adds up over two hundred packages.
  await page.waitForFunction(() => document.querySelector('#result, .status .bad') !== null)
  return await page.evaluate(() => {
    const texts = (selector: string): string[] => [...document.querySelectorAll(selector)].map((each) => each.textContent ?? '')
    return {
      code: texts('#result .code')[0]?.replace(/^.*: */, '') ?? null,
      named: texts('.verdict li, .check-list > li.bad, .check-list > li.caution').join('\n'),
    }
  })
}

for (const [of, plan] of [
  ['a capture', planOfCapture],
  ['every later proof', planOfProofs],
] as const)
  test(`P-02 neither the command line nor verify.html, opened from the disk, passes an altered package of ${of}; both name the entry`, async ({
    page,
  }) => {
    // More than a hundred packages: half a minute alone, more beside other work.
    test.setTimeout(900_000)
    page.setDefaultTimeout(60_000)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const address = pathToFileURL(join(folder, 'package/verify.html')).href
    await page.goto(address)
    expect((await verdictOf(page, of === 'a capture' ? zip : proven.zip)).code).toBe('INDETERMINATE')
    const { known } = of === 'a capture' ? captured : proven
    const file = join(folder, 'altered.zip')
    const alterations = shownByTurns(plan(below()))
    let pages = 0
    let made = Promise.resolve(alterations[0]?.bytes())
    for (const [i, { what, names, inPage, remade = false }] of alterations.entries()) {
      writeFileSync(file, (await made) ?? '')
      // The next is forged while this one is verified.
      made = Promise.resolve(alterations[i + 1]?.bytes())
      const [shown, { code, out }] = await Promise.all([
        inPage === true ? verdictOf(page, file) : null,
        command(file, '--json', ...known),
      ])
      const report = JSON.parse(out) as VerificationReport
      if (remade) expect.soft([code, report.verdict, report.remade], what).toEqual([0, 'TOTAL-PASSED', true])
      else {
        expect.soft([1, 2, 3], what).toContain(code)
        expect.soft(code === 3 ? [null] : ['INDETERMINATE', 'TOTAL-FAILED'], what).toContain(report.verdict)
      }
      expect.soft(named(report), what).toEqual(expect.arrayContaining([...names]))
      if (shown === null) continue
      pages += 1
      // Two hosts of one verifier, with two implementations of SHA-256; the page was told nobody's fingerprint.
      expect.soft(shown.code, what).toBe(remade ? 'INDETERMINATE' : report.verdict)
      for (const path of names) expect.soft(shown.named, what).toContain(path)
    }
    expect(pages).toBeGreaterThan((of === 'a capture' ? captured : proven).entries.length)
    expect(requests).toEqual([address])
  })
