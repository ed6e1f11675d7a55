import { array, constantFrom, oneof, sample, string } from '../../../../../testing/fast-check.ts'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import type { LiveOutput } from '../../../contract/live.ts'
import { defaultCaptureLimits } from '../../../../capture/domain/outcome/limits.ts'
import { createActionLog } from '../../../../capture/server/page/action-log.ts'
import { prepareSession, type PreparedSession } from '../../../../capture/server/session/prepare-session.ts'
import { steeredBrowser, type SteeredBrowser } from '../tabs/steered-browser.ts'
import { createPageAsks } from '../wishes/answer-page.ts'
import { findFocus } from '../fields/find-focus.ts'
import { keyNumber, isForbiddenShortcut, textOfKey } from './key-codes.ts'
import { maskField } from '../fields/mask-field.ts'
import { createKeyboard } from './press-keys.ts'
import { createSecrets } from '../fields/secrets.ts'
import type { Tab } from '../tabs/tab.ts'
import { silentEvents } from '../tabs/tabs.ts'
import { openTimeline } from '../timeline/timeline.ts'

let session: PreparedSession<SteeredBrowser>
let folder: string
let tab: Tab
const keyboard = createKeyboard()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-keys-'))
  const actions = createActionLog(systemClock)
  session = await prepareSession(
    { kind: steeredBrowser, locale: 'fr', recordDir: join(folder, 'record'), limits: defaultCaptureLimits, allowAddresses: [] },
    { clock: systemClock, signal: new AbortController().signal, isolationOverride: false },
    { state: { browser: null, page: null, tooLarge: false }, actions, log: silentLog },
  )
  tab = session.stage.tabs.first
  await tab.session.send('Page.bringToFront')
}, 60_000)
afterAll(async () => {
  await session.release()
  await rm(folder, { recursive: true, force: true })
})

