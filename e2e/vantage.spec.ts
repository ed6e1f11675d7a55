/** Two capture servers of one installation, one address, one moment: from the option in the form to the package that verifies. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { agree, downloadPackage, waitFor } from './fixtures/evidence-client.ts'
import { isClean, test } from './fixtures/pages.ts'
import { startInstallation, type Installation } from './fixtures/installation.ts'

let site: Server
let installation: Installation
let second: ChildProcess
let visits = 0

/** Every other visitor is shown another price. */
const page = (visit: number) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Prices</title><style>body{font:24px/1.5 sans-serif;margin:40px}p{height:300px}</style><h1>Prices</h1>${Array.from(
    { length: 6 },
    (_, i) => `<p>Article ${String(i + 1)}: ${String(visit % 2 === 1 ? 90 : 120 + i)} €</p>`,
  ).join('')}</html>`

test.beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === '/prices') visits += 1
    response.writeHead(request.url === '/prices' ? 200 : 404, { 'content-type': 'text/html' }).end(page(visits))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const environment = {
    PROBANT_ALLOW_ADDRESSES: `127.0.0.1:${String((site.address() as AddressInfo).port)}`,
    PROBANT_BILLING: 'off',
    PROBANT_WARM_BROWSERS: '0',
    // A busy machine may take its time over either.
    PROBANT_SECOND_SERVER_WAIT: '90',
  }
  installation = await startInstallation({ ...environment, PROBANT_SERVER_NAME: 'Paris', PROBANT_SERVER_COUNTRY: 'FR' })
  // The second server's process finds the database where the first's does.
  const [capture] = installation.processes(/--role capture/)
  const variables = readFileSync(`/proc/${String(capture)}/environ`, 'utf8').split('\0')
  const databaseUrl = variables.find((each) => each.startsWith('DATABASE_URL='))?.slice('DATABASE_URL='.length) ?? ''
  const env = {
    ...process.env,
    ...environment,
    DATABASE_URL: databaseUrl,
    PROBANT_DATA: installation.dataFolder,
    PROBANT_SERVER_ID: 'montreal',
    PROBANT_SERVER_NAME: 'Montréal',
    PROBANT_SERVER_COUNTRY: 'CA',
  }
  const command = (...argv: string[]) =>
    JSON.parse(execFileSync(process.execPath, ['apps/cli/probant.ts', 'server', ...argv], { env, encoding: 'utf8' })) as object
  const invited = command('invite') as { token: string }
  expect(command('join', invited.token)).toMatchObject({ server_id: 'montreal' })
  second = spawn(process.execPath, ['apps/server/serve.ts', '--role', 'capture'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await expect
    .poll(
      async () => {
        const answer = (await (await fetch(`${installation.origin}/servers/`)).json()) as { results: { status: string }[] }
        return answer.results.map(({ status }) => status)
      },
      { timeout: 120_000 },
    )
    .toEqual(['ready', 'ready'])
})

test.afterAll(async () => {
  const ended = new Promise((resolve) => second.once('exit', resolve))
  second.kill('SIGTERM')
  await ended
  expect(await installation.stop()).toBe(0)
  installation.removeData()
  await new Promise((resolve) => site.close(resolve))
})

const words = {
  en: { tab: 'Second server', different: 'Different', same: 'Same' },
  fr: { tab: 'Second serveur', different: 'Différent', same: 'Identique' },
} as const

async function looksRight(tab: Page, locale: 'en' | 'fr'): Promise<void> {
  const { tab: name, different, same } = words[locale]
  await tab.getByRole('tab', { name }).click({ timeout: 120_000 })
  const panel = tab.getByRole('tabpanel', { name })
  await expect(panel.getByText(/Montréal · Canada|Paris · France/)).toBeVisible()
  const items = panel.getByRole('listitem')
  // Source, text and image; address, status, certificate, server and resources.
  await expect(items.filter({ hasText: different }).filter({ hasNotText: same })).toHaveCount(3)
  await expect(items.filter({ hasText: same })).toHaveCount(5)
  await expect(panel.getByRole('figure')).toHaveCount(2)
  for (const image of await panel.getByRole('img').all()) {
    await image.scrollIntoViewIfNeeded()
    await expect.poll(async () => await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1280)
  }
  await isClean(tab)
}

test('a second server is asked for, its differences are shown in both languages and widths, and the package verifies', async ({
  page: tab,
}) => {
  const { port } = site.address() as AddressInfo
  await tab.setViewportSize({ width: 1280, height: 900 })
  await tab.goto(`${installation.origin}/en/`)
  await tab.getByLabel('Address of the page').fill(`http://127.0.0.1:${String(port)}/prices`)
  await tab.getByText('Options', { exact: true }).click()
  await tab.getByLabel('Second server', { exact: true }).selectOption('automatic')
  await tab.getByRole('button', { name: 'Capture this page' }).click()
  await tab.waitForURL('**/en/capture/*/')
  await looksRight(tab, 'en')
  await tab.setViewportSize({ width: 360, height: 780 })
  await tab.goto(tab.url().replace('/en/', '/fr/'))
  await looksRight(tab, 'fr')
  expect(visits).toBe(2)

  const id = /capture\/([0-9a-f-]+)\//.exec(tab.url())?.[1] ?? ''
  const held = await tab.evaluate(() => localStorage.getItem('probant.held') ?? '[]')
  const token = (JSON.parse(held) as { id: string; token: string }[]).find((one) => one.id === id)?.token ?? ''
  await agree(installation.origin, { id, token })
  await waitFor(installation.origin, { id, token }, ['final'])
  const folder = mkdtempSync(join(tmpdir(), 'probant-vantage-'))
  try {
    const file = join(folder, 'package.zip')
    writeFileSync(file, await downloadPackage(installation.origin, { id, token }))
    const listed = spawnSync('unzip', ['-Z1', file], { encoding: 'utf8' }).stdout.split('\n')
    for (const name of ['comparison.json', 'facts.json', 'archive.wacz', 'network.pcap'])
      expect(listed).toContain(`capture/vantage-2/${name}`)
    const verified = spawnSync(process.execPath, ['apps/cli/probant.ts', 'verify', file, '--json'], { encoding: 'utf8' })
    const { checks } = JSON.parse(verified.stdout) as { checks: { result: string }[] }
    expect(checks.length).toBeGreaterThan(0)
    expect(checks.filter(({ result }) => result === 'fail')).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
