import { expect } from '@playwright/test'
import type { Evidence } from '../modules/evidence/contract/evidence.ts'
import { heldToken } from './fixtures/evidence.ts'
import {
  address,
  applicationStands,
  heldId,
  holdEvidence,
  isClean,
  keepPicture,
  sentPageIsGone,
  states,
  test,
} from './fixtures/pages.ts'

const capture = address.bind(null, `/en/capture/${heldId}/`)
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const event = (id: number, evidence: unknown) => `id: ${id}\nevent: evidence\ndata: ${JSON.stringify(evidence)}\n\n`

test('the live page follows events, and takes up after the last one it saw when the stream breaks', async ({ page }) => {
  await holdEvidence(page, states.queued)
  const seen: (string | null)[] = []
  await page.route(`**/evidences/${heldId}/events/`, async (route) => {
    const headers = await route.request().allHeaders()
    expect(headers['x-evidence-token']).toBeTruthy()
    seen.push(headers['last-event-id'] ?? null)
    const body = seen.length === 1 ? event(4, states.capturing) : event(5, states.to_validate)
    await route.fulfill({ contentType: 'text/event-stream', body })
  })
  await page.goto(capture())
  await expect(page.getByText('Visiting and recording').last()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Review before you agree' })).toBeVisible()
  expect(seen.slice(0, 2)).toEqual([null, '4'])
  // What appeared has the focus, so that nobody is left on a page that is gone.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a failed decision says so, keeps the draft, and can be tried again', async ({ page }) => {
  await holdEvidence(page, states.to_validate)
  let attempts = 0
  await page.route(`**/evidences/${heldId}/agree/`, (route) => {
    attempts += 1
    const error = { code: 'http.unavailable', message: 'The service is unavailable.', fields: {}, data: {}, request_id: 'req-1' }
    return attempts === 1 ? route.fulfill({ status: 503, json: error }) : route.fulfill({ json: states.finalizing })
  })
  await page.goto(capture())
  const agree = page.getByRole('button', { name: 'Agree and get the report' })
  await agree.click()
  await expect(page.getByRole('alert').filter({ hasText: 'req-1' })).toBeVisible()
  await agree.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Preparing your report' })).toBeVisible()
})

test('C-29: the preview of the report is followed while it is printed; what failed is printed again when asked', async ({
  page,
}) => {
  await holdEvidence(page, states.to_validate)
  let status: 'waiting' | 'printing' | 'failed' | 'ready' = 'waiting'
  const asked: (string | null)[] = []
  await page.route(`**/evidences/${heldId}/pdf_preview/*`, (route) => {
    const { searchParams } = new URL(route.request().url())
    expect(searchParams.get('language')).toBe('en')
    asked.push(searchParams.get('again'))
    if (searchParams.get('again') === 'true') status = 'waiting'
    const ready =
      status === 'ready' ? { pdf_preview: '/files/test/preview.pdf', bytes: 1_048_576 } : { pdf_preview: null, bytes: null }
    return route.fulfill({
      json: { status, since: new Date().toISOString(), file_name: 'preview.pdf', document: null, ...ready },
    })
  })
  await page.goto(capture())
  const tab = page.getByRole('tab', { name: 'Report', exact: true })
  await expect(tab).toBeVisible()
  // Nothing is printed for who does not look.
  expect(asked).toEqual([])
  await tab.click()
  const said = page.getByRole('tabpanel').getByRole('status')
  await expect(said).toHaveText('The report is waiting to be printed.')
  await isClean(page)
  status = 'printing'
  await expect(said).toHaveText('The report is being printed.')
  status = 'failed'
  await expect(page.getByRole('alert').filter({ hasText: 'could not be printed' })).toBeVisible()
  await isClean(page)
  await page.getByRole('tabpanel').getByRole('button').click()
  await expect(said).toHaveText('The report is waiting to be printed.')
  status = 'ready'
  await expect(page.getByRole('link', { name: /^Download \(1/ })).toHaveAttribute('href', '/files/test/preview.pdf')
  expect(asked.filter((again) => again === 'true')).toHaveLength(1)
})

test('without a network the form keeps what was typed and says what to do', async ({ page }) => {
  await page.route('**/evidences/', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.goto(address('/en/'))
  await page.getByLabel('Address of the page').fill('example.com/a')
  await page.getByRole('button', { name: 'Capture this page' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'could not be reached' })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Address of the page')).toHaveValue('example.com/a')
})

test('C-00: the anonymous call carries no authorisation and no cookie', async ({ page }) => {
  await page.goto(address('/en/'))
  let headers: Record<string, string> = {}
  await page.route('**/evidences/', async (route) => {
    headers = await route.request().allHeaders()
    await route.abort()
  })
  await page.getByLabel('Address of the page').fill('example.com')
  await page.getByRole('button', { name: 'Capture this page' }).click()
  await expect.poll(() => headers['content-type']).toBe('application/json')
  expect(headers['authorization']).toBeUndefined()
  expect(headers['cookie']).toBeUndefined()
})

test.describe('images', () => {
  test('zoom by keyboard, buttons and wheel; drag with the mouse; tall pages in pieces without a gap', async ({ page }) => {
    await holdEvidence(page, states.to_validate)
    await page.goto(capture())
    const frame = page.getByRole('group', { name: /^Whole page/ })
    await expect(frame).toBeVisible()
    const canvas = frame.locator('> div')
    const width = () => canvas.evaluate((element) => element.getBoundingClientRect().width)
    const boxes = await canvas
      .locator('img')
      .evaluateAll((images) => images.map((image) => image.getBoundingClientRect().toJSON() as DOMRect))
    expect(boxes).toHaveLength(2)
    expect(Math.abs((boxes[0]?.bottom ?? 0) - (boxes[1]?.top ?? 9))).toBeLessThan(0.6)
    const fit = await width()
    await frame.focus()
    await page.keyboard.press('+')
    await expect.poll(width).toBeCloseTo(fit * 1.25, -1)
    await page.keyboard.press('0')
    await expect.poll(width).toBeCloseTo(fit, 0)
    await page.getByRole('button', { name: 'Actual size' }).first().click()
    await expect.poll(width).toBe(1280)
    await frame.scrollIntoViewIfNeeded()
    const box = await frame.boundingBox()
    if (box === null) throw new Error('no frame')
    await page.mouse.move(box.x + 300, box.y + 300)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 100, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => frame.evaluate((element) => element.scrollTop)).toBeGreaterThan(150)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -300)
    await page.keyboard.up('Control')
    await expect.poll(width).toBeGreaterThan(1500)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })

  test('two fingers zoom the image and not the page', async ({ page }) => {
    await holdEvidence(page, states.to_validate)
    await page.goto(capture())
    const frame = page.getByRole('group', { name: /^Whole page/ })
    await frame.scrollIntoViewIfNeeded()
    const box = await frame.boundingBox()
    if (box === null) throw new Error('no frame')
    const width = () => frame.locator('> div').evaluate((element) => element.getBoundingClientRect().width)
    const before = await width()
    const client = await page.context().newCDPSession(page)
    const middle = { x: box.x + box.width / 2, y: box.y + 60 }
    const fingers = (apart: number) => [
      { x: middle.x - apart, y: middle.y, id: 1 },
      { x: middle.x + apart, y: middle.y, id: 2 },
    ]
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(20) })
    for (const apart of [30, 40, 60])
      await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) })
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(width).toBeGreaterThan(before * 2.5)
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
  })

  test('every control is at least 44 pixels high', async ({ page }) => {
    await holdEvidence(page, states.to_validate)
    for (const path of ['/en/', '/fr/evidences/pending/', `/fr/capture/${heldId}/`, '/en/proofs/']) {
      await page.goto(address(path))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // A page that was sent goes while one measures it: what is gone is of no height.
      await sentPageIsGone(page)
      const small = await page
        .locator('button:visible, [role=tab]:visible, input:not([type=file]):visible')
        .evaluateAll((all) =>
          all
            .filter((element) => element.getBoundingClientRect().height < 43.5)
            .map((element) => element.outerHTML.slice(0, 120)),
        )
      expect(small, path).toEqual([])
    }
  })
})

