/** A visitor whose clock is a day off: what is counted and dated is right by the server's, and nothing is asked for without end. */
import { createHash, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import { enter, password, person, send, type Someone } from './fixtures/accounts.ts'
import { inDatabase, listEvidences } from './fixtures/listed-evidences.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

const day = 86_400_000

/** Windows and what works for them have one clock. */
async function setClock(page: Page, off: number): Promise<void> {
  await page.clock.install({ time: Date.now() + off })
  await page.route(/\/assets\/[\w.]+\.worker-[^/]+\.js$/, async (route) => {
    const answer = await route.fetch()
    const shifted = `{const now=Date.now.bind(Date);const Other=class extends Date{constructor(...of){if(of.length===0)super(now()+${String(off)});else super(...of)}static now(){return now()+${String(off)}}};globalThis.Date=Other}\n`
    await route.fulfill({ response: answer, body: shifted + (await answer.text()) })
  })
}

/** How often each address was asked for while a page was open. */
function countRequests(page: Page): Map<string, number> {
  const asked = new Map<string, number>()
  page.on('request', (request) => {
    const url = request.url().replace(/(?<=created_after=)[^&]+/, '')
    asked.set(url, (asked.get(url) ?? 0) + 1)
  })
  return asked
}

async function deposit(page: Page, who: Someone, bytes: Buffer): Promise<string> {
  const documents = [{ sha256: createHash('sha256').update(bytes).digest('hex'), document_name: 'contract.txt' }]
  await send(page, 'post', '/documents/batches/', { documents }, who)
  let id = ''
  await expect
    .poll(async () => {
      const { results } = await send(page, 'get', '/documents/?category=completed', undefined, who)
      const [found] = results as { id: string; status: string }[]
      id = found?.id ?? ''
      return found?.status
    })
    .toBe('final')
  return id
}

for (const [locale, off, name] of [
  ['en', day, 'ahead'],
  ['fr', -day, 'behind'],
] as const)
  test.describe(`a clock that is a day ${name}, in ${locale}, 360 px`, () => {
    test.use({ viewport: { width: 360, height: 780 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('what is left of a draft, what was dated lately, an access, a proof of today and a second factor', async ({ page }) => {
      const who = await person(page, locale, `clock-${randomUUID()}@example.org`)
      const bytes = Buffer.from(`contract ${randomUUID()}`)
      const deposited = await deposit(page, who, bytes)
      // Asked for an hour and a half ago: of its day there is between 22 and 23 hours left.
      const asked = new Date(Date.now() - 5_400_000).toISOString()
      const [draft = ''] = await listEvidences([{ url: 'https://example.com/', status: 'to_validate', owner: who.id, at: asked }])
      await inDatabase((db) =>
        db.query(`update evidence set expires_at = created_at + interval '24 hours' where id = $1`, [draft]),
      )

      await setClock(page, off)
      await enter(page, who)
      const requests = countRequests(page)
      await page.goto(address(`/${locale}/evidences/pending/`))
      await expect(page.getByText(/\b22\sh\s\d\d\smin/)).toBeVisible()
      await keepPicture(page, 'draft.png')

      await page.goto(address(`/${locale}/documents/pending/`))
      await expect(page.locator('#dated-lately')).toBeVisible()
      await expect(page.getByText('contract.txt').first()).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'lately.png')

      await page.goto(address(`/${locale}/documents/deposit/${deposited}/`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.goto(address(`/${locale}/account/security/`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await keepPicture(page, 'sessions.png')

      await page.goto(address(`/${locale}/proofs/`))
      const proofs = await page.request.get(address(`/documents/${deposited}/`), {
        headers: { authorization: `Bearer ${who.token}` },
      })
      const { eidas } = (await proofs.json()) as { eidas: string }
      const stamp = await page.request.get(address(eidas))
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([
          { name: 'contract.tsr', mimeType: 'application/octet-stream', buffer: await stamp.body() },
          { name: 'contract.txt', mimeType: 'text/plain', buffer: bytes },
        ])
      await expect(page.locator('[data-answer]')).toHaveAttribute('data-answer', 'TOTAL-PASSED')
      await keepPicture(page, 'proof.png')

      // The authenticator is on a device whose clock is off as much: what it shows is refused, and why is told.
      const { secret } = await send(page, 'post', '/second_factor/', { password }, who)
      const { recovery_codes: codes } = await send(
        page,
        'post',
        '/second_factor/confirm/',
        { code: await generate({ secret: String(secret) }) },
        who,
      )
      await page.evaluate(() => sessionStorage.removeItem('probant.session'))
      await page.goto(address(`/${locale}/authentication/login/`))
      await page.locator('input[type=email]').fill(who.email)
      await page.locator('input[type=password]').fill(password)
      await page.locator('form button[type=submit]').click()
      const field = page.getByLabel(/^(?:Code of your authenticator|Code de votre application)/)
      await field.fill(await generate({ secret: String(secret), epoch: Math.floor((Date.now() + off) / 1000) }))
      // Its last digit sends it.
      await expect(page.getByRole('alert').filter({ hasText: /has the right time|est à l’heure/ })).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'code.png')
      await field.fill((codes as string[])[0] ?? '')
      await page.locator('form button[type=submit]').click()
      await page.waitForURL(`**/${locale}/evidences/pending/`)
      await expect(page.getByText(/\b22\sh\s\d\d\smin/)).toBeVisible()

      // Kept for a length of time, and not until a moment that its clock may have passed.
      const [language] = (await page.context().cookies()).filter(({ name }) => name.endsWith('locale'))
      expect(language?.value).toBe(locale)
      const answer = await page.request.get(address(`/${locale}/`))
      expect(answer.headers()['set-cookie']).toMatch(/Max-Age=\d+/)
      expect(answer.headers()['set-cookie']).not.toMatch(/expires=/i)

      expect([...requests].filter(([, times]) => times > 12)).toEqual([])
    })
  })
