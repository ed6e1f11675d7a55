/** The gate for scripts: quality on stdout, and an exit code when it is below what was asked for. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFixtureSite, type FixtureSite } from '../../testing/site/start-fixture-site.ts'
import { runCaptureCommand } from './capture.ts'
import { finaliseLocally, openLocalNotary } from './finalise-locally.ts'

let site: FixtureSite
let folder = ''
beforeAll(async () => {
  site = await startFixtureSite()
  folder = await mkdtemp(join(tmpdir(), 'probant-require-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(path: string, ...more: readonly string[]) {
  let [out, err] = ['', '']
  const file = join(folder, `${path.replaceAll('/', '-')}.zip`)
  const code = await runCaptureCommand(
    [site.origin + path, '-o', file, ...more],
    {
      stdout: { write: (text) => void (out += text) },
      stderr: { write: (text) => void (err += text) },
      env: { PROBANT_ALLOW_ADDRESSES: site.addresses.join(), PROBANT_DATA: folder },
      signal: new AbortController().signal,
    },
    { finalise: finaliseLocally, openNotary: openLocalNotary },
  )
  const written = await readFile(file).then(
    (bytes) => bytes.toString('latin1', 0, 2),
    () => null,
  )
  return { code, err, written, json: out === '' ? null : (JSON.parse(out) as Record<string, unknown>) }
}

describe('probant capture --require', () => {
  test('a good page passes, and says so on stdout', async () => {
    const { code, json, err } = await run('/simple/', '--require', 'good')
    expect([code, err]).toEqual([0, expect.stringContaining('Quality: Good.')])
    expect(json).toMatchObject({
      quality: { verdict: 'good', advice: [] },
      coverage: { percent: 100, missing_images: 0 },
      warnings: [{ code: 'allowed_private_address' }],
      completeness: { state: 'complete', losses: [] },
    })
  }, 240_000)

  test('a page that is not there is written all the same, and ends in code 4', async () => {
    const { code, json, err, written } = await run('/error/404', '--require', 'doubtful')
    expect(code).toBe(4)
    expect(json).toMatchObject({ quality: { verdict: 'poor', advice: ['check_address'] } })
    expect(err).toContain('below what was required (To be checked)')
    expect(written).toBe('PK')
  }, 240_000)

  test('another one without a requirement ends well, and an unknown one is wrong use', async () => {
    expect((await run('/error/500', '--quiet')).code).toBe(0)
    expect(await run('/simple/', '--require', 'perfect')).toMatchObject({ code: 3, json: null })
  }, 240_000)
})
