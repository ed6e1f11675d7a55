import { expect, type Page } from '@playwright/test'
import { pixelAt, playSession, shot, tab, type PlayedSession } from './fixtures/live-session.ts'
import { address, heldId, isClean, keepPicture, test } from './fixtures/pages.ts'

/** The viewer against a session that the test plays; the real one is met in interactive.spec.ts. */
const live = (locale = 'en', hash = '') => address(`/${locale}/capture/${heldId}/${hash}`)
const red = [254, 0, 0]
const blue = [0, 0, 254]
const near = (expected: readonly number[]) => (found: readonly number[]) =>
  found.every((value, i) => Math.abs(value - (expected[i] ?? 0)) < 40)
const keyboard = (page: Page) => page.getByLabel(/^(Keyboard of the remote page|Clavier de la page distante)$/)

async function open(
  page: Page,
  ...change: Parameters<typeof playSession> extends [Page, ...infer Rest] ? Rest : never
): Promise<PlayedSession> {
  const session = await playSession(page, ...change)
  await page.goto(live())
  await expect(page.locator('canvas')).toBeAttached()
  return session
}

/** Where a point of the picture is on the screen. */
async function onScreen(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('canvas').boundingBox()
  if (box === null) throw new Error('no picture')
  const scale = box.width / 1280
  return { x: box.x + x * scale, y: box.y + y * scale }
}

