import { expect, type Locator, type Page } from '@playwright/test'
import { address, heldId, holdEvidence, isClean, keepPicture, states, test } from './fixtures/pages.ts'
import { phase } from './fixtures/evidence.ts'
import { holdReview, review } from './fixtures/session-review.ts'

const capture = (locale = 'en') => address(`/${locale}/capture/${heldId}/`)
const list = (page: Page) => page.getByRole('listbox', { name: 'What happened' })
const option = (page: Page, text: string | RegExp) => list(page).getByRole('option', { name: text })
const second = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)

async function open(page: Page): Promise<void> {
  await holdReview(page, review.whole)
  await page.goto(capture())
  await expect(page.getByText(/ of 10,000 lines$/)).toBeVisible()
  // The player knows its length: it can be sought.
  await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0)
}
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search the lines' }).fill(text)
}

test.describe('at a desk', () => {
  test.use({ viewport: { width: 1280, height: 900 } })

  test('S-38: a line leads to its second, and the picture shown is of that second', async ({ page }) => {
    await open(page)
    await find(page, 'Screenshot 1')
    await option(page, /Screenshot 1$/).click()
    await expect.poll(() => second(page)).toBeCloseTo(12, 1)
    // Grey of the second that is shown: 16 + 5 × 12, give or take what the codec does.
    await expect
      .poll(() =>
        page.locator('video').evaluate((video: HTMLVideoElement) => {
          const canvas = document.createElement('canvas')
          canvas.width = canvas.height = 1
          const context = canvas.getContext('2d')
          context?.drawImage(video, 0, 0, 1, 1)
          const level = context?.getImageData(0, 0, 1, 1).data[0] ?? 0
          return Math.round(((level / 255) * 219) / 5)
        }),
      )
      .toBe(12)
    // While one goes through the lines, nothing lies on the picture.
    await list(page).evaluate((lines) => lines.scrollIntoView({ block: 'end' }))
    const boxOf = async (of: Locator) => (await of.boundingBox()) ?? { y: 0, height: 0 }
    const picture = await boxOf(page.locator('video'))
    for (const over of [page.getByRole('region', { name: 'Your decision' }), page.getByRole('link', { name: 'Decide' })]) {
      const { y, height } = await boxOf(over)
      expect(y + height <= picture.y || y >= picture.y + picture.height).toBe(true)
    }
    await page.getByRole('button', { name: 'Show screenshot 1' }).click()
    await expect(page.getByRole('heading', { name: 'Screenshot 1' })).toBeVisible()
    await expect(page.getByText('Log in ⟨U+202E⟩txt.exe')).toBeVisible()
    await expect(page.getByAltText(/^Screenshot 1 of/)).toBeVisible()
    // And back: the screenshot knows its second.
    await page.getByRole('button', { name: '0:12.000: show in the recording' }).click()
    await expect.poll(() => second(page)).toBeCloseTo(12, 1)
  })

  test('S-38: the list moves with the video, until the reader takes it', async ({ page }) => {
    await open(page)
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      video.currentTime = 31
    })
    await list(page).scrollIntoViewIfNeeded()
    const now = list(page).locator('[data-now=true]')
    await expect(now).toBeInViewport()
    await expect(now.locator('time')).toHaveText(/^0:(30\.9|31\.0)/)
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      video.currentTime = 2
    })
    await expect(now.locator('time')).toHaveText(/^0:0[12]\./)
    await list(page).focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('checkbox', { name: 'Follow the video' })).not.toBeChecked()
    await expect(option(page, /End of the timeline/)).toBeInViewport()
    await expect(option(page, /End of the timeline/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect.poll(() => second(page)).toBeGreaterThan(39)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect(option(page, /Device 1 steers/)).toHaveAttribute('aria-selected', 'true')
  })

  test('a page leads to its exchange, and the exchange to its second', async ({ page }) => {
    await open(page)
    await find(page, 'reached by a link')
    await option(page, /reached by a link/).click()
    await page.getByRole('button', { name: 'Show the exchange' }).click()
    const exchanges = page.getByRole('listbox', { name: 'Exchanges of the session' })
    const chosen = exchanges.getByRole('option', { selected: true })
    await expect(chosen).toHaveText(/0:04\.800.*GET https:\/\/example\.com\/login → 200/)
    await expect(chosen).toBeInViewport()
    await page.getByRole('button', { name: 'Show in the recording' }).click()
    await expect.poll(() => second(page)).toBeCloseTo(4.8, 1)
  })

  test('of 10,000 lines only those that are seen are drawn; kinds are left out and found', async ({ page }) => {
    await open(page)
    expect(await list(page).getByRole('option').count()).toBeLessThan(60)
    await expect(list(page).getByRole('option').first()).toHaveAttribute('aria-setsize', /^50\d\d$/)
    // Movements with keys let go, and the pictures that were chained, are hidden at first.
    for (const kind of ['Movements', 'Pictures']) {
      const shown = page.getByRole('button', { name: new RegExp(`^${kind}`) })
      await expect(shown).toHaveAttribute('aria-pressed', 'false')
      await shown.click()
    }
    await expect(page.getByText('10,000 of 10,000 lines')).toBeVisible()
    for (const kind of ['Input', 'Movements', 'Exchanges'])
      await page.getByRole('button', { name: new RegExp(`^${kind}`) }).click()
    await expect(page.getByText(/^\d of 10,000 lines$/)).toBeVisible()
    await expect(option(page, /No picture from 0:31\.000 to 0:31\.800/)).toBeVisible()
  })

  test('what pages and visitors wrote is text, in the list and in the captions', async ({ page }) => {
    await open(page)
    await find(page, 'œuvre')
    await option(page, /œuvre/).click()
    await expect(page.getByText('Typed: <b>œuvre</b> ⟨U+202E⟩漢字').first()).toBeVisible()
    await page.getByRole('button', { name: 'Captions' }).click()
    const cue = () =>
      page.locator('video').evaluate((video: HTMLVideoElement) => {
        const cues = [...(video.textTracks[0]?.cues ?? [])] as VTTCue[]
        return cues.map((one) => one.getCueAsHTML()).find((one) => one.textContent.includes('œuvre'))?.textContent
      })
    await expect.poll(cue).toContain('<b>œuvre</b>')
    expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.textTracks[0]?.mode)).toBe('showing')
  })

  test('H-49 H-45: what was masked, missed, given and countersigned is said, each with its second', async ({ page }) => {
    await open(page)
    await page.getByRole('tab', { name: 'Session', exact: true }).click()
    for (const said of [
      'Emulated phone: Phone, 412 × 915',
      'Nobody steered from 0:14.000 to 0:19.500.',
      'Device 2 took control at 0:19.500.',
      'Not kept: huge.iso (too large)',
      'capture/page.har: 2 times',
      'It stood in no piece.',
      'The picture failed at 0:31.000; it went on afterwards.',
    ])
      await expect(page.getByText(said)).toBeVisible()
    await expect(page.getByText(/A\. Œuvre countersigned on .*: “I followed this session/)).toBeVisible()
    await page.getByRole('button', { name: '0:31.000: show in the recording' }).click()
    await expect.poll(() => second(page)).toBeCloseTo(31, 1)
  })

  test('the list names the kind of an evidence', async ({ page }) => {
    await holdReview(page, review.whole)
    await page.goto(address('/en/evidences/pending/'))
    await expect(page.getByText(/Asked .+\u00a0· Live session$/)).toBeVisible()
    await expect(page.locator('li img')).toHaveAttribute('src', '/files/test/viewport.svg')
  })

  test('V-27: where the robot comes no further, the same address is captured live', async ({ page }) => {
    const { preview } = states.to_validate
    const quality = { ...preview.quality, advice: ['interactive'] as const }
    await holdEvidence(page, {
      ...states.to_validate,
      preview: { ...preview, quality: { ...quality, advice: [...quality.advice] } },
    })
    const asked: unknown[] = []
    await page.route('**/evidences/', (route) => {
      asked.push(route.request().postDataJSON())
      return route.fulfill({ status: 429, json: { detail: 'busy', code: 'live.too_many_sessions' } })
    })
    await page.goto(capture())
    await page.getByRole('button', { name: 'Capture it live instead' }).click()
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    expect(asked).toEqual([{ url: 'https://example.com/', action: 'interactive', locale: 'en' }])
  })
})

