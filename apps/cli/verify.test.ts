import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proofReport } from '../../modules/verification/contract/proof-report.ts'
import { runVerifyCommand } from './verify.ts'

const vectors = new URL('../../modules/verification/domain/', import.meta.url)
const vector = (path: string) => fileURLToPath(new URL(path, vectors))
const ots = vector('opentimestamps/vectors/hello-world.txt.ots')
const hello = vector('opentimestamps/vectors/hello-world.txt')
const header =
  '02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'verify-cli-'))
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
  const given = await command(ots, hello, '--header', `358391:${header}`)
  expect(given.code).toBe(0)
  expect(given.out).toContain('hello-world.txt.ots is over hello-world.txt')
  expect(given.out).toContain('28 May 2015')
  writeFileSync(join(dir, 'headers'), `358391: ${header}\n`)
  expect((await command(ots, hello, '--header', join(dir, 'headers'))).code).toBe(0)
  expect((await command(ots, hello)).code).toBe(2)
  const altered = Buffer.from(readFileSync(hello))
  altered[0] = 0
  writeFileSync(join(dir, 'hello-world.txt'), altered)
  const failed = await command(ots, join(dir, 'hello-world.txt'), '--lang', 'fr')
  expect([failed.code, failed.out.includes('Quelque chose ici ne tient pas')]).toEqual([1, true])
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