test.describe('at a desk', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('the picture is decoded, drawn and acknowledged; the mouse falls on the very pixel', async ({ page }) => {
    const session = await open(page)
    await expect.poll(async () => near(red)(await pixelAt(page, 640, 400))).toBe(true)
    await session.hears({ type: 'acknowledge', picture: 10 })
    session.show(2)
    await expect.poll(async () => near(blue)(await pixelAt(page, 10, 10))).toBe(true)
    expect(session.of('hello')[0]).toMatchObject({ ticket: 'a-ticket', video: 'h264', audio: false })
    const at = await onScreen(page, 640.5, 300.5)
    await page.mouse.click(at.x, at.y, { button: 'right' })
    await session.hears({ type: 'pointer', kind: 'up', button: 2 })
    const down = session.of('pointer').find(({ kind }) => kind === 'down')
    expect(Math.abs((down?.x ?? 0) - 640.5)).toBeLessThan(1)
    expect(Math.abs((down?.y ?? 0) - 300.5)).toBeLessThan(1)
    await page.mouse.wheel(0, 240)
    await expect
      .poll(() =>
        session
          .of('pointer')
          .filter(({ kind }) => kind === 'wheel')
          .reduce((sum, { dy }) => sum + dy, 0),
      )
      .toBeGreaterThan(240)
    // The strip below the page is not the page's.
    const strip = await onScreen(page, 300, 820)
    const clicks = session.of('pointer').length
    await page.mouse.click(strip.x, strip.y)
    await page.keyboard.press('Escape')
    await session.hears({ type: 'key', kind: 'up', code: 'Escape' })
    expect(
      session
        .of('pointer')
        .slice(clicks)
        .filter(({ kind }) => kind !== 'move'),
    ).toEqual([])
  })

  test('our zoom is ours alone, and the mouse still falls on the very pixel', async ({ page }) => {
    const session = await open(page)
    const at = await onScreen(page, 900, 200)
    await page.mouse.move(at.x, at.y)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -200)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await page.locator('canvas').boundingBox())?.width ?? 0).toBeGreaterThan(1500)
    await page.mouse.click(at.x, at.y)
    await session.hears({ type: 'pointer', kind: 'down' })
    const down = session.of('pointer').find(({ kind }) => kind === 'down')
    expect(Math.abs((down?.x ?? 0) - 900)).toBeLessThan(2)
    expect(Math.abs((down?.y ?? 0) - 200)).toBeLessThan(2)
    expect(session.of('pointer').filter(({ kind }) => kind === 'wheel')).toEqual([])
  })

  test('keys by place and meaning; text that arrives whole; what leaves the page again', async ({ page }) => {
    const session = await open(page)
    await page.mouse.click(640, 400)
    await expect(keyboard(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await session.hears({ type: 'key', kind: 'down', code: 'Tab', key: 'Tab' })
    await session.hears({ type: 'key', kind: 'down', code: 'KeyA', key: 'a', modifiers: 2 })
    await page.keyboard.type('aé')
    await session.hears({ type: 'key', kind: 'up', code: 'KeyA', key: 'a', modifiers: 0 })
    await session.hears({ type: 'text', text: 'é' })
    for (const text of ['ç', 'œ', '漢字', '👩🏽‍🚀']) {
      await page.keyboard.insertText(text)
      await session.hears({ type: 'text', text })
    }
    const client = await page.context().newCDPSession(page)
    await client.send('Input.imeSetComposition', { text: 'かん', selectionStart: 2, selectionEnd: 2 })
    await session.hears({ type: 'compose', text: 'かん' })
    await client.send('Input.insertText', { text: '漢' })
    await session.hears({ type: 'text', text: '漢' })
    await page.keyboard.down('Shift')
    await page.keyboard.press('F6')
    await expect(page.getByRole('button', { name: 'Capture the visible part' })).toBeFocused()
    await session.hears({ type: 'release' })
    expect(session.of('key').some(({ key }) => key === 'F6')).toBe(false)
  })

  test('X-42 what is pasted goes as one message, without asking for the clipboard; whether it came is told', async ({ page }) => {
    const session = await open(page)
    await page.mouse.click(640, 400)
    await keyboard(page).evaluate((field) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'Déjà vu\n漢字 🙂')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await session.hears({ type: 'paste', text: 'Déjà vu\n漢字 🙂', secret: false })
    session.say({ type: 'pasted', id: session.of('paste')[0]?.id ?? -1, result: 'no_field' })
    await expect(page.getByText('click a field of the page first')).toBeVisible()
    session.say({ type: 'pasted', id: session.of('paste')[0]?.id ?? -1, result: 'pasted' })
    await expect(page.getByText('Pasted.', { exact: true })).toBeVisible()
  })

  test('V-28 D-06: text is required; a secret is typed unseen and kept nowhere', async ({ page }) => {
    const session = await open(page)
    await page.getByRole('button', { name: 'Paste text' }).click()
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Enter the text to paste.' })).toBeVisible()
    await page.getByLabel('Text', { exact: true }).fill('two\nlines')
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await session.hears({ type: 'paste', text: 'two\nlines', secret: false })
    await page.getByRole('button', { name: 'Paste a secret' }).click()
    const field = page.getByLabel('Secret', { exact: true })
    await expect(field).toHaveAttribute('type', 'password')
    await field.fill('s3cret-œ')
    await page.getByRole('button', { name: 'Paste masked' }).click()
    await session.hears({ type: 'paste', text: 's3cret-œ', secret: true })
    const left = await page.evaluate(() =>
      [document.documentElement.outerHTML, ...Object.values(localStorage), ...Object.values(sessionStorage)].join(''),
    )
    expect(left).not.toContain('s3cret')
    session.say({ type: 'pasted', id: session.of('paste')[1]?.id ?? -1, result: 'pasted' })
    await expect(page.getByText('Secret pasted, masked.')).toBeVisible()
  })

  test('tabs and addresses: a scheme is added, what is wrong is said before it is sent', async ({ page }) => {
    const session = await open(page)
    session.say({ type: 'tabs', tabs: [tab('a'), tab('b', { active: true, back: true, title: 'Second\u202Ebat' })] })
    await expect(page.getByRole('button', { name: 'Second⟨U+202E⟩bat', exact: true })).toHaveAttribute('aria-current', 'true')
    await page.getByRole('button', { name: 'Page a', exact: true }).click()
    await session.hears({ type: 'tab', act: 'select', tab: 'a' })
    await page.getByRole('button', { name: 'Close the tab Page a' }).click()
    await session.hears({ type: 'tab', act: 'close', tab: 'a' })
    await page.getByRole('button', { name: 'Back' }).click()
    await session.hears({ type: 'history', to: 'back' })
    const field = page.getByRole('textbox', { name: 'Address of the page' })
    await field.fill('ftp://example.com/')
    await field.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'begins with http' })).toBeVisible()
    expect(session.of('navigate')).toEqual([])
    await field.fill('exemple.fr/é')
    await field.press('Enter')
    await session.hears({ type: 'navigate', url: 'https://exemple.fr/%C3%A9' })
    session.say({
      type: 'tabs',
      tabs: Array.from({ length: 8 }, (_, i) => tab(`t${i}`, { active: i === 7, title: 'A long title '.repeat(4) })),
    })
    await expect(page.getByRole('button', { name: 'Open a tab' })).toBeDisabled()
    // A new tab is opened to go somewhere: the address of the one before is not in its way.
    session.say({ type: 'tabs', tabs: [tab('a', { active: true })] })
    await page.getByRole('button', { name: 'Open a tab' }).click()
    await session.hears({ type: 'tab', act: 'new' })
    await expect(field).toBeFocused()
    session.say({ type: 'tabs', tabs: [tab('a'), tab('n', { active: true, title: '', url: 'about:blank' })] })
    await expect(field).toHaveValue('')
    await page.keyboard.type('exemple.fr/b')
    await page.keyboard.press('Enter')
    await session.hears({ type: 'navigate', url: 'https://exemple.fr/b' })
    await expect(keyboard(page)).toBeFocused()
  })

  test('X-43 X-44 screenshots are numbered, seen at once, and opened by a click; one that fails is told of', async ({ page }) => {
    const session = await open(page)
    await page.getByRole('button', { name: 'Capture the whole page' }).click()
    await session.hears({ type: 'screenshot', kind: 'full_page' })
    await expect(page.getByText('A screenshot is being taken')).toBeAttached()
    session.say({ type: 'screenshot_progress', id: session.of('screenshot')[0]?.id ?? -1, done: 2, of: 6 })
    await expect(page.getByRole('progressbar', { name: 'A screenshot is being taken' })).toHaveText('2 of 6')
    session.say({ type: 'screenshot', id: session.of('screenshot')[0]?.id ?? -1, screenshot: shot(1, { kind: 'full_page' }) })
    await expect(page.getByText('Screenshot 1 taken.')).toBeVisible()
    for (const [button, kind, number] of [
      ['Capture the visible part', 'viewport', 2],
      ['Capture the whole page', 'full_page', 3],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await expect.poll(() => session.of('screenshot').length).toBe(2 * number - 2)
      session.say({ type: 'screenshot_failed', id: session.of('screenshot').at(-1)?.id ?? -1, reason: 'no_page' })
      await expect(page.getByText('No screenshot: there is no page to capture.').last()).toBeVisible()
      await page.getByRole('button', { name: button }).click()
      await expect.poll(() => session.of('screenshot').length).toBe(2 * number - 1)
      session.say({ type: 'screenshot', id: session.of('screenshot').at(-1)?.id ?? -1, screenshot: shot(number, { kind }) })
      await expect(page.getByText(`Screenshot ${String(number)} taken.`)).toBeVisible()
    }
    await page.getByRole('button', { name: 'Screenshot 1, Whole page' }).click()
    await expect(page.getByRole('dialog').getByText('1:01 into the recording')).toBeVisible()
  })

  test('H-49 X-45: warnings are calm, ending is asked once, and what happens then is said', async ({ page }) => {
    const session = await open(page)
    session.say({ type: 'state', phase: 'capturing', remaining_ms: 119_000, recording: true })
    session.say({ type: 'notice', code: 'two_minutes', data: {} })
    await expect(page.getByRole('status').filter({ hasText: 'Two minutes left.' })).toBeVisible()
    await expect(page.getByRole('timer')).toHaveText(/^1:\d\d$/)
    session.say({ type: 'notice', code: 'thirty_seconds', data: {} })
    await expect(page.getByRole('alert').filter({ hasText: 'Thirty seconds left.' })).toBeVisible()
    // One at a time: the newer takes the place of the one before, which comes back if it is grave.
    await expect(page.getByText('Two minutes left.')).toHaveCount(0)
    session.say({ type: 'notice', code: 'reconnected', data: {} })
    await expect(page.getByRole('status').filter({ hasText: 'Reconnected.' })).toBeVisible()
    await expect(page.getByText('Thirty seconds left.')).toHaveCount(0)
    await page.getByRole('button', { name: 'Dismiss this notification' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Thirty seconds left.' })).toBeVisible()
    await page.getByRole('button', { name: 'End the session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay in the session' }).click()
    expect(session.of('quit')).toEqual([])
    await page.getByRole('button', { name: 'End the session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End and seal' }).click()
    await session.hears({ type: 'quit' })
    session.say({ type: 'state', phase: 'completing', remaining_ms: null, recording: false })
    await expect(page.getByRole('heading', { name: 'The session is over' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Capture the visible part' })).toBeDisabled()
  })

  test('a lost connection is taken up again, and nothing of the page is lost', async ({ page }) => {
    const session = await open(page, { screenshots: [shot(1)] })
    session.drop()
    await expect.poll(() => session.connections()).toBe(2)
    await expect(page.getByText('Reconnecting', { exact: false })).toHaveCount(0)
    session.show(2)
    await expect.poll(async () => near(blue)(await pixelAt(page, 640, 400))).toBe(true)
    await expect(page.getByRole('button', { name: 'Screenshot 1, Visible part' })).toBeVisible()
    await page.reload()
    await expect.poll(async () => near(red)(await pixelAt(page, 640, 400))).toBe(true)
    // The session is over: nobody knocks any more.
    session.drop(4000)
    await expect(page.getByRole('heading', { name: 'The session is over' })).toBeVisible()
    expect(session.connections()).toBe(3)
  })

  test('what the page asks for is answered or declined: a password, files', async ({ page }) => {
    const session = await open(page)
    session.say({ type: 'ask_credentials', id: 7, origin: 'https://example.com', realm: 'Office\u202E' })
    await expect(page.getByText('Office⟨U+202E⟩')).toBeVisible()
    await page.getByLabel('User name').fill('zoé')
    await page.getByLabel('Password', { exact: true }).fill('p@ss')
    await page.getByRole('button', { name: 'Log in' }).click()
    await session.hears({ type: 'credentials', id: 7, user: 'zoé', password: 'p@ss' })
    session.say({ type: 'ask_files', id: 8, multiple: true, accept: '' })
    const bytes = Buffer.alloc(150_000, 7)
    await page.locator('input[type=file]').setInputFiles([
      { name: 'œuvre.bin', mimeType: 'application/octet-stream', buffer: bytes },
      { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') },
    ])
    await page.getByRole('button', { name: 'Send 2 files' }).click()
    await session.hears({
      type: 'upload',
      id: 8,
      files: [
        { name: 'œuvre.bin', bytes: 150_000 },
        { name: 'b.txt', bytes: 1 },
      ],
    })
    await expect.poll(() => session.bytes.length).toBe(4)
    expect(session.bytes.map((piece) => [piece[0], piece.readUInt32BE(1), piece.readUInt16BE(5), piece.length - 7])).toEqual([
      [32, 8, 0, 65_536],
      [32, 8, 0, 65_536],
      [32, 8, 0, 18_928],
      [32, 8, 1, 1],
    ])
    session.say({ type: 'ask_files', id: 9, multiple: false, accept: 'image/*' })
    await expect(page.locator('input[type=file][accept="image/*"]')).toBeVisible()
    await page.keyboard.press('Escape')
    await session.hears({ type: 'decline', id: 9 })
  })

  test('who looks on can take control; who loses it knows', async ({ page }) => {
    const session = await open(page, { role: 'watcher' })
    session.say({ type: 'viewers', controllers: 1, watchers: 1, witnesses: [] })
    await expect(page.getByText('another device is steering')).toBeVisible()
    await isClean(page)
    await page.mouse.click(640, 400)
    await page.getByRole('button', { name: 'Take control' }).click()
    await session.hears({ type: 'take_control' })
    expect(session.of('pointer')).toEqual([])
    session.say({ type: 'role', role: 'controller' })
    await expect(page.getByText('You have control.')).toBeVisible()
    session.say({ type: 'role', role: 'watcher' })
    await expect(page.getByText('Another device has taken control; you are looking on.')).toBeVisible()
  })

  test('handed over by a link: the server gets a sealed token, and the other device opens it', async ({ page }) => {
    const session = await open(page)
    const asked = page.waitForRequest('**/hand_off/')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Continue on another device' }).click()
    const body = (await asked).postDataJSON() as { sealed_token: string }
    expect(body.sealed_token).not.toContain('test-token')
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
    await page.evaluate(() => {
      navigator.clipboard.writeText = (text) => {
        document.body.dataset['copied'] = text
        return Promise.resolve()
      }
    })
    await page.getByRole('button', { name: 'Copy: link to this session' }).click()
    await isClean(page, 'dialog[open]')
    const link = (await page.locator('body').getAttribute('data-copied')) ?? ''
    expect(link).toMatch(/#hand-off=[\w-]{43}\.[\w-]{43}$/)
    expect(session.connections()).toBe(1)
    // Another device: it holds nothing yet.
    const context = await page.context().browser()?.newContext()
    const other = await context?.newPage()
    if (context === undefined || other === undefined) throw new Error('no other device')
    const taken = await playSession(other)
    await other.addInitScript(() => localStorage.clear())
    await other.route('**/hand_off/*/', (route) =>
      route.fulfill({ json: { evidence_id: heldId, sealed_token: body.sealed_token } }),
    )
    await other.goto(link)
    const here = other.getByRole('button', { name: 'Continue here' })
    await expect(here).toBeVisible()
    expect(taken.connections()).toBe(0)
    await isClean(other)
    await here.click()
    await expect.poll(() => taken.connections()).toBe(1)
    await expect(other).not.toHaveURL(/hand-off/)
    expect(await other.evaluate(() => localStorage.getItem('probant.held'))).toContain('test-token-of-the-visitor')
    await context.close()
  })

  test('a witness looks on without the draft’s key, and countersigns', async ({ page }) => {
    const session = await playSession(page, { role: 'witness' })
    await page.addInitScript(() => localStorage.clear())
    await page.goto(live('en', `#witness=${'A'.repeat(43)}`))
    await expect(page.getByText('You are present as a witness: Maître Œuvre.', { exact: false })).toBeVisible()
    await expect.poll(async () => near(red)(await pixelAt(page, 640, 400))).toBe(true)
    await expect(page.getByRole('button', { name: 'End the session' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Countersign' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Countersign' }).click()
    await expect(dialog.getByText('Enter your name.')).toBeVisible()
    await isClean(page)
    await dialog.getByLabel('Your name').fill('Zoé Œuvre')
    await dialog.getByRole('button', { name: 'Countersign' }).click()
    await session.hears({ type: 'countersign', name: 'Zoé Œuvre', statement: 'I followed this session as it happened.' })
    session.say({ type: 'countersigned', name: 'Zoé Œuvre', at: new Date().toISOString() })
    await expect(page.getByText('Countersigned by Zoé Œuvre.')).toBeVisible()
  })

  test.describe('a browser that does not decode H.264', () => {
    test('gets pictures one by one', async ({ page }) => {
      await page.addInitScript(() => Object.assign(globalThis, { VideoDecoder: undefined }))
      const session = await open(page)
      await session.hears({ type: 'hello', video: 'jpeg' })
      session.showJpeg('green', 40)
      await session.hears({ type: 'acknowledge', picture: 40 })
      // As a session shows it: what stands still comes again and again. Of one drawn before the window's first frame the browser shows nothing.
      let number = 40
      const seen = async () => {
        session.showJpeg('green', (number += 1))
        return near([0, 128, 0])(await pixelAt(page, 640, 400))
      }
      await expect.poll(seen).toBe(true)
    })
  })
})

/** What is said to whoever does not see the picture: by regions that are there before they have anything to say. */
test('the picture has words: where the page is, which tab, what happens and what is lost', async ({ page }) => {
  const session = await open(page)
  const regions = () =>
    page
      .locator('[role=status], [role=alert]')
      .evaluateAll((all) => all.map((one) => one.textContent).filter((text) => text !== ''))
  await page.locator('main').evaluate((main) => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    // Of the regions as they are now: one that comes with its words already in it is not read out everywhere.
    const known = [...main.querySelectorAll('[role=status], [role=alert]')]
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const at = target instanceof Element ? target : target.parentElement
        const region = known.find((one) => one.contains(at))
        const text = region?.textContent ?? ''
        if (text !== '' && said.at(-1) !== text) said.push(text)
      }
    }).observe(main, { subtree: true, childList: true, characterData: true })
  })
  const heard = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
  const first = 'The page shows: Œuvre – a page, https://example.com/a'
  await expect.poll(regions).toContainEqual(first)
  await expect(page.getByRole('img', { name: 'Picture of the remote page: Œuvre – a page' })).toHaveAccessibleDescription(
    'Title: Œuvre – a page. Address: https://example.com/a. The page has loaded.',
  )
  session.say({ type: 'tabs', tabs: [tab('a'), tab('b', { active: true })] })
  await expect.poll(heard).toContainEqual('The page shows: Page b, https://example.com/b. Tab 2 of 2.')
  session.say({ type: 'tabs', tabs: [tab('a'), tab('b', { active: true, failure: 'net::ERR_FAILED' })] })
  await expect.poll(heard).toContainEqual(expect.stringContaining('https://example.com/b did not load'))
  await expect(page.getByRole('img', { name: 'Picture of the remote page: Page b' })).toHaveAccessibleDescription(/did not load/)
  session.say({ type: 'notice', code: 'two_minutes', data: {} })
  await expect.poll(heard).toContainEqual('Two minutes left.')
  session.say({ type: 'notice', code: 'page_crashed', data: {} })
  await expect.poll(heard).toContainEqual(expect.stringContaining('The page crashed'))
  // Of two fields for the keyboard the one that is in use is there.
  await expect(page.getByRole('textbox', { name: /^(Keyboard of|Password for) the remote page$/ })).toHaveCount(1)
  session.say({ type: 'state', phase: 'completing', remaining_ms: 120_000, recording: false })
  await expect.poll(heard).toContainEqual(expect.stringContaining('The session is over'))
  await expect(page.getByRole('timer', { name: 'The time no longer runs' })).toHaveText('–:––')
  // What had passed by is among what happened.
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Two minutes left.' })).toBeVisible()
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 })

  test('tap, scroll and two fingers; the keyboard is offered when a field has the focus', async ({ page }) => {
    const session = await open(page)
    // A page begins at a size at which it can be read, from its corner; all of it is seen when wished.
    await expect.poll(async () => (await page.locator('canvas').boundingBox())?.width ?? 0).toBeGreaterThan(750)
    expect(Math.abs((await page.locator('canvas').boundingBox())?.x ?? -1)).toBeLessThan(2)
    const at = await onScreen(page, 400, 300)
    await page.touchscreen.tap(at.x, at.y)
    await session.hears({ type: 'pointer', kind: 'up', button: 0 })
    const up = session.of('pointer').find(({ kind }) => kind === 'up')
    expect(Math.abs((up?.x ?? 0) - 400)).toBeLessThan(4)
    const client = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number; id?: number }[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints })
    await touch('touchStart', [{ x: at.x, y: at.y }])
    await touch('touchMove', [{ x: at.x, y: at.y - 30 }])
    await touch('touchMove', [{ x: at.x, y: at.y - 60 }])
    await touch('touchEnd', [])
    await expect
      .poll(() =>
        session
          .of('pointer')
          .filter(({ kind }) => kind === 'wheel')
          .reduce((sum, { dy }) => sum + dy, 0),
      )
      .toBeGreaterThan(90)
    const width = async () => (await page.locator('canvas').boundingBox())?.width ?? 0
    const before = await width()
    const sent = session.of('pointer').length
    await touch('touchStart', [
      { x: at.x - 20, y: at.y, id: 1 },
      { x: at.x + 20, y: at.y, id: 2 },
    ])
    await touch('touchMove', [
      { x: at.x - 60, y: at.y, id: 1 },
      { x: at.x + 60, y: at.y, id: 2 },
    ])
    await touch('touchEnd', [])
    await expect.poll(width).toBeGreaterThan(before * 2.5)
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    expect(
      session
        .of('pointer')
        .slice(sent)
        .filter(({ kind }) => kind === 'wheel'),
    ).toEqual([])
    // Zoomed, a tap still falls on the very pixel.
    const zoomed = await onScreen(page, 420, 280)
    await page.touchscreen.tap(zoomed.x, zoomed.y)
    await expect.poll(() => Math.abs((session.of('pointer').findLast(({ kind }) => kind === 'up')?.x ?? 0) - 420)).toBeLessThan(2)
    session.say({ type: 'focus', editable: true, input_mode: 'email', masked: false })
    await expect(keyboard(page)).toBeFocused()
    await expect(keyboard(page)).toHaveAttribute('inputmode', 'email')
    // As keyboards on screens write: no keys, only what the field becomes.
    await page.keyboard.insertText('é')
    await session.hears({ type: 'text', text: 'é' })
    await keyboard(page).evaluate((field) => {
      if (!(field instanceof HTMLTextAreaElement)) return
      field.value = `${field.value.slice(0, -1)}ê`
      field.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText' }))
    })
    await session.hears({ type: 'key', kind: 'down', code: 'Backspace' })
    await session.hears({ type: 'text', text: 'ê' })
    // A password: a field whose words no keyboard learns, and nothing stays in it.
    session.say({ type: 'focus', editable: true, input_mode: 'text', masked: true })
    const secret = page.getByLabel('Password for the remote page')
    await expect(secret).toBeFocused()
    await page.keyboard.insertText('ß')
    await session.hears({ type: 'text', text: 'ß' })
    expect(
      await page
        .locator('textarea, input')
        .evaluateAll((fields) => fields.some((field) => 'value' in field && String(field.value).includes('ß'))),
    ).toBe(false)
    session.say({ type: 'focus', editable: false, input_mode: '', masked: false })
    await expect(secret).not.toBeFocused()
    await expect(keyboard(page)).not.toBeFocused()
    await page.getByRole('button', { name: 'Open the keyboard' }).tap()
    await expect(keyboard(page)).toBeFocused()
  })

  test('on an emulated phone a finger is a finger', async ({ page }) => {
    const session = await open(page, { mobile: { width: 412, height: 785 } })
    const box = await page.getByRole('img', { name: /^Picture of the remote page/ }).boundingBox()
    if (box === null) throw new Error('no picture')
    expect(Math.abs(box.width / box.height - 412 / 785)).toBeLessThan(0.01)
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 4)
    await session.hears({ type: 'touch', kind: 'end', points: [] })
    const [start] = session.of('touch')
    expect(start?.kind).toBe('start')
    expect(Math.abs((start?.points[0]?.x ?? 0) - 206)).toBeLessThan(2)
    expect(Math.abs((start?.points[0]?.y ?? 0) - 785 / 4)).toBeLessThan(2)
    expect(session.of('pointer')).toEqual([])
  })

  test('every control is at least 44 pixels high, upright and on its side, and nothing scrolls sideways', async ({ page }) => {
    const session = await open(page, { screenshots: [shot(1), shot(2)] })
    session.say({ type: 'tabs', tabs: [tab('a'), tab('b', { active: true })] })
    for (const size of [
      { width: 360, height: 780 },
      { width: 780, height: 360 },
    ]) {
      await page.setViewportSize(size)
      await expect(page.getByRole('button', { name: 'Page b', exact: true })).toBeVisible()
      const small = await page
        .locator('button:visible, input:visible')
        .evaluateAll((all) =>
          all
            .filter((element) => element.getBoundingClientRect().height < 43.5)
            .map((element) => element.outerHTML.slice(0, 120)),
        )
      expect(small).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      expect((await page.locator('canvas').boundingBox())?.height ?? 0).toBeGreaterThan(120)
    }
  })
})

