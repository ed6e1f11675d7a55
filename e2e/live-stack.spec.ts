import { expect, type Page } from '@playwright/test'
import { address, isClean, test } from './fixtures/pages.ts'
import { pixelAt } from './fixtures/live-session.ts'

/** The viewer with nothing played: a browser is steered, seen, left and found again. Its own page says what it was told. */
const site = () => process.env['PROBANT_E2E_SITE'] ?? ''

async function begin(page: Page, device: 'desktop' | 'mobile'): Promise<void> {
  await page.goto(address('/en/'))
  if (device === 'mobile') {
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Device', { exact: true }).selectOption('mobile')
  }
  await page.getByLabel('Address of the page').fill(`${site()}/steer`)
  await page.getByRole('button', { name: 'Navigate yourself, live' }).click()
  await expect(page.locator('canvas[data-picture]')).toBeAttached()
  await expect(page.getByRole('img', { name: 'Picture of the remote page: Steer me' })).toBeVisible()
}

/** What the remote page says it was told, in its address. */
const told = (page: Page, what: string | RegExp) =>
  expect
    .poll(async () => {
      const address = await page.getByRole('textbox', { name: 'Address of the page' }).inputValue()
      return decodeURIComponent(new URL(address).search.slice(1))
    })
    .toMatch(what)
const exactly = (text: string) => new RegExp(`^${text}$`)

async function onScreen(page: Page, x: number, y: number, width = 1280): Promise<{ x: number; y: number }> {
  const box = await page.getByRole('img', { name: /^Picture of the remote page/ }).boundingBox()
  if (box === null) throw new Error('no picture')
  const scale = box.width / width
  return { x: box.x + x * scale, y: box.y + y * scale }
}

/** The link that a dialog shows, as its button copies it. */
async function copied(page: Page, what: string): Promise<string> {
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => {
      document.body.dataset['copied'] = text
      return Promise.resolve()
    }
  })
  await page.getByRole('button', { name: `Copy: ${what}` }).click()
  const link = await page.locator('body').getAttribute('data-copied')
  await page.keyboard.press('Escape')
  return link ?? ''
}

/** A witness who countersigns; another device that takes control, and gives it back. */
async function withOthers(page: Page): Promise<void> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('no browser')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Invite a witness' }).click()
  await page.getByRole('textbox', { name: 'Name of the witness' }).fill('Maître Œuvre')
  await page.getByRole('button', { name: 'Make a link' }).click()
  const witness = await (await browser.newContext()).newPage()
  await witness.goto(await copied(page, 'link for the witness'))
  await expect(witness.getByText('You are present as a witness: Maître Œuvre.', { exact: false })).toBeVisible()
  await expect(witness.locator('canvas[data-picture]')).toBeAttached()
  await witness.getByRole('button', { name: 'Countersign' }).click()
  await witness.getByRole('dialog').getByLabel('Your name').fill('Zoé Œuvre')
  await witness.getByRole('dialog').getByRole('button', { name: 'Countersign' }).click()
  await expect(witness.getByText('Countersigned by Zoé Œuvre.')).toBeVisible()
  await witness.context().close()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Continue on another device' }).click()
  const other = await (await browser.newContext()).newPage()
  await other.goto(await copied(page, 'link to this session'))
  await other.getByRole('button', { name: 'Continue here' }).click()
  await expect(other.locator('canvas[data-picture]')).toBeAttached()
  await expect(other.getByRole('button', { name: 'End the session' })).toBeEnabled()
  await page.getByRole('button', { name: 'Take control' }).click()
  await expect(other.getByText('another device is steering', { exact: false })).toBeVisible()
  await other.context().close()
  await expect(page.getByRole('button', { name: 'End the session' })).toBeEnabled()
}

test.describe('at a desk', () => {
  test.use({ viewport: { width: 1280, height: 900 } })

  test('a real session: picture, mouse, keys, text, paste, tabs, screenshots, a reload, others, the end', async ({ page }) => {
    await begin(page, 'desktop')
    await expect
      .poll(async () => await pixelAt(page, 200, 210))
      .toEqual([expect.closeTo(204, -1.5), expect.closeTo(221, -1.5), expect.closeTo(238, -1.5)])
    const at = await onScreen(page, 700, 500)
    await page.mouse.click(at.x, at.y)
    await told(page, /^mouse 0 (699|700|701) (499|500|501)$/)
    const field = await onScreen(page, 200, 90)
    await page.mouse.click(field.x, field.y)
    await page.keyboard.type('abc')
    await told(page, exactly('is abc'))
    for (const text of ['é', 'ç', 'œ', '漢字', '👩🏽‍🚀']) await page.keyboard.insertText(text)
    await told(page, exactly('is abcéçœ漢字👩🏽‍🚀'))
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await told(page, /^is\s*$/)
    await page.getByRole('button', { name: 'Paste text' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Déjà vu – 漢字 🙂')
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await told(page, exactly('is Déjà vu – 漢字 🙂'))
    const link = await onScreen(page, 150, 210)
    await page.mouse.click(link.x, link.y)
    await expect(page.getByRole('button', { name: 'A page to capture – œuvre', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await page.getByRole('button', { name: 'Steer me', exact: true }).click()
    await told(page, exactly('is Déjà vu – 漢字 🙂'))
    await page.getByRole('button', { name: 'Capture the visible part' }).click()
    await expect(page.getByRole('button', { name: 'Screenshot 1, Visible part' })).toBeVisible()
    // Whoever comes back finds the same session, with what was done in it.
    await page.reload()
    await expect(page.getByRole('button', { name: 'Screenshot 1, Visible part' })).toBeVisible()
    await expect
      .poll(async () => await pixelAt(page, 200, 210))
      .toEqual([expect.closeTo(204, -1.5), expect.closeTo(221, -1.5), expect.closeTo(238, -1.5)])
    await isClean(page)
    await withOthers(page)
    await page.getByRole('button', { name: 'End the session' }).click()
    await page.getByRole('button', { name: 'End and seal' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Review before you agree' })).toBeVisible({ timeout: 120_000 })
  })
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 })

  test('a real session on an emulated phone: a finger is a finger there, the keyboard comes with the field', async ({ page }) => {
    await begin(page, 'mobile')
    const width = 412
    const at = await onScreen(page, 300, 500, width)
    await page.touchscreen.tap(at.x, at.y)
    await told(page, /^touch 0 (29[89]|30[0-2]) (49[89]|50[0-2])$/)
    const field = await onScreen(page, 150, 90, width)
    await page.touchscreen.tap(field.x, field.y)
    await expect(page.getByLabel('Keyboard of the remote page')).toBeFocused()
    await page.keyboard.insertText('Çà œuvre 漢字')
    await told(page, exactly('is Çà œuvre 漢字'))
    await page.getByRole('button', { name: 'End', exact: false }).last().click()
    await page.getByRole('button', { name: 'End and seal' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Review before you agree' })).toBeVisible({ timeout: 120_000 })
  })
})
