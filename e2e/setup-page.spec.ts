/** `probant setup --page`: an installation is set up in a browser of its own machine, from the link in the log to a first page captured and verified. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import type { Locale } from '../kernel/locale.ts'
import { createMessages, type MessageId, type MessageValues } from '../platform/messages/messages.ts'
import { freePort } from '../testing/free-port.ts'
import { bequeathMachine, inheritMachine } from '../testing/known-machine.ts'
import { startFixtureSite, type FixtureSite } from '../testing/site/start-fixture-site.ts'
import { isClean, keepPicture } from './fixtures/pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-setup-'))
const program = fileURLToPath(new URL('../apps/cli/probant.ts', import.meta.url))
let site: FixtureSite
let running: ChildProcess | undefined

test.beforeAll(async () => {
  site = await startFixtureSite()
})
test.afterEach(async () => {
  await stop()
})
test.afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Interrupted, as Ctrl-C does it. */
async function stop(): Promise<number | null> {
  const child = running
  running = undefined
  if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  return await code
}

/** The command, and the link that it tells. */
async function start(file: string, locale: Locale): Promise<{ link: string; over: Promise<number | null> }> {
  const port = await freePort()
  const args = ['--disable-warning=ExperimentalWarning', program, 'setup', '--page', '--port', String(port), '--file', file]
  const child = spawn(process.execPath, [...args, '--lang', locale], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // The folder for temporary files is the run's: the browser of a capture is another user, and reaches nothing in ours.
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: tmpdir() },
  })
  running = child
  const over = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let said = ''
  const link = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /http:\/\/localhost:\d+\/\?token=\S+/.exec(said)
      if (found !== null) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(said)))
  })
  return { link, over }
}

const wordsOf =
  (locale: Locale) =>
  (id: MessageId, values?: MessageValues): string =>
    createMessages(locale).format(id, values)

