/** The release as a folder elsewhere: nothing of the repository is within its reach. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { inheritMachine } from '../../testing/known-machine.ts'
import { startFixtureSite } from '../../testing/site/start-fixture-site.ts'

const run = promisify(execFile)
let folder: string
let release: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-release-'))
  release = join(folder, 'probant')
  await run(process.execPath, [join(import.meta.dirname, '../build-release.ts'), release])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const environment = (more: Readonly<Record<string, string>>) => ({ PATH: '/usr/bin:/bin', HOME: folder, ...more })

test('holds JavaScript, what it reads, its packages and Node: no source, no test, no tool of the house', async () => {
  expect((await readdir(release)).toSorted()).toEqual([
    'bin',
    'compiled',
    'content',
    'db',
    'dist',
    'modules',
    'node_modules',
    'package-lock.json',
    'package.json',
    'platform',
    'ui',
  ])
  const own = (await readdir(release, { recursive: true })).filter((path) => !path.startsWith('node_modules/'))
  expect(own.filter((path) => /\.(?:tsx?|mts)$|test|fixture/.test(path))).toEqual(['compiled/testing-mangopay-serve.js'])
  const packages = await readdir(join(release, 'node_modules'))
  for (const absent of ['vitest', 'typescript', 'vite', '@types', 'oxlint']) expect(packages).not.toContain(absent)
  expect((await stat(join(release, 'bin/node'))).mode & 0o111).toBe(0o111)
})

test('captures a page and verifies the package that it wrote', async () => {
  const site = await startFixtureSite()
  const file = join(folder, 'package.zip')
  const env = environment({ PROBANT_ALLOW_ADDRESSES: site.addresses.join(','), PROBANT_DATA: join(folder, 'local') })
  const captured = await run(join(release, 'bin/probant'), ['capture', `${site.origin}/resources/`, '-o', file, '--quiet'], {
    env,
  })
  await site.close()
  expect(JSON.parse(captured.stdout)).toMatchObject({ state: 'complete', package: file, quality: { verdict: 'good' } })
  // Nobody vouches for the authority of a new installation: that alone is missing.
  const verified = spawnSync(join(release, 'bin/probant'), ['verify', file, '--json'], { env, encoding: 'utf8' })
  expect(verified.status).toBe(2)
  expect(JSON.parse(verified.stdout)).toMatchObject({ conclusion: { exit_code: 2 } })
})

test('serves: the database, its migrations, each role, pages; and ends in order', async () => {
  const data = join(folder, 'data')
  inheritMachine(data)
  const port = await freePort()
  const settings = { PORT: String(port), PROBANT_DATA: data, PROBANT_WARM_BROWSERS: '0', PROBANT_SAMPLE: 'off' }
  const product = spawn(join(release, 'bin/node'), [join(release, 'compiled/supervise.js')], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(product, 'exit')
  for await (const line of createInterface({ input: product.stdout })) if (line.includes('ready at')) break
  const page = await fetch(`http://127.0.0.1:${port}/fr/`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html lang="fr"')])
  product.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