test.describe('after a deployment', () => {
  test.use({ expected: /a part of the application could not be loaded/ })

  test('X-03 K-32: a chunk that cannot be loaded reloads the page once, then shows the error', async ({ page }) => {
    await page.goto(address('/en/'))
    await applicationStands(page)
    await page.route('**/assets/GuidePage-*.js', (route) => route.abort())
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'User guide' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Oops... an unknown error occurred!' })).toBeVisible()
    expect(loads).toBe(1)
  })
})

test('an anchor in a test network is never shown without saying that it proves nothing to outsiders', async ({ page }) => {
  const words = /proves nothing to outsiders/
  await holdEvidence(page, states.anchor_test)
  await page.goto(capture())
  await expect(page.getByText('Anchored in block')).toBeVisible()
  await expect(page.getByRole('note').filter({ hasText: words })).toBeVisible()
  await expect(page.getByText('In Bitcoin, without an end')).toHaveCount(0)
  await page.goto(address('/en/evidences/completed/'))
  await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByText('In Bitcoin, without an end')).toHaveCount(0)
})

const said = {
  en: {
    address: 'Address of the page',
    capture: 'Capture this page',
    unreached: 'The server could not be reached. Check your connection and try again.',
    live: 'Capturing the page',
    minute: 'Can take about a minute',
    late: 'It takes longer than usual, and goes on by itself.',
    unread: 'The capture could not be read',
    kept: 'What the server holds is untouched.',
    retry: 'Try again',
    tenMinutes: /The final report is usually available within 10 minutes\.$/,
    lateReport:
      'It takes longer than usual at the moment, and goes on by itself. What was captured is sealed and stays as it is.',
    gone: 'This capture no longer exists',
  },
  fr: {
    address: 'Adresse de la page',
    capture: 'Capturer cette page',
    unreached: 'Le serveur est injoignable. Vérifiez votre connexion, puis réessayez.',
    live: 'Capture de la page',
    minute: 'Peut durer environ une minute',
    late: 'Cela dure plus longtemps que d’habitude, et continue sans vous.',
    unread: 'La capture n’a pas pu être lue',
    kept: 'Ce que conserve le serveur est intact.',
    retry: 'Réessayer',
    tenMinutes: /Le rapport final est en général disponible dans les 10 minutes\.$/,
    lateReport:
      'Cela dure en ce moment plus longtemps que d’habitude, et continue sans vous. Ce qui a été capturé est scellé et reste tel quel.',
    gone: 'Cette capture n’existe plus',
  },
} as const

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const) {
  test.describe(`in ${locale}, ${String(width)} px`, () => {
    test.use({ locale, viewport: { width, height: 800 }, contextOptions: { reducedMotion: 'reduce' } })
    const say = said[locale]

    test('X-38 X-39 K-02 K-25: of a capture that is asked for and read, both success and failure are told; and how long the browser and the report take, or that they take longer', async ({
      page,
    }) => {
      let [now, seconds]: [Evidence, number] = [states.preparing, 5]
      // Read whenever it is, its phase has lasted as long as the scene wants.
      const read = (): Evidence => ({ ...now, phase: { ...now.phase, since: ago(seconds) } })
      let answer: 'it' | 'nothing' | 'gone' = 'it'
      await holdEvidence(page, read())
      await page.route(`**/evidences/${heldId}/`, async (route) => {
        const code = { code: 'evidence.not_found', message: '', fields: {}, data: {}, request_id: 'r' }
        if (answer === 'it') await route.fulfill({ json: read() })
        else if (answer === 'gone') await route.fulfill({ status: 404, json: code })
        else await route.abort()
      })
      let reached = false
      await page.route('**/evidences/', async (route) => {
        if (route.request().method() !== 'POST') await route.fallback()
        else if (reached) await route.fulfill({ status: 201, json: { evidence: read(), evidence_token: heldToken } })
        else await route.abort()
      })
      await page.goto(address(`/${locale}/`))
      const field = page.getByLabel(say.address)
      await field.fill('example.com')
      await page.getByRole('button', { name: say.capture }).click()
      await expect(page.getByRole('alert').filter({ hasText: say.unreached })).toBeVisible()
      await expect(field).toHaveValue('example.com')
      reached = true
      await page.getByRole('button', { name: say.capture }).click()
      await expect(page.getByRole('heading', { level: 1, name: say.live })).toBeVisible()
      await expect(page.getByText(say.minute)).toBeVisible()
      await expect(page.getByText(say.late)).toHaveCount(0)
      await isClean(page)
      await keepPicture(page, 'preparing.png')

      answer = 'nothing'
      await page.reload()
      const alert = page.getByRole('alert').filter({ hasText: say.unread })
      await expect(alert).toContainText(say.kept)
      await isClean(page)
      await keepPicture(page, 'unread.png')
      // A minute later than it began.
      seconds = 61
      answer = 'it'
      await alert.getByRole('button', { name: say.retry }).click()
      await expect(page.getByText(say.late)).toBeVisible()
      await expect(page.getByText(say.minute)).toHaveCount(0)

      now = states.finalizing
      seconds = 5
      await page.reload()
      await expect(page.getByText(say.tenMinutes)).toBeVisible()
      await expect(page.getByText(say.lateReport)).toHaveCount(0)
      seconds = 601
      await page.reload()
      await expect(page.getByText(say.lateReport)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'late.png')

      answer = 'gone'
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: say.gone })).toBeVisible()
    })
  })
}
