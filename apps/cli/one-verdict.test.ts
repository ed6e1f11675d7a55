import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from '../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conclusion as wire, proofReport, toWire } from '../../modules/verification/contract/proof-report.ts'
import { concludeItem } from '../../modules/verification/domain/dossier/concluded/conclude.ts'
import { describeDossier } from '../../modules/verification/domain/describe/describe-conclusion.ts'
import type { Dossier } from '../../modules/verification/domain/dossier/dossier.ts'
import { minutesOf } from '../../modules/verification/domain/minutes/minutes.ts'
import { buildOts } from '../../modules/verification/domain/opentimestamps/write-ots.ts'
import { nodeHashes, openDossierFiles, hostSha256, shippedLists, verifyDossier } from '../../modules/verification/server/index.ts'
import { createMessages } from '../../platform/messages/messages.ts'
import * as anchored from '../../testing/proof-vectors/anchored-file.ts'
import { sealedPackage } from '../../testing/sealed-package.ts'
import { fingerprintsOf } from '../../testing/verify-compared.ts'
import { zipOf } from '../../testing/write-zip.ts'
import { wordsOf } from './verify-words.ts'
import { runVerifyCommand } from './verify.ts'

let dir: string
let parts: Readonly<Record<string, readonly (readonly [string, Uint8Array])[]>>
let known: readonly string[]
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'one-verdict-'))
  const pieces = [{ path: 'capture/page.html', role: 'dom' as const, bytes: Buffer.from('<p>hello') }]
  const { zip } = await sealedPackage({ keys: join(dir, 'keys'), pieces })
  const stranger = await sealedPackage({ keys: join(dir, 'others'), pieces })
  const file = {
    size: zip.length,
    read: async (at: number, length: number) => await Promise.resolve(zip.subarray(at, at + length)),
  }
  known = await fingerprintsOf({ kind: 'zip', file }, { now: () => new Date() })
  const altered = Uint8Array.from(zip)
  altered[Buffer.from(zip).indexOf('<p>hello')] = 0
  const promised = buildOts({
    digest: createHash('sha256').update('notes').digest(),
    operations: [],
    end: [{ kind: 'pending', uri: 'https://calendar.example' }],
  })
  const anotherFile = Uint8Array.from(anchored.file)
  anotherFile[0] = 0
  parts = {
    package: [['p.zip', zip]],
    stranger: [['s.zip', stranger.zip]],
    altered: [['altered.zip', altered]],
    cut: [['cut.zip', zip.subarray(0, 2000)]],
    'no package': [['none.zip', Buffer.from('nothing')]],
    notes: [['notes.txt', Buffer.from('notes')]],
    readme: [['README.txt', Buffer.from('read me')]],
    promise: [['notes.ots', promised]],
    block: [['coinbase.bin.ots', anchored.proof]],
    'its file': [['coinbase.bin', anchored.file]],
    'another file': [['coinbase.bin', anotherFile]],
    'cut proof': [['broken.ots', anchored.proof.subarray(0, 40)]],
    archive: [
      [
        'sent.zip',
        zipOf([
          { path: 'a/coinbase.bin', bytes: anchored.file },
          { path: 'a/coinbase.bin.ots', bytes: anchored.proof },
        ]),
      ],
    ],
    pdf: [['plan.pdf', Buffer.from('%PDF-1.7\nnothing signed\n%%EOF')]],
    certificate: [['root.pem', Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')]],
  }
}, 60_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function command(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const write = (text: string) => (out += text)
  const io = { stdout: { write }, stderr: { write }, env: {}, signal: new AbortController().signal }
  return { code: await runVerifyCommand(argv, io), out }
}

const languages = (['en', 'fr'] as const).map((locale) => ({ locale, words: wordsOf(createMessages(locale)) }))
const meaning = {
  green: [0, 'TOTAL-PASSED', 'intact'],
  red: [1, 'TOTAL-FAILED', 'contradicted'],
  amber: [2, 'INDETERMINATE', 'intact'],
  grey: [3, null, 'not_a_proof'],
} as const

let count = 0
async function agree(
  names: readonly string[],
  options: { compared: boolean; header: boolean; wrong: boolean },
): Promise<Dossier> {
  const folder = join(dir, String((count += 1)))
  mkdirSync(folder)
  const paths = names.flatMap((name) => (parts[name] ?? []).map(([path, bytes]) => [join(folder, path), bytes] as const))
  for (const [path, bytes] of paths) writeFileSync(path, bytes)
  const fingerprints = [...(options.compared ? known : []), ...(options.wrong ? ['ab'.repeat(32)] : [])]
  const opened = await openDossierFiles(paths.map(([path]) => path))
  const dossier = await verifyDossier(opened.files, {
    now: () => new Date(),
    sha256: hostSha256,
    hashes: nodeHashes,
    trustedLists: shippedLists().lists,
    fingerprints,
    headers: async (height) =>
      await Promise.resolve(
        options.header && height === anchored.height ? [{ height, header: anchored.header, source: 'given' }] : [],
      ),
  })
  await opened.close()
  const { conclusion } = dossier
  // One value, whose parts say the same.
  expect([conclusion.exit_code, conclusion.verdict, conclusion.finding]).toEqual(meaning[conclusion.colour])
  expect(conclusion.colour === 'green').toBe(
    conclusion.verdict !== null && conclusion.missing_count === 0 && conclusion.finding === 'intact',
  )
  expect(conclusion.missing.length > 0).toBe(conclusion.missing_count > 0)
  if (conclusion.colour === 'green') {
    expect(conclusion.word.basis).not.toBe('unknown')
    expect(conclusion.files.covered).toBe(conclusion.files.given)
  }
  for (const item of dossier.items)
    if ('report' in item.result) expect(concludeItem(item).verdict).toBe(item.result.report.verdict)
  // The command line, as text, as JSON and as its exit code; the page, verify.html and the minutes, in both languages; the calls.
  const argv = [
    ...paths.map(([path]) => path),
    ...fingerprints.flatMap((each) => ['--fingerprint', each]),
    ...(options.header ? ['--header', anchored.headerLine.replace(' ', '')] : []),
  ]
  const json = await command(...argv, '--json')
  const told = JSON.parse(json.out) as { conclusion: unknown; verdict: unknown }
  expect([json.code, told.verdict]).toEqual([conclusion.exit_code, conclusion.verdict])
  expect(told.conclusion).toEqual(JSON.parse(JSON.stringify(conclusion)))
  expect(wire.parse(told.conclusion)).toEqual(told.conclusion)
  for (const { locale, words } of languages) {
    const said = describeDossier(dossier, words)
    expect(said.colour).toBe(conclusion.colour)
    expect(Object.values(said).flat().join(' ')).not.toContain('verification.')
    const text = await command(...argv, '--lang', locale)
    expect(text.code).toBe(conclusion.exit_code)
    for (const line of [said.title, ...said.missing, ...said.word]) expect(text.out).toContain(line)
    expect(minutesOf(dossier, words, '1').filter(({ tag }) => tag === 'strong')[0]).toEqual({ tag: 'strong', text: said.title })
  }
  for (const { result } of dossier.items) {
    if (result.form !== 'proof') continue
    const answer = proofReport.parse(toWire(result.report))
    expect([answer.verdict, answer.conclusion.verdict]).toEqual([result.report.verdict, result.report.verdict])
    expect(meaning[answer.conclusion.colour].slice(0, 2)).toEqual([answer.conclusion.exit_code, answer.verdict])
  }
  return dossier
}

const plain = { compared: true, header: true, wrong: false }

test.each<[string, readonly string[], Partial<typeof plain>, Dossier['conclusion']['colour']]>([
  ['a package whose fingerprints were compared', ['package'], {}, 'green'],
  ['a package that nobody vouches for', ['package'], { compared: false }, 'amber'],
  ['a package whose fingerprint is another one', ['package'], { compared: false, wrong: true }, 'red'],
  ['a package, compared with several of which one is its own', ['package'], { wrong: true }, 'green'],
  ['a package and one of a stranger', ['package', 'stranger'], {}, 'amber'],
  ['an altered package', ['altered'], {}, 'red'],
  ['a package and a file that no proof is about', ['package', 'notes'], {}, 'amber'],
  ['a package and a certificate that nobody asked for', ['package', 'certificate'], {}, 'amber'],
  ['a proof, its file and the header', ['block', 'its file'], {}, 'green'],
  ['a proof, its file and no header', ['block', 'its file'], { header: false }, 'amber'],
  ['a proof without its file', ['block'], {}, 'amber'],
  ['a proof and an altered file', ['block', 'another file'], {}, 'red'],
  ['both in an archive', ['archive'], {}, 'green'],
  ['a promise', ['promise', 'notes'], {}, 'amber'],
  ['a proof that broke off', ['cut proof', 'its file'], {}, 'red'],
  ['a file alone', ['notes'], {}, 'grey'],
  ['what only has the name of a package', ['no package'], {}, 'grey'],
])('%s', async (_, names, options, colour) => {
  const { conclusion } = await agree(names, { ...plain, ...options })
  expect(conclusion.colour).toBe(colour)
})

test('a package and a file that no proof is about: 1 of 2 files, and which one', async () => {
  const { conclusion } = await agree(['package', 'notes'], plain)
  expect([conclusion.files, conclusion.missing]).toEqual([{ given: 2, covered: 1 }, [{ what: 'unproven', item: 'notes.txt' }]])
  const [en] = languages
  if (en === undefined) throw new Error('no words')
  expect(describeDossier(await agree(['package', 'notes'], plain), en.words).files).toBe('1 of 2 files is covered by a proof.')
})

test('whatever is given together: text, colour, JSON and exit code say one thing on every surface', async () => {
  const choices = fc.uniqueArray(fc.constantFrom(...Object.keys(parts)), { minLength: 1, maxLength: 4 })
  const options = fc.record({ compared: fc.boolean(), header: fc.boolean(), wrong: fc.constantFrom(false, false, false, true) })
  await fc.assert(
    fc.asyncProperty(choices, options, async (names, given) => {
      await agree(
        names.filter((name) => name !== 'another file' || !names.includes('its file')),
        given,
      )
    }),
    { numRuns: 25 },
  )
}, 120_000)