const evaluate = async <T>(expression: string): Promise<T> =>
  (await tab.session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value as T
/** A page of its own, whose fields nobody else has. */
const show = async (body: string): Promise<void> => {
  await evaluate(`document.body.innerHTML = ${JSON.stringify(body)}; document.querySelector('#f')?.focus()`)
}

const ordinary = string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
const scripts = array(
  constantFrom(
    'é',
    'œ',
    'ß',
    '漢',
    '字',
    'שלום',
    'مرحبا',
    '\u202e',
    'e\u0301\u0323',
    '👩‍👩‍👧',
    '🇫🇷',
    '\u200d',
    '\u00a0',
    '"',
    '\\',
    '\t',
    "'",
    '<b>',
  ),
  { minLength: 1, maxLength: 20 },
).map((parts) => parts.join(''))
const strings = oneof(ordinary, scripts).map((text) => text.replaceAll(/[\u0000\r\n]/g, ' ').toWellFormed())

test('C-37: what is pasted and composed arrives exactly, whatever script it is in', { timeout: 180_000 }, async () => {
  const { display } = session.stage
  if (display === null) throw new Error('no display')
  await show('<textarea id="f"></textarea>')
  const take = () => evaluate<string>(`(() => { const f = document.querySelector('#f'), v = f.value; f.value = ''; return v })()`)
  const all = sample(strings, { numRuns: 1_000, seed: 5 })
  const wrong: unknown[] = []
  for (const [i, text] of all.entries()) {
    if (i % 25 === 0) {
      await display.setClipboard(text)
      await keyboard.paste(tab.session)
    } else if (i % 2 === 0) await keyboard.type(tab.session, text)
    else {
      // As an input method does it: part of it, all of it, then the text itself in its place.
      await keyboard.compose(tab.session, text.slice(0, 1).toWellFormed(), 0, 1)
      await keyboard.compose(tab.session, text, text.length, text.length)
      await keyboard.type(tab.session, text)
    }
    const value = await take()
    if (value !== text) wrong.push([i, text, value])
  }
  expect(wrong).toEqual([])
})

test('C-37: keys type by what they mean on their layout, and shortcuts of the browser are nobody’s', async () => {
  await show('<input id="f">')
  const press = async (code: string, key: string, modifiers = 0) => {
    for (const kind of ['down', 'up'] as const)
      await keyboard.press(tab.session, { type: 'key', kind, code, key, modifiers, repeat: false })
  }
  // AZERTY: the key where a Q lies types an a; AltGr+0 is @ and comes with Control and Alt on some systems.
  await press('KeyQ', 'a')
  await press('Digit2', 'é')
  await press('Digit0', '@', 3)
  await press('KeyE', '€', 0)
  await press('KeyX', 'X', 8)
  expect(await evaluate('f.value')).toBe('aé@€X')
  await press('KeyQ', 'a', 2)
  await press('KeyC', 'c', 2)
  await press('End', 'End')
  await press('KeyV', 'v', 2)
  expect(await evaluate('f.value')).toBe('aé@€Xaé@€X')
  await press('KeyW', 'z', 2)
  expect(await evaluate('f.value')).toBe('aé@€X')
  await keyboard.press(tab.session, { type: 'key', kind: 'down', code: 'ShiftLeft', key: 'Shift', modifiers: 8, repeat: false })
  expect(keyboard.down()).toBe(1)
  await keyboard.release(tab.session)
  expect(keyboard.down()).toBe(0)
  expect(keyNumber('KeyQ', 'a')).toBe(65)
  expect(textOfKey('Dead', 0)).toBe('')
  for (const [code, key, modifiers] of [
    ['F12', 'F12', 0],
    ['KeyI', 'I', 10],
    ['KeyU', 'u', 2],
    ['KeyN', 'n', 2],
    ['KeyP', 'p', 2],
    ['KeyS', 's', 2],
    ['KeyQ', 'q', 2],
    ['KeyT', 't', 4],
  ] as const)
    expect(isForbiddenShortcut(code, key, modifiers)).toBe(true)
})

test('C-35: files that a page asks for are given by name and content, and what was not asked for is not taken', async () => {
  const { stage: visitor } = session
  const timeline = await openTimeline({ workDir: folder, clock: systemClock, log: silentLog })
  timeline.begin(performance.now())
  const asked = Promise.withResolvers<LiveOutput>()
  const asks = createPageAsks({
    folder: visitor.folder,
    inBrowser: '/session',
    timeline,
    secrets: createSecrets(timeline),
    ask: asked.resolve,
    tell: () => undefined,
    quietly: (work) => void work.catch(asked.reject),
  })
  visitor.tabs.listen({ ...silentEvents, chooser: (own, from, payload) => asks.chooser(own, from, payload) })
  await show('<input type="file" id="f" multiple accept=".txt" style="position:fixed;left:0;top:0">')
  await visitor.display.pointer.move(20, 10)
  await visitor.display.pointer.down(1)
  await visitor.display.pointer.up(1)
  const message = await asked.promise
  if (message.type !== 'ask_files') throw new Error(message.type)
  expect(message).toMatchObject({ multiple: true, accept: '.txt' })
  const bytes = new TextEncoder().encode('Bonjour « œ »')
  const frame = (upload: number, file: number, part: Uint8Array) => {
    const whole = Buffer.alloc(7 + part.length)
    whole.writeUInt8(32, 0)
    whole.writeUInt32BE(upload, 1)
    whole.writeUInt16BE(file, 5)
    whole.set(part, 7)
    return whole
  }
  expect(await asks.giveBytes(frame(message.id, 0, bytes))).toBe(false)
  expect(await asks.giveFiles(message.id + 1, [{ name: 'a', bytes: 1 }])).toBe(false)
  expect(
    await asks.giveFiles(message.id, [
      { name: '../é té.txt', bytes: bytes.length },
      { name: 'vide', bytes: 0 },
    ]),
  ).toBe(true)
  expect(await asks.giveBytes(frame(message.id, 0, bytes.subarray(0, 5)))).toBe(true)
  expect(await asks.giveBytes(frame(message.id, 0, bytes))).toBe(false)
  expect(await asks.giveBytes(frame(message.id, 0, bytes.subarray(5)))).toBe(true)
  const seen = `new Promise((done) => { const look = () => f.files.length === 2 ? Promise.all([...f.files].map(async (one) => [one.name, await one.text()])).then(done) : setTimeout(look, 20); look() })`
  expect(await evaluate(seen)).toEqual([
    ['.._é té.txt', 'Bonjour « œ »'],
    ['vide', ''],
  ])
  expect(asks.facts().map(({ name, bytes: length, sha256 }) => [name, length, sha256.slice(0, 8)])).toEqual([
    ['.._é té.txt', bytes.length, createHash('sha256').update(bytes).digest('hex').slice(0, 8)],
    ['vide', 0, 'e3b0c442'],
  ])
  await timeline.finish()
})

test('C-32: zoom leaves the picture as large, and the pointer where it points', async () => {
  const { stage: visitor } = session
  await show('<p id="f"></p>')
  await evaluate(`addEventListener('mousedown', (event) => { window.at = [event.clientX, event.clientY] })`)
  for (const percent of [200, 50, 100]) {
    await visitor.tabs.setZoom(tab, percent)
    await visitor.display.pointer.move(600, 300)
    await visitor.display.pointer.down(1)
    await visitor.display.pointer.up(1)
    const wanted = [60_000 / percent, 30_000 / percent]
    const seen = `new Promise((done) => { const look = () => window.at ? done([...window.at, innerWidth, window.at = null].slice(0, 3)) : setTimeout(look, 10); look() })`
    expect(await evaluate(seen)).toEqual([...wanted, 128_000 / percent])
  }
})

test('C-33: a field is shown as bullets wherever it stands, whatever its page’s styles say, and its page’s document is as it was', async () => {
  const masked = async () => {
    const field = await findFocus(tab)
    return field === null || field === 'unseen' ? null : await maskField(field)
  }
  await show('<style>#f{-webkit-text-security:none !important}</style><input id="f">')
  const before = await evaluate('document.documentElement.outerHTML')
  expect(await masked()).toBe(true)
  expect(await evaluate('[getComputedStyle(f).webkitTextSecurity, document.documentElement.outerHTML]')).toEqual(['disc', before])
  expect(await evaluate('document.styleSheets.length')).toBe(1)

  await show('<div id="host"></div><iframe srcdoc="<input id=i>"></iframe>')
  await evaluate(`window.root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<input>'; root.firstChild.focus()`)
  expect(await masked()).toBe(true)
  expect(await evaluate('getComputedStyle(root.firstChild).webkitTextSecurity')).toBe('disc')
  await evaluate(
    `new Promise((done) => { const go = () => { const i = frames[0].document.getElementById('i'); if (i) { i.focus(); done() } else setTimeout(go, 20) }; go() })`,
  )
  expect(await masked()).toBe(true)
  expect(await evaluate(`frames[0].getComputedStyle(frames[0].document.getElementById('i')).webkitTextSecurity`)).toBe('disc')
  // Where the tree's own styles win, it is said, and nothing secret goes there.
  await show('<div id="host"></div>')
  await evaluate(
    `window.root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<style>input{-webkit-text-security:none !important}</style><input>'; root.lastChild.focus()`,
  )
  expect(await masked()).toBe(false)
})