for (const [locale, scheme, width, height] of [
  ['en', 'dark', 1280, 800],
  ['fr', 'light', 360, 780],
] as const) {
  test(`axe finds nothing in the session and its dialogs: ${locale}, ${width} px, ${scheme}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    const session = await playSession(page, { screenshots: [shot(1), shot(2, { kind: 'full_page' })] })
    await page.goto(live(locale))
    await expect(page.locator('canvas')).toBeAttached()
    session.say({
      type: 'tabs',
      tabs: [tab('a'), tab('b', { active: true, loading: true }), tab('c', { failure: 'net::ERR_NAME_NOT_RESOLVED' })],
    })
    session.say({ type: 'viewers', controllers: 1, watchers: 1, witnesses: ['Maître Œuvre'] })
    session.say({ type: 'picture_quality', level: 'coarser', frames_per_second: 8, side: 'ours' })
    // A whole page that advances, one that was refused, and a picture that comes late because of us.
    await page.getByRole('button', { name: locale === 'fr' ? 'Capturer la page entière' : 'Capture the whole page' }).click()
    await session.hears({ type: 'screenshot', kind: 'full_page' })
    session.say({ type: 'screenshot_progress', id: session.of('screenshot')[0]?.id ?? -1, done: 2, of: 6 })
    await expect(page.getByRole('progressbar')).toHaveText(locale === 'fr' ? '2 sur 6' : '2 of 6')
    session.say({ type: 'notice', code: 'server_slow', data: {} })
    session.say({ type: 'screenshot_failed', id: 0, reason: 'no_answer' })
    const refusal = page.getByRole('alert').getByText(locale === 'fr' ? 'Pas de capture' : 'No screenshot:')
    await expect(refusal).toBeVisible()
    await expect(page.getByText(locale === 'fr' ? 'Notre serveur est saturé' : 'Our server is very busy')).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'refused.png')
    session.say({ type: 'notice', code: 'thirty_seconds', data: {} })
    session.say({ type: 'notice', code: 'download_kept', data: { name: 'rapport\u202E.pdf', bytes: 12_345 } })
    await expect(page.getByText('rapport⟨U+202E⟩.pdf', { exact: false })).toBeVisible()
    await isClean(page)
    const dialog = page.getByRole('dialog')
    const check = async () => {
      await expect(dialog).toBeVisible()
      await isClean(page, 'dialog[open]')
    }
    const leave = async () => {
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    const fr = locale === 'fr'
    await page.getByRole('button', { name: fr ? 'Coller du texte' : 'Paste text' }).click()
    await dialog.locator('button[type=submit]').click()
    await check()
    await leave()
    const more = page.getByRole('button', { name: fr ? 'Plus' : 'More', exact: true })
    for (const name of fr
      ? ['Coller un secret', 'Continuer sur un autre appareil', 'Inviter un témoin']
      : ['Paste a secret', 'Continue on another device', 'Invite a witness']) {
      await more.click()
      if (name === (fr ? 'Coller un secret' : 'Paste a secret')) await check()
      await dialog.getByRole('button', { name }).click()
      if (/témoin|witness/.test(name)) {
        await dialog.getByRole('textbox').fill('Maître Œuvre')
        await dialog.locator('button[type=submit]').click()
        await expect(dialog.getByRole('listitem')).toHaveCount(1)
      }
      if (/appareil|device|témoin|witness/.test(name)) await expect(dialog.getByRole('img')).toBeVisible()
      await check()
      await leave()
    }
    await page.getByRole('button', { name: fr ? 'Terminer la session' : 'End the session' }).click()
    await check()
    await keepPicture(page, 'end.png')
    await leave()
    await page
      .getByRole('button', { name: fr ? /^Capture n°/ : /^Screenshot 1/ })
      .first()
      .click()
    await check()
    await leave()
    // Made of the same parts as those above: at one width.
    if (width < 600) {
      session.say({ type: 'ask_credentials', id: 1, origin: 'https://example.com', realm: 'x' })
      await check()
      await leave()
      session.say({ type: 'ask_files', id: 2, multiple: true, accept: '' })
      await check()
      await leave()
    }
    session.say({ type: 'state', phase: 'completing', remaining_ms: null, recording: false })
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await isClean(page)
  })
}
