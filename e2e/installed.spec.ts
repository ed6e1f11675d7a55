/** The application as one installs it: what its manifest names is there, an address that is shared stands in the form, and the verifier works without a network. */
import { expect } from '@playwright/test'
import * as anchored from '../testing/proof-vectors/anchored-file.ts'
import { startNetwork } from './fixtures/cut-connection.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

type Manifest = {
  readonly lang: string
  readonly start_url: string
  readonly icons: { src: string; sizes: string; purpose?: string }[]
  readonly screenshots: { src: string; sizes: string }[]
  readonly shortcuts: { name: string; url: string }[]
  readonly share_target: { action: string; method: string; params: Record<string, string> }
}

/** Width and height of a PNG (its first chunk). */
const sizeOf = (png: Buffer) => `${String(png.readUInt32BE(16))}x${String(png.readUInt32BE(20))}`

for (const [locale, shortcuts] of [
  ['en', ['Capture a page', 'Date a document', 'Verify a proof']],
  ['fr', ['Capturer une page', 'Dater un document', 'Vérifier une preuve']],
] as const)
  test(`${locale}: it can be installed, and all that its manifest names is there, of the size that it says`, async ({ page }) => {
    await page.goto(address(`/${locale}/`))
    const browser = await page.context().newCDPSession(page)
    const { errors, data = '{}', url } = await browser.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(new URL(url).pathname).toBe(`/app.${locale}.webmanifest`)
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
    // Each test has a window of its own that keeps nothing, where nothing is ever installed.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
    const manifest = JSON.parse(data) as Manifest
    expect([manifest.lang, manifest.start_url]).toEqual([locale, `/${locale}/`])
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
    for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
      const picture = await page.request.get(address(src))
      expect(picture.status(), src).toBe(200)
      if (src.endsWith('.png')) expect(sizeOf(await picture.body()), src).toBe(sizes)
    }
    expect(manifest.shortcuts.map(({ name }) => name)).toEqual(shortcuts)
    for (const { url: path } of manifest.shortcuts) expect((await page.request.get(address(path))).status(), path).toBe(200)

    // As the telephone opens it, by the manifest's own words.
    const { action, params } = manifest.share_target
    const shared = async (given: Record<string, string>) => {
      await page.goto(address(`${action}?${new URLSearchParams(given).toString()}`))
      return page.locator('#page-address')
    }
    await expect(await shared({ [params['url'] ?? '']: 'https://exemple.fr/œuvre' })).toHaveValue('https://exemple.fr/œuvre')
    const text = 'Regarde ça : https://exemple.fr/post/1?a=b'
    await expect(await shared({ [params['title'] ?? '']: 'Un post', [params['text'] ?? '']: text })).toHaveValue(
      'https://exemple.fr/post/1?a=b',
    )
  })

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow', expected: /ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|Failed to fetch/ })

  test('R-04 the verifier that was opened once opens again, and verifies', async ({ page }) => {
    const network = await startNetwork(address(''))
    await page.goto(`${network.origin}/fr/proofs/`)
    await page.evaluate(async () => {
      const { active, installing, waiting } = await navigator.serviceWorker.ready
      const worker = active ?? waiting ?? installing
      if (worker === null || worker.state === 'activated') return
      await new Promise<void>((kept) =>
        worker.addEventListener('statechange', () => (worker.state === 'activated' ? kept() : undefined)),
      )
    })
    await network.close()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The other language, too, which was never opened.
    await page.goto(`${network.origin}/en/proofs/`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const file = (name: string, bytes: Uint8Array) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([file('hello.txt.ots', anchored.proof), file('hello.txt', anchored.file)])
    await expect(page.locator('[data-verdict="INDETERMINATE"]').first()).toBeVisible()
    await page.getByLabel(/^Bitcoin block headers/).fill(anchored.headerLine)
    await page.getByRole('button', { name: 'Verify again' }).click()
    await expect(page.locator('[data-verdict="TOTAL-PASSED"]').first()).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'verified-offline.png')
  })
})
