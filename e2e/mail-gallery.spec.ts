/** Every mail that the product sends, as a program that shows HTML has it on a phone. */
import { expect } from '@playwright/test'
import { findViolations } from './fixtures/find-violations.ts'
import { address, isClean, keepPicture, standingOut, test } from './fixtures/pages.ts'

for (const locale of ['en', 'fr'] as const)
  test(`every mail, in ${locale}, is read without effort at 360 px, on light and on dark, and loads nothing`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto(address('/dev/mail/gallery/'))
    await isClean(page, 'ol')
    const links = await page.locator(`a[lang=${locale}]`).evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThan(60)
    // Its page shows both schemes, and the text that programs without HTML show.
    await page.goto(address(links[0] ?? ''))
    await expect(page.frameLocator('iframe.dark').locator('p').first()).toBeVisible()
    await expect(page.locator('pre')).toContainText('314159')
    await keepPicture(page, 'page.png')

    const shown = await page.context().newPage()
    await shown.setViewportSize({ width: 360, height: 640 })
    const asked: string[] = []
    shown.on('request', (request) => asked.push(request.url()))
    const found: string[] = []
    for (const link of links) {
      const html = await (await page.request.get(address(`${link}html/`))).text()
      await shown.setContent(html)
      for (const colorScheme of ['light', 'dark'] as const) {
        await shown.emulateMedia({ colorScheme })
        const faults = await findViolations(shown, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })
        const out = await standingOut(shown)
        found.push(...[...faults.map(({ id }) => id), ...out].map((each) => `${link} ${colorScheme}: ${each}`))
      }
      await keepPicture(shown, `${link.replaceAll('/', '_')}.png`)
    }
    expect(found).toEqual([])
    expect(asked).toEqual([])
  })
