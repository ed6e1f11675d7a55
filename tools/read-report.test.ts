import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readPlaywright, readVitest, tooLong } from './read-report.mjs'

const root = join(import.meta.dirname, '..')
// Beside the packages: the runners are found from there.
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runnerSays(program: string, args: readonly string[], env: Record<string, string>): unknown {
  const output = join(folder, 'report.json')
  try {
    const own = { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: output }
    execFileSync(process.execPath, [join(root, program), ...args], { cwd: folder, env: own, stdio: 'pipe' })
  } catch (error) {
    expect(error).toMatchObject({ status: 1 })
  }
  return JSON.parse(readFileSync(output, 'utf8'))
}

test(
  'what Vitest ran is counted, and what failed is named, with files that failed before their tests',
  { timeout: 60_000 },
  () => {
    const lines = [
      `import { describe, expect, test } from 'vitest'`,
      `test('holds', () => expect(1).toBe(1))`,
      `test.skip('later', () => {})`,
      `describe('a group', () => test('does not hold', () => expect(1).toBe(2)))`,
      `test('says much', () => { throw new Error(Array.from({ length: 30 }, (_, i) => 'line ' + i).join('\\n')) })`,
    ]
    writeFileSync(join(folder, 'some.test.mjs'), lines.join('\n'))
    writeFileSync(join(folder, 'broken.test.mjs'), `throw new Error('before its tests')`)
    writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: { include: ['*.test.mjs'] } }`)
    const args = ['run', '--reporter=json', `--outputFile.json=${join(folder, 'report.json')}`]
    const read = readVitest(runnerSays('node_modules/vitest/vitest.mjs', args, { VITEST: '' }), folder)
    expect(read.counts).toEqual({ passed: 1, failed: 3, skipped: 1 })
    expect(read.failed.toSorted((a, b) => (a.test < b.test ? -1 : 1))).toEqual([
      { test: 'broken.test.mjs', why: ['before its tests'] },
      {
        test: 'some.test.mjs: a group does not hold',
        why: ['AssertionError: expected 1 to be 2 // Object.is equality', expect.stringMatching(/^at some\.test\.mjs:4:\d+$/)],
      },
      {
        test: 'some.test.mjs: says much',
        why: [
          'Error: line 0',
          ...Array.from({ length: 10 }, (_, i) => `line ${i + 1}`),
          expect.stringMatching(/^at some\.test\.mjs:5:\d+$/),
        ],
      },
    ])
    expect(read.files.map(({ file }) => file).toSorted()).toEqual(['broken.test.mjs', 'some.test.mjs'])
  },
)

test('what Playwright ran is counted, and what failed is named with its groups', { timeout: 60_000 }, () => {
  const lines = [
    `import { expect, test } from '@playwright/test'`,
    `test('holds', () => expect(1).toBe(1))`,
    `test.skip('later', () => {})`,
    `test.describe('a group', () => test('does not hold', () => expect(1).toBe(2)))`,
    `test('waits', async () => {`,
    `  test.setTimeout(1)`,
    `  await new Promise(() => {})`,
    `})`,
  ]
  writeFileSync(join(folder, 'some.spec.mjs'), lines.join('\n'))
  const declared = `import { test } from '@playwright/test'\nexport const declare = () => test('declared elsewhere', () => {})`
  writeFileSync(join(folder, 'declare.mjs'), declared)
  writeFileSync(join(folder, 'other.spec.mjs'), `import { declare } from './declare.mjs'\ndeclare()`)
  writeFileSync(join(folder, 'playwright.config.mjs'), `export default { testMatch: '*.spec.mjs' }`)
  const read = readPlaywright(runnerSays('node_modules/@playwright/test/cli.js', ['test', '--reporter=json'], {}))
  expect(read.counts).toEqual({ passed: 2, failed: 2, skipped: 1 })
  expect(read.failed).toEqual([
    { test: 'some.spec.mjs: waits', why: ['Test timeout of 1ms exceeded.'] },
    {
      test: 'some.spec.mjs: a group › does not hold',
      why: [
        'Error: expect(received).toBe(expected) // Object.is equality',
        'Expected: 2',
        'Received: 1',
        expect.stringMatching(/^at some\.spec\.mjs:4:\d+$/),
      ],
    },
  ])
  expect(read.files.map(({ file }) => file).toSorted()).toEqual(['other.spec.mjs', 'some.spec.mjs'])
})

test('a file that holds a whole run up is named, on a machine of any speed', () => {
  const even = Array.from({ length: 40 }, (_, i) => ({ file: `${i}.test.ts`, ms: 1_000 }))
  expect(tooLong(even)).toEqual([])
  for (const slowness of [1, 10]) {
    const files = [{ file: 'long.test.ts', ms: 3_000 }, ...even].map(({ file, ms }) => ({ file, ms: ms * slowness }))
    expect(tooLong(files)).toEqual([
      'long.test.ts takes 7.0 % of the time of all files; at most 5.0 %: part it, or have it do less',
    ])
  }
})