// Each language, width and scheme once; the four pairs of language and width were looked at, in a scheme each, when this was made.
for (const [locale, width, colorScheme] of [
  ['fr', 360, 'dark'],
  ['en', 1280, 'light'],
] as const) {
  test.describe(`${locale}, ${width} px, ${colorScheme}`, () => {
    test.use({
      viewport: { width, height: width < 600 ? 780 : 900 },
      colorScheme,
      locale,
      contextOptions: { reducedMotion: 'reduce' },
    })
    test('S-38: the review of a session has nothing for axe', async ({ page }) => {
      await holdReview(page, review.whole)
      await page.goto(capture(locale))
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
      await page.getByRole('listbox').getByRole('option').nth(4).click()
      await isClean(page)
      const keep = (name: string) => keepPicture(page, `review-${name}-${locale}-${width}-${colorScheme}.png`)
      await keep('recording')
      for (const [n, name] of [
        [1, 'images'],
        [2, 'session'],
        [5, 'network'],
      ] as const) {
        await page.getByRole('tab').nth(n).click()
        await expect(page.getByRole('tabpanel').getByRole('heading', { level: 2 }).first()).toBeVisible()
        await isClean(page)
        await keep(name)
      }
    })

    test('S-33: whoever waits for a session sees each step of its preparation pass', async ({ page }) => {
      const preparing = { ...states.preparing, action: 'interactive' as const, phase: phase('preparing', { step: 'browser' }) }
      await holdEvidence(page, preparing)
      await page.goto(capture(locale))
      const steps = page
        .getByRole('list', { name: /^(Steps of the preparation|Étapes de la préparation)$/ })
        .getByRole('listitem')
      await expect(steps).toHaveCount(4)
      expect(await steps.evaluateAll((all) => all.map((one) => one.dataset['step']))).toEqual(['done', 'done', 'now', 'later'])
      await isClean(page)
      await keepPicture(page, `waiting-${locale}-${width}-${colorScheme}.png`)
    })

    test('a session of which nothing was recorded but that it was says so', async ({ page }) => {
      await holdReview(page, review.bare)
      await page.goto(capture(locale))
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
      await expect(page.locator('video')).toHaveCount(0)
      await isClean(page)
      await page.getByRole('tab').nth(2).click()
      await expect(page.getByRole('tabpanel').getByRole('heading', { level: 2 })).toHaveCount(5)
      await isClean(page)
    })
  })
}
