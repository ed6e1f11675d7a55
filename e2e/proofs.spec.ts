/** Journey (d), on the page with the network off and in verify.html; the five calls; the forms of those who paste. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Page, expect, test } from '@playwright/test'
import * as anchored from '../testing/proof-vectors/anchored-file.ts'
import { type DepositProofs, depositProofs } from '../testing/deposit-proofs.ts'
import { sealedPackage } from '../testing/sealed-package.ts'
import { findViolations } from './fixtures/find-violations.ts'
import { keepPicture, standingOut } from './fixtures/pages.ts'

const address = (path: string): string => `${process.env['PROBANT_E2E_ADDRESS'] ?? ''}${path}`
const vectors = new URL('../modules/verification/domain/', import.meta.url)
const [ots, hello] = [Buffer.from(anchored.proof), Buffer.from(anchored.file)]
const oris = JSON.parse(readFileSync(new URL('nano-message/vectors/oris-001.json', vectors), 'utf8'))
const item = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })

let folder: string
let made: Awaited<ReturnType<typeof sealedPackage>>
let deposit: DepositProofs
const contract = Buffer.from('Ceci est le contrat.')
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'probant-proofs-'))
  made = await sealedPackage({
    // Sealed by the installation whose page verifies it: its published keys name it.
    keys: join(process.env['PROBANT_E2E_DATA'] ?? folder, 'keys'),
    verifyHtml: readFileSync(new URL('../dist/verify/verify.html', import.meta.url)),
    pieces: [{ path: 'capture/page.html', role: 'dom', bytes: Buffer.from('<p>hello') }],
  })
  const published = (await (await fetch(address('/.well-known/probant-keys.json'))).json()) as { log: { id: string }[] }
  const [proofs] = await depositProofs([contract, Buffer.from('another')], {
    keys: join(process.env['PROBANT_E2E_DATA'] ?? folder, 'keys'),
    origin: published.log[0]?.id.split('+')[0] ?? '',
  })
  if (proofs === undefined) throw new Error('no deposit')
  deposit = proofs
  writeFileSync(join(folder, 'package.zip'), made.zip)
  execFileSync('unzip', ['-q', join(folder, 'package.zip'), '-d', join(folder, 'case')])
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const deposited = (name: string) => () => Buffer.from(deposit.files.find((file) => file.name === name)?.bytes ?? [])

/** Opened with a network, used without one. Every request after that is a failure. */
async function openOffline(page: Page, path: string): Promise<string[]> {
  let [begun, ended, before] = [0, 0, 0]
  page.on('request', () => (begun += 1))
  page.on('requestfinished', () => (ended += 1))
  page.on('requestfailed', () => (ended += 1))
  const parts = [page.waitForEvent('worker'), page.waitForResponse(/\/trusted_lists\//), page.waitForResponse(/probant-keys/)]
  await page.goto(address(path))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // What verifies and draws a result comes while the page is read, or as soon as somebody moves.
  await page.mouse.move(5, 5)
  await Promise.all(parts)
  await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
  // One file asks for the next: it is all there when nothing is under way and nothing new was asked for since the last look.
  await expect
    .poll(
      () => {
        const isStill = begun === ended && begun === before
        before = begun
        return isStill
      },
      { intervals: [250] },
    )
    .toBe(true)
  const requests: string[] = []
  await page.context().setOffline(true)
  page.on('request', (request) => requests.push(request.url()))
  return requests
}

/** Fonts and scripts that the page already had are its own, and so is its question whether its server is there again; nothing else may be asked for. */
const foreign = (requests: readonly string[]) =>
  requests.filter((url) => !/^blob:|\/assets\/[\w.-]+\.(?:js|css|woff2)$/.test(url) && url !== address('/robots.txt'))

const give = async (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
  await page.locator('input[type=file]').first().setInputFiles(files)
}

test.describe('journey (d), a clerk without an account', () => {
  for (const [how, sign] of [
    ['an idle moment', async (page: Page) => await page.evaluate(() => (window as unknown as { idle: () => void }).idle())],
    ['a key', async (page: Page) => await page.keyboard.press('Shift')],
  ] as const)
    test(`what verifies is fetched with ${how}, and stands in the way of nothing before`, async ({ page }) => {
      await page.addInitScript(() => {
        const called = Promise.withResolvers<() => void>()
        window.requestIdleCallback = (call) => {
          called.resolve(() => call({ didTimeout: false, timeRemaining: () => 50 }))
          return 1
        }
        Object.assign(window, { idle: async () => (await called.promise)() })
      })
      await page.goto(address('/en/proofs/?kind=digest'))
      await expect(page.getByLabel('Text', { exact: true })).toBeVisible()
      expect(page.workers()).toEqual([])
      const worker = page.waitForEvent('worker')
      await sign(page)
      expect((await worker).url()).toContain('verify.worker')
    })

  test('R-04 on the page, with the network off: ZIP, then the folder, then an altered copy, which is named', async ({ page }) => {
    const requests = await openOffline(page, '/fr/proofs/')
    await give(page, item('package.zip', Buffer.from(made.zip)))
    await expect(page.locator('[data-verdict="TOTAL-PASSED"]').first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Tout est conforme' })).toBeFocused()
    await expect(page.getByText('Si l’un de ceux à qui l’on se fie a menti')).toBeVisible()
    await page.getByRole('button', { name: 'Vérifier autre chose' }).click()
    await page.locator('input[type=file]').nth(1).setInputFiles(join(folder, 'case'))
    await expect(page.locator('[data-verdict="TOTAL-PASSED"]').first()).toBeVisible()
    writeFileSync(join(folder, 'case/capture/page.html'), '<p>hallo')
    await page.locator('input[type=file]').nth(1).setInputFiles(join(folder, 'case'))
    await expect(page.locator('[data-verdict="TOTAL-FAILED"]').first()).toBeVisible()
    await expect(page.locator('[data-piece="altered"]')).toContainText('capture/page.html')
    writeFileSync(join(folder, 'case/capture/page.html'), '<p>hello')
    expect(foreign(requests)).toEqual([])
  })

  test('a Bitcoin proof with its file and the header given: dated; minutes of one page; nothing asked of the network', async ({
    page,
  }) => {
    const requests = await openOffline(page, '/en/proofs/')
    await give(page, item('hello.txt.ots', ots), item('hello.txt', hello))
    await expect(page.locator('[data-verdict="INDETERMINATE"]').first()).toBeVisible()
    await expect(page.locator('[data-relation="over"]')).toHaveText('hello.txt.ots is over hello.txt: the very same bytes.')
    await page.getByLabel(/^Bitcoin block headers/).fill(anchored.headerLine)
    await page.getByRole('button', { name: 'Verify again' }).click()
    await expect(page.locator('[data-verdict="TOTAL-PASSED"]').first()).toBeVisible()
    await expect(page.getByRole('cell', { name: /29 Dec 2010/ }).first()).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the minutes' }).click()
    const minutes = readFileSync((await (await download).path()) ?? '', 'utf8')
    expect(minutes).toContain('hello.txt.ots is over hello.txt')
    const pdf = join(folder, 'minutes.pdf')
    await page.pdf({ path: pdf, preferCSSPageSize: true })
    expect(execFileSync('pdfinfo', [pdf]).toString()).toMatch(/Pages:\s+1\n/)
    expect(execFileSync('pdftotext', [pdf, '-']).toString()).toContain('TOTAL-PASSED')
    expect(foreign(requests)).toEqual([])
  })

  test('verify.html says the same of the same, from the disk without a network, and names an altered copy', async ({ page }) => {
    await page.context().setOffline(true)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const own = pathToFileURL(join(folder, 'case/verify.html')).href
    await page.goto(own)
    await page.locator('#folder').setInputFiles(join(folder, 'case'))
    // It knows no platform: who sealed is told by the fingerprint that the operator publishes.
    await expect(page.locator('#result')).toContainText('INDETERMINATE')
    const { certificates } = (await (await fetch(address('/.well-known/probant-keys.json'))).json()) as {
      certificates: { id: string; role: string; purpose: string }[]
    }
    const published = certificates.find(({ role, purpose }) => role === 'authority' && purpose === 'platform')?.id ?? ''
    await page.locator('#fingerprint').fill(published)
    await page.locator('.compare [type=submit]').click()
    await expect(page.locator('#result')).toHaveAttribute('data-colour', 'green')
    const copy = join(folder, 'copy')
    cpSync(join(folder, 'case'), copy, { recursive: true })
    writeFileSync(join(copy, 'capture/page.html'), '<p>hallo')
    await page.locator('.actions .quiet').click()
    await page.locator('#folder').setInputFiles(copy)
    await expect(page.locator('#result')).toContainText('TOTAL-FAILED')
    await expect(page.locator('#result li')).toContainText(['capture/page.html'])
    expect(requests).toEqual([own])
  })
})

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`proofs of a deposit, ${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })
    const again = { en: 'Verify something else', fr: 'Vérifier autre chose' }[locale]
    const clean = async (page: Page) => {
      expect(await findViolations(page)).toEqual([])
      expect(await standingOut(page)).toEqual([])
    }
    const altered = Buffer.from(contract.toString().replace('contrat', 'contraT'))
    const ers = deposited('document.ers')

    test('H-09 R-04 archive, evidence record or certificate, each with the file: one answer, with the network off', async ({
      page,
    }) => {
      const requests = await openOffline(page, `/${locale}/proofs/`)
      await give(page, item('proofs.zip', Buffer.from(deposit.zip)), item('contrat.txt', contract))
      const answer = page.locator('[data-answer]')
      await expect(answer).toHaveAttribute('data-answer', 'TOTAL-PASSED')
      await expect(page.locator('[data-verdict="TOTAL-PASSED"]').first()).toBeVisible()
      for (const name of ['document.ers', 'document.tsr', 'log-proof.txt', 'signature.p7s'])
        await expect(answer).toContainText(`proofs.zip/${name}`)
      await clean(page)
      await keepPicture(page, 'archive.png')
      await page.getByRole('button', { name: again }).click()
      await give(page, item('contrat.ers', ers()), item('contrat.txt', contract))
      await expect(answer).toHaveAttribute('data-answer', 'TOTAL-PASSED')
      await page.getByRole('button', { name: again }).click()
      await give(page, item('deposit.pdf', Buffer.from(deposit.certificate)), item('contrat.txt', contract))
      await expect(answer).toHaveAttribute('data-answer', 'TOTAL-PASSED')
      await expect(answer).toContainText('deposit.pdf/signature.p7s')
      await page.getByRole('button', { name: again }).click()
      await give(page, item('deposit.pdf', Buffer.from(deposit.certificate)), item('contrat.txt', altered))
      await expect(answer).toHaveAttribute('data-answer', 'TOTAL-FAILED')
      await expect(answer).toContainText(/contrat\.txt.*deposit\.pdf, deposit\.pdf\/document\.ers\./)
      await clean(page)
      await keepPicture(page, 'altered.png')
      expect(foreign(requests)).toEqual([])
    })

    test('verify.html opens the certificate too, and names the altered file and what does not match', async ({ page }) => {
      await page.context().setOffline(true)
      await page.goto(pathToFileURL(join(folder, 'case/verify.html')).href)
      const giveHere = async (file: Buffer) =>
        await page
          .locator('#file')
          .setInputFiles([item('deposit.pdf', Buffer.from(deposit.certificate)), item('contrat.txt', file)])
      await giveHere(contract)
      // Nobody here vouches for the platform and its authority: dated by nothing, false in nothing.
      await expect(page.locator('[data-answer]')).toHaveAttribute('data-answer', 'INDETERMINATE')
      await expect(page.locator('[data-answer]')).toContainText('deposit.pdf/log-proof.txt')
      await clean(page)
      await keepPicture(page, 'verify-html.png')
      await page.locator('.actions .quiet').click()
      await giveHere(altered)
      await expect(page.locator('[data-answer]')).toHaveAttribute('data-answer', 'TOTAL-FAILED')
      await expect(page.locator('[data-answer]')).toContainText(/contrat\.txt.*deposit\.pdf, deposit\.pdf\/document\.ers\./)
      await clean(page)
    })
  })

test('X-28, V-36, V-37, V-39 the form of a kind is linked to, names what is missing, verifies, and says how it went', async ({
  page,
}) => {
  const requests = await openOffline(page, '/en/proofs/?kind=nano')
  const form = page.locator('[data-form="nano"]')
  await form.getByRole('button', { name: 'Verify' }).click()
  await expect(form.getByText('The text that was signed, or its digest, is required')).toBeVisible()
  await expect(form.getByText('Signature is required')).toBeVisible()
  await expect(form.getByLabel('Text that was signed, or its digest')).toBeFocused()
  const [signed] = oris.vectors
  await form.getByLabel('Text that was signed, or its digest').fill(signed.message)
  await form.getByLabel('Signature').fill(signed.signature)
  await form.getByLabel('Nano account expected').fill(oris.account)
  await form.getByRole('button', { name: 'Verify' }).click()
  await expect(page.locator('[data-verdict="TOTAL-PASSED"][data-kind="nano_message"]')).toBeVisible()
  await expect(page.getByText('Verification finished: everything holds')).toBeVisible()
  await form.getByLabel('Text that was signed, or its digest').fill(`${signed.message}!`)
  await form.getByRole('button', { name: 'Verify' }).click()
  await expect(page.locator('[data-verdict="TOTAL-FAILED"][data-kind="nano_message"]')).toBeVisible()
  await expect(page.getByText('Verification finished: something does not hold')).toBeVisible()
  expect(foreign(requests)).toEqual([])
})

test('C-66 to C-70, P-02 a server answers the calls to anyone as the page does', async ({ request }) => {
  const answer = await request.post(address('/verifier/chainpoint_proof/'), { data: { proof: ots.toString('base64') } })
  expect([answer.status(), (await answer.json()).kind]).toEqual([200, 'opentimestamps'])
  const digest = await request.post(address('/verifier/digest/'), { data: { text: 'a' } })
  expect((await digest.json()).facts[0].value).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')
  const worker = await request.get(address('/en/proofs/'))
  expect(worker.headers()['content-security-policy']).not.toContain('wasm-unsafe-eval')
})

test('a text that is pasted is verified as what it is; what reads it is allowed no network', async ({ page }) => {
  const policy = page.waitForResponse(/verify\.worker-/)
  await openOffline(page, '/en/proofs/')
  expect((await policy).headers()['content-security-policy']).toBe(
    "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'",
  )
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
  }, ots.toString('base64'))
  await expect(page.locator('[data-kind="opentimestamps"]')).toBeVisible()
  await page.getByRole('button', { name: 'Verify something else' }).click()
  await expect(page.locator('[data-kind="opentimestamps"]')).toHaveCount(0)
})