test('from the link in the log to a first page that was captured and verified, in French at 360 px', async ({ page }) => {
  test.setTimeout(300_000)
  const say = wordsOf('fr')
  const data = join(folder, 'data')
  inheritMachine(data)
  const file = join(folder, 'probant.env')
  const before = {
    PROBANT_ALLOW_ADDRESSES: site.addresses.join(','),
    PROBANT_NTP_SERVERS: 'none',
    PROBANT_RDAP_BOOTSTRAP: 'none',
    PROBANT_WHOIS_SERVER: 'none',
    PROBANT_STUN_SERVERS: 'none',
    PROBANT_ESPLORA: 'none',
    PROBANT_DATA: data,
  }
  writeFileSync(
    file,
    Object.entries(before)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    { mode: 0o600 },
  )
  await page.setViewportSize({ width: 360, height: 740 })
  const { link, over } = await start(file, 'fr')
  await page.goto(link)
  const heading = (id: MessageId) => page.getByRole('heading', { level: 1, name: say(id) })
  const press = async (id: MessageId) => await page.getByRole('button', { name: say(id), exact: true }).click()
  const goOn = async () => await page.getByRole('link', { name: say('setup.page.next') }).click()

  await expect(heading('setup.address')).toBeVisible()
  await page.getByLabel(say('setup.ask.address')).fill('evidence')
  await press('setup.page.try')
  await expect(page.getByText(/^✗ PROBANT_PUBLIC_URL doit être une adresse/)).toBeVisible()
  await expect(page.getByLabel(say('setup.ask.address'))).toHaveValue('evidence')
  await isClean(page)
  await keepPicture(page, 'setup-fr-360-fault.png')
  await page.getByLabel(say('setup.ask.address')).fill('http://localhost:8080')
  await page.getByLabel(say('setup.ask.operator')).fill('Étude <Martin> & associés')
  await press('setup.page.try')
  await expect(page.getByText(/^✓ localhost mène à/)).toBeVisible()
  await goOn()

  await expect(heading('setup.tls')).toBeVisible()
  // What an answer asks for besides is asked once that is chosen.
  await page.getByLabel(say('setup.page.tls.files')).check()
  await press('setup.page.try')
  await expect(page.getByLabel(say('setup.ask.certificate'))).toBeVisible()
  await press('setup.page.try')
  await expect(page.getByText('✗ PROBANT_TLS_CERTIFICATE est nécessaire')).toBeVisible()
  await isClean(page)
  await keepPicture(page, 'setup-fr-360-tls.png')
  await page.getByLabel(say('setup.page.tls.proxy')).check()
  await press('setup.page.again')
  await expect(page.getByLabel(say('setup.ask.proxies'))).toBeVisible()
  await press('setup.page.try')
  await expect(page.getByText(`✓ ${say('setup.found.proxy')}`)).toBeVisible()
  await goOn()

  await expect(heading('setup.database')).toBeVisible()
  await page
    .getByLabel(say('setup.ask.database'))
    .fill(`postgres://nobody:unseen-secret@127.0.0.1:${String(await freePort())}/none`)
  await press('setup.page.try')
  await expect(page.getByText(/^✗ .*ECONNREFUSED/)).toBeVisible()
  // A secret is not shown again, and can be taken back.
  expect(await page.content()).not.toContain('unseen-secret')
  await page.getByLabel(say('setup.page.forget')).check()
  await press('setup.page.again')
  await expect(page.getByText(`✓ ${say('setup.found.embedded_database')}`)).toBeVisible()
  await goOn()

  await expect(heading('setup.storage')).toBeVisible()
  await press('setup.page.try')
  await expect(page.getByText(/^✓ écrit, relu et retiré/)).toBeVisible()
  await goOn()
  await expect(heading('setup.mail')).toBeVisible()
  await page.getByLabel(say('setup.ask.smtp')).fill(`smtp://127.0.0.1:${String(await freePort())}`)
  await press('setup.page.try')
  await page.getByLabel(say('setup.page.recipient')).fill('ada@example.org')
  await press('setup.page.try')
  await expect(page.getByText(/^✗ .*ECONNREFUSED/)).toBeVisible()
  await press('setup.page.keep')
  await expect(heading('setup.time')).toBeVisible()
  await press('setup.page.try')
  await expect(page.getByText(`✓ ${say('setup.found.embedded_authority')}`)).toBeVisible()
  await goOn()
  await page.getByLabel(say('setup.ask.calendars')).fill('none')
  await press('setup.page.try')
  await expect(page.getByText(`✓ ${say('setup.found.no_calendar')}`)).toBeVisible()
  await goOn()

  await expect(heading('setup.payments')).toBeVisible()
  await page.getByLabel(say('setup.page.billing.on')).check()
  await press('setup.page.try')
  await page.getByLabel(say('setup.ask.seller_iban')).fill('FR76 3000')
  await press('setup.page.try')
  await expect(page.getByText(/^✗ PROBANT_SELLER_IBAN doit être un IBAN/)).toBeVisible()
  await isClean(page)
  await keepPicture(page, 'setup-fr-360-payments.png')
  await page.getByLabel(say('setup.page.billing.off')).check()
  await page.getByLabel(say('setup.ask.seller_iban')).fill('')
  await press('setup.page.try')
  await expect(page.getByText(`✓ ${say('setup.found.billing_off')}`)).toBeVisible()
  await goOn()

  await expect(heading('setup.page.write')).toBeVisible()
  expect(readFileSync(file, 'utf8')).not.toContain('PROBANT_OPERATOR')
  await isClean(page)
  await keepPicture(page, 'setup-fr-360-write.png')
  await press('setup.page.write.do')
  await expect(page.getByText(`✓ ${say('setup.written', { file })}`)).toBeVisible()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const written = readFileSync(file, 'utf8')
  expect(written).toContain("PROBANT_OPERATOR='Étude <Martin> & associés'")
  expect(written).toContain(`PROBANT_ALLOW_ADDRESSES=${before.PROBANT_ALLOW_ADDRESSES}`)
  expect(written).not.toContain('DATABASE_URL')
  expect(written).not.toContain('PROBANT_SELLER')
  await goOn()

  await expect(heading('setup.administrator')).toBeVisible()
  const password = 'Korrekt-horse 7'
  await page.getByLabel(say('setup.page.email')).fill('ada@example.org')
  await page.getByLabel(say('setup.page.password'), { exact: true }).fill(password)
  await page.getByLabel(say('setup.page.password_again')).fill('another')
  await press('setup.page.administrator.do')
  await expect(page.getByRole('alert')).toHaveText(say('identity.field.password_differs'))
  await page.getByLabel(say('setup.page.password'), { exact: true }).fill(password)
  await page.getByLabel(say('setup.page.password_again')).fill(password)
  await press('setup.page.administrator.do')
  await expect(page.getByText(`✓ ${say('identity.command.created', { email: 'ada@example.org' })}`)).toBeVisible({
    timeout: 120_000,
  })
  await goOn()

  await expect(heading('setup.first')).toBeVisible()
  await page.getByLabel(say('setup.page.first')).fill(`${site.origin}/resources/`)
  await press('setup.page.first.do')
  await expect(page.getByText(`✓ ${say('setup.first.holds')}`)).toBeVisible({ timeout: 180_000 })
  await isClean(page)
  await keepPicture(page, 'setup-fr-360-first.png')
  await goOn()

  await expect(heading('setup.page.end')).toBeVisible()
  // What was kept although it does not work is said.
  await expect(page.getByRole('main').getByRole('link', { name: say('setup.mail') })).toBeVisible()
  await isClean(page)
  await press('setup.page.end.do')
  await expect(heading('setup.page.over')).toBeVisible()
  expect(await over).toBe(0)
  bequeathMachine(data)
})

test('its link opens it once, for one browser, by a name of this machine; in English at 1280 px', async ({ page, browser }) => {
  const say = wordsOf('en')
  const file = join(folder, 'none.env')
  const { link } = await start(file, 'fr')
  const { origin, port } = new URL(link)
  const closed = async (from: Page) =>
    await expect(from.getByRole('heading', { level: 1 })).toHaveText(wordsOf('fr')('setup.page.closed'))
  await page.goto(`${origin}/?token=${'A'.repeat(43)}`)
  await closed(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(link)
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1, name: say('setup.address') })).toBeVisible()
  await isClean(page)
  await keepPicture(page, 'setup-en-1280.png')
  await page.emulateMedia({ colorScheme: 'dark' })
  await isClean(page)
  await keepPicture(page, 'setup-en-1280-dark.png')

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(say('setup.page.closed'))
  const [held] = await page.context().cookies()
  const cookie = `${held?.name ?? ''}=${held?.value ?? ''}`
  const ask = async (headers: Record<string, string>, method = 'GET') =>
    (
      await page.request.fetch(`http://127.0.0.1:${port}/steps/address/`, {
        method,
        headers: { cookie, ...headers },
        maxRedirects: 0,
      })
    ).status()
  expect(await ask({})).toBe(200)
  expect(await ask({ host: `attacker.example:${port}` })).toBe(403)
  expect(await ask({ origin: 'https://attacker.example', 'content-type': 'application/x-www-form-urlencoded' }, 'POST')).toBe(403)
  expect(await ask({ cookie: `${cookie}x` })).toBe(403)
  // Interrupted, it has written nothing.
  expect(await stop()).toBe(1)
  expect(existsSync(file)).toBe(false)
})
