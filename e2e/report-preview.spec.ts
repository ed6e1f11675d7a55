/** The report of a draft on the screen, as whoever reads it on a phone or at a desk meets it. */
import { expect } from '@playwright/test'
import { address, heldId, holdEvidence, keepPicture, standingOut, states, test } from './fixtures/pages.ts'
import { reportDocument } from './fixtures/report-document.ts'

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1600],
] as const) {
  test.describe(`${locale}, ${String(width)} px`, () => {
    test.use({ viewport: { width, height: 780 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('C-29: the report is read without its PDF, and says wherever one looks that it is a preview', async ({ page }) => {
      await holdEvidence(page, states.to_validate)
      await page.goto(address(`/${locale}/capture/${heldId}/`))
      await page.getByRole('tab').nth(1).click()
      const report = page.getByRole('article')
      await expect(report).toHaveAttribute('lang', reportDocument.language)
      await expect(page.locator('iframe')).toHaveCount(0)
      // Its first heading stands under the page's own.
      await expect(report.getByRole('heading', { level: 2 })).toHaveText(
        'Soldes ⟨U+202E⟩exe.fdp <script>alert(1)</script> שלום (12 more characters)',
      )
      await expect(page.getByRole('link', { name: /^(Open the PDF|Ouvrir le PDF)/ })).toHaveAttribute(
        'href',
        '/files/test/preview.pdf',
      )

      // What leads somewhere leads there, and the tab stays.
      await report.getByRole('navigation').getByRole('link', { name: 'The seal' }).click()
      const seal = report.getByRole('heading', { name: 'The seal' })
      await expect(seal).toBeInViewport()
      await expect(seal).toBeFocused()
      const mark = report.getByText('PREVIEW – not final', { exact: true })
      await expect(mark).toHaveCount(2)
      await expect(mark.last()).toBeInViewport()
      await report.getByRole('link', { name: 'section 3' }).click()
      await expect(seal).toBeInViewport()
      // Nothing of the window lies over where it led.
      expect(
        await seal.evaluate((element) => {
          const { left, top, height } = element.getBoundingClientRect()
          return element.contains(document.elementFromPoint(left + 4, top + height / 2))
        }),
      ).toBe(true)
      await expect(report.getByRole('link', { name: 'section 9' })).toHaveCount(0)

      // The table is one, however it is set.
      const table = report.getByRole('table', { name: 'Exchanges' })
      await expect(table.getByRole('columnheader')).toHaveText(['No.', 'Method', 'Address', 'Bytes', 'SHA-256'])
      await expect(table.getByRole('row')).toHaveCount(4)
      const cells = await table.getByRole('row').nth(1).getByRole('cell').all()
      const tops = await Promise.all(cells.map(async (cell) => Math.round((await cell.boundingBox())?.y ?? 0)))
      expect(new Set(tops).size > 1).toBe(width === 360)
      expect(await standingOut(page)).toEqual([])

      // Rows 101 to 500 of an original of 800: a quarter of what is out of sight is above them.
      const picture = report.getByRole('img', { name: 'What the window showed' })
      await picture.scrollIntoViewIfNeeded()
      const window = picture.locator('img')
      await expect(window).toBeVisible()
      expect(await window.evaluate((element: HTMLImageElement) => [element.naturalHeight, element.style.objectPosition])).toEqual(
        [800, '0px 25%'],
      )
      const box = await picture.boundingBox()
      expect(Math.abs((box?.width ?? 0) / (box?.height ?? 1) - 1280 / 400)).toBeLessThan(0.1)
      await expect(report.getByRole('img', { name: 'Rosette of the seal' })).toBeVisible()
      await expect(report.getByRole('img', { name: 'The end of the page' })).toHaveCount(0)
      await expect(report.getByText(/The end of the page$/)).toBeVisible()
      await page.emulateMedia({ colorScheme: width === 360 ? 'dark' : 'light' })
      await keepPicture(page, 'report.png')
    })
  })
}

test('C-29: what another version of the program wrote, or what does not come, leaves the PDF', async ({ page }) => {
  await holdEvidence(page, states.to_validate)
  let body = JSON.stringify({ ...reportDocument, blocks: [{ kind: 'hologram' }] })
  await page.route('**/files/test/report.json', (route) => route.fulfill({ contentType: 'application/json', body }))
  for (const next of ['', 'none']) {
    await page.goto(address(`/en/capture/${heldId}/`))
    await page.getByRole('tab', { name: 'Report', exact: true }).click()
    await expect(page.locator('iframe')).toHaveAttribute('title', 'Preview of the report (PDF)')
    await expect(page.getByRole('article')).toHaveCount(0)
    body = next
  }
})

test('C-29: rows that an original turns out not to have are told, not shown', async ({ page }) => {
  await holdEvidence(page, states.to_validate)
  const from = { width: 1280, height: 400, rows: [{ path: 'capture/viewport.png', firstRow: 500, lastRow: 900 }] }
  const body = JSON.stringify({
    ...reportDocument,
    blocks: [{ kind: 'figure', picture: { file: 'a.png', alt: 'A window', from } }],
  })
  await page.route('**/files/test/report.json', (route) => route.fulfill({ contentType: 'application/json', body }))
  await page.goto(address(`/en/capture/${heldId}/`))
  await page.getByRole('tab', { name: 'Report', exact: true }).click()
  await expect(page.getByRole('article').getByText('Not shown here; in the PDF: A window')).toBeVisible()
  await expect(page.getByRole('article').getByRole('img')).toHaveCount(0)
})
