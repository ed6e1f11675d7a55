import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { flvOf, oggOf } from '../../testing/mux-samples.ts'
import type { CdpSession } from '../browser/cdp-connection.ts'
import { IsolationUnavailable } from '../browser/launch-browser.ts'
import { isRunning, processTree } from '../browser/process-tree.ts'
import { createSessionFolder, type SessionFolder } from '../browser/session-folder.ts'
import { fillDisplay } from './fill-display.ts'
import { launchHeadfulBrowser, type LaunchedHeadfulBrowser } from './launch-headful-browser.ts'
import type { MediaConfig, MediaSample } from './recorded-display.ts'

const run = promisify(execFile)
/** A busy machine may take its time; what is awaited is a condition. */
const patient = { timeout: 60_000, interval: 100 }

const html = `<!doctype html><title>Widgets</title><body style="margin:0;background:#fff">
<select id=list style="position:absolute;left:20px;top:20px;width:200px;height:30px"><option>un<option>deux<option>trois</select>
<button id=tone style="position:absolute;left:20px;top:400px;width:200px;height:30px" onclick="const c=new AudioContext();const o=c.createOscillator();o.frequency.value=440;o.connect(c.destination);o.start();document.title='sounding'">A</button>
<button id=ask style="position:absolute;left:320px;top:400px;width:200px;height:30px" onclick="document.title=String(confirm('Vraiment ?'))">B</button>
<button id=pop style="position:absolute;left:620px;top:400px;width:200px;height:30px" onclick="open('about:blank','p','popup,width=300,height=200')">C</button>
<textarea id=text style="position:absolute;left:20px;top:500px;width:600px;height:100px"></textarea>`

let folder: SessionFolder
let browser: LaunchedHeadfulBrowser
let page: CdpSession
let workDir: string
let config: MediaConfig
/** Encoders that waited when the first was asked for. */
let loaded: readonly number[]
let askedAt: number
const samples: MediaSample[] = []
const told: { readonly count: number; readonly pictures: number }[] = []
const endings: string[] = []

const evaluate = async (expression: string): Promise<unknown> =>
  (await page.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value
const click = async (x: number, y: number): Promise<void> => {
  await browser.display.pointer.move(x, y)
  await browser.display.pointer.down(1)
  await browser.display.pointer.up(1)
}
const sink = {
  sample: (sample: MediaSample) => void samples.push(sample),
  /** With what was missed, how many pictures had come when it was told: once in twenty-five looks. */
  missed: (count: number) => void told.push({ count, pictures: samples.filter(({ kind }) => kind === 'video').length }),
  ended: (reason: string) => void endings.push(reason),
}
/** Grey values of a part of the last picture recorded, as ffmpeg decodes it. */
const lastPicture = async (crop: { width: number; height: number; x: number; y: number }): Promise<Buffer> => {
  const from = samples.findLastIndex(({ kind, key }) => kind === 'video' && key)
  const file = join(workDir, 'last.flv')
  await writeFile(file, flvOf(config, samples.slice(from)))
  const area = `crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}`
  const { stdout } = await run(
    'ffmpeg',
    ['-loglevel', 'error', '-i', file, '-vf', area, '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
    {
      encoding: 'buffer',
      maxBuffer: 512 * 1024 * 1024,
    },
  )
  return stdout.subarray(-crop.width * crop.height)
}
/** Share of the values that differ clearly. */
const difference = (one: Buffer, other: Buffer): number =>
  one.reduce((count, value, at) => count + (Math.abs(value - (other[at] ?? 0)) > 40 ? 1 : 0), 0) / one.length
const programs = async (name: string) => (await processTree(browser.pid)).filter((entry) => entry.name === name)

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'probant-display-'))
  folder = await createSessionFolder()
  browser = await launchHeadfulBrowser({
    folder,
    writeKeyLog: false,
    language: 'fr-FR',
    timeZone: 'Europe/Paris',
    memoryBytes: 3e9,
    isolation: 'required',
    signal: AbortSignal.timeout(170_000),
    sessionId: '01976f3e-aaaa-7bbb-8ccc-0123456789ab',
  })
  const { targetInfos } = await browser.cdp.browser.send('Target.getTargets', {})
  const targetId = targetInfos.find(({ url }) => url === 'about:blank')?.targetId ?? ''
  page = browser.cdp.session((await browser.cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })).sessionId)
  await page.send('Page.enable')
  await page.send('Page.navigate', { url: `data:text/html,${encodeURIComponent(html)}` })
  await page.send('Page.bringToFront')
  loaded = await vi.waitFor(async () => {
    const found = await programs('ffmpeg')
    if (found.length === 0) throw new Error('no encoder waits')
    return found.map(({ pid }) => pid)
  }, patient)
  askedAt = performance.now()
  config = await browser.display.startEncoder(sink)
})
afterAll(async () => {
  await browser?.kill()
  await folder?.remove()
  await rm(workDir, { recursive: true, force: true })
})

describe('a browser on a display of its own', () => {
  test('its encoder is loaded before it is asked for, and has looked at nothing by then', async () => {
    expect((await programs('ffmpeg')).map(({ pid }) => pid)).toEqual(loaded)
    // Clocks are read to a few milliseconds.
    expect(config.originMs).toBeGreaterThan(askedAt - 5)
  })

  test('fills the picture exactly, has the focus, is not automated, and has WebGL', async () => {
    await expect.poll(() => evaluate('document.title'), patient).toBe('Widgets')
    expect(browser.isolation.kind).toBe('namespaces')
    expect(browser.profile.entries).toEqual([])
    expect(await evaluate('[innerWidth, innerHeight, devicePixelRatio, document.hasFocus(), navigator.webdriver]')).toEqual([
      1280,
      800,
      1,
      true,
      false,
    ])
    expect(await evaluate(`document.createElement('canvas').getContext('webgl') !== null`)).toBe(true)
    expect(config).toMatchObject({ width: 1280, height: 840, codec: expect.stringMatching(/^avc1\.[0-9a-f]{6}$/) })
    expect(Buffer.from(config.audio ?? []).toString('latin1')).toMatch(/^OpusHead\u0001\u0002/)
    expect(config.originMs).toBeLessThanOrEqual(performance.now())
  })

  test('of twenty-five looks at a page that stands still five are pictures; one dot that changes is enough for more', async () => {
    const perCount = () => (told.at(-1)?.pictures ?? 0) - (told.at(-2)?.pictures ?? 0)
    // What the two pipes bring at the same moment may be told of in either order.
    const still = () => told.length > 2 && [4, 5, 6].includes(perCount())
    await expect.poll(still, patient).toBe(true)
    for (const { count } of told) expect(count).toBeGreaterThanOrEqual(0)
    // Longer than the 40 ms from look to look: nothing comes and goes between two, as it did where it blinked twice in them.
    await evaluate(`dot = document.body.appendChild(document.createElement('i')), dot.style.cssText =
      'position:absolute;left:0;top:799px;width:1px;height:1px;background:#000', blinks = setInterval(() => (dot.hidden = !dot.hidden), 45), 0`)
    await expect.poll(perCount, patient).toBeGreaterThan(10)
    await evaluate('clearInterval(blinks), dot.remove()')
    await expect.poll(still, patient).toBe(true)
  })

  test('the open list of a select is in the picture, and its options can be picked with the pointer', async () => {
    const area = { width: 200, height: 60, x: 20, y: 52 }
    const closed = await lastPicture(area)
    await click(100, 35)
    await expect.poll(async () => difference(closed, await lastPicture(area)), patient).toBeGreaterThan(0.1)
    // The second option of three.
    await click(60, 84)
    await expect.poll(() => evaluate('document.getElementById("list").value'), patient).toBe('deux')
    await expect.poll(async () => difference(closed, await lastPicture(area)), patient).toBeLessThan(0.01)
  })

  test('a dialog is native and in the picture, in the session’s language, and is answered with the pointer or the keys', async () => {
    const area = { width: 800, height: 200, x: 240, y: 0 }
    const before = await lastPicture(area)
    const opened = Promise.withResolvers<string>()
    page.on('Page.javascriptDialogOpening', ({ message }) => opened.resolve(message))
    await click(420, 415)
    expect(await opened.promise).toBe('Vraiment ?')
    await expect.poll(async () => difference(before, await lastPicture(area)), patient).toBeGreaterThan(0.3)
    const closed = Promise.withResolvers<boolean>()
    page.on('Page.javascriptDialogClosed', ({ result }) => closed.resolve(result))
    await browser.display.keys.press('Escape')
    expect(await closed.promise).toBe(false)
    await expect.poll(() => evaluate('document.title'), patient).toBe('false')
  })

  test('text of every kind reaches a page through the clipboard as it is', async () => {
    // What the page is given; it is not laid out.
    await evaluate(`addEventListener('paste', (event) => {
      event.preventDefault()
      pasted = event.clipboardData.getData('text')
    }), document.getElementById('text').focus(), (pasted = null)`)
    const texts = [
      '',
      'x',
      'é\u0301 œ ’ \u{1F468}‍\u{1F469}‍\u{1F467} ‮עברית \u00A0',
      'a\nb\tc',
      'ż'.repeat(500_000),
      '$(id) `x` \\ " \'',
    ]
    for (const text of texts) {
      await browser.display.setClipboard(text)
      const key = { type: 'rawKeyDown', key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86, modifiers: 2 } as const
      await page.send('Input.dispatchKeyEvent', { ...key, commands: ['paste'] })
      await expect.poll(() => evaluate('pasted'), patient).toBe(text)
    }
    await expect(browser.display.setClipboard('x'.repeat(5_000_000))).rejects.toThrow('too long')
  })

  test('the strip says what it is told, as it is, and the page cannot reach it', async () => {
    const row = { width: 1280, height: 19, x: 0, y: 801 }
    await browser.display.setStrip(' ')
    await expect.poll(async () => Math.max(...(await lastPicture(row))), patient).toBeLessThan(60)
    await browser.display.setStrip('https://example.org/%{pts}/\u202E\n${x}/\'"\\:[in]')
    await expect.poll(async () => Math.max(...(await lastPicture(row))), patient).toBeGreaterThan(150)
    // Session and time, below; and every picture differs there, as time does.
    const clock = { width: 260, height: 18, x: 0, y: 821 }
    const first = await lastPicture(clock)
    await expect.poll(async () => difference(first, await lastPicture(clock)), patient).toBeGreaterThan(0)
    await evaluate('document.documentElement.requestFullscreen().catch(() => 0), 0')
    expect(Math.max(...(await lastPicture(row)))).toBeGreaterThan(150)
  })

  test('the picture keeps what stood there while it is held, whatever the browser shows; the strip goes on', async () => {
    const area = { width: 600, height: 200, x: 640, y: 200 }
    const clock = { width: 260, height: 18, x: 0, y: 821 }
    const paint = (colour: string) =>
      evaluate(
        `document.body.style.background = '${colour}', new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`,
      )
    const [before, since] = [await lastPicture(area), samples.length]
    await browser.display.holdScreen()
    await browser.display.holdScreen()
    await paint('#036')
    // Nothing tells that no picture shows it but pictures: ten of them, after it was painted.
    const painted = samples.length
    await expect.poll(() => samples.slice(painted).filter(({ kind }) => kind === 'video').length, patient).toBeGreaterThan(10)
    expect(difference(before, await lastPicture(area))).toBe(0)
    const time = await lastPicture(clock)
    await expect.poll(async () => difference(time, await lastPicture(clock)), patient).toBeGreaterThan(0)
    expect(samples.length).toBeGreaterThan(since)
    await browser.display.releaseScreen()
    await expect.poll(async () => difference(before, await lastPicture(area)), patient).toBe(1)
    await browser.display.releaseScreen()
    await paint('#fff')
    await expect.poll(async () => difference(before, await lastPicture(area)), patient).toBe(0)
    await browser.display.holdScreen()
    await browser.display.releaseScreen()
  })

  test('a popup is a window over the other, and fills the picture when told', async () => {
    await click(720, 415)
    const popups = async () =>
      (await browser.cdp.browser.send('Target.getTargets', {})).targetInfos.filter(
        ({ type, openerId, url }) => type === 'page' && (openerId !== undefined || url === 'about:blank'),
      )
    await expect.poll(async () => (await popups()).length, patient).toBe(1)
    const targetId = (await popups())[0]?.targetId ?? ''
    const popup = browser.cdp.session(
      (await browser.cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })).sessionId,
    )
    expect(await fillDisplay(browser.cdp, targetId)).toBe(true)
    const size = async () =>
      (await popup.send('Runtime.evaluate', { expression: '[innerWidth, innerHeight].join()' })).result.value as unknown
    await expect.poll(size, patient).toBe('1280,800')
    await browser.cdp.browser.send('Target.closeTarget', { targetId })
    await expect.poll(() => evaluate('document.hasFocus()'), patient).toBe(true)
    expect(await fillDisplay(browser.cdp, targetId)).toBe(false)
  })

  test('what the page sounds is in the recording', async () => {
    await click(120, 415)
    await expect.poll(() => evaluate('document.title'), patient).toBe('sounding')
    const from = samples.length
    const loud = async (): Promise<number> => {
      const file = join(workDir, 'sound.ogg')
      await writeFile(file, oggOf(config, samples.slice(from)))
      const raw = ['-i', file, '-ac', '1', '-ar', '8000', '-f', 'f32le', '-']
      const { stdout } = await run('ffmpeg', ['-loglevel', 'error', ...raw], { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })
      const pcm = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~3))).slice(-8000)
      return tone(pcm, 440, 8000) / (tone(pcm, 1000, 8000) + 1e-6)
    }
    await expect.poll(async () => (samples.length > from + 200 ? await loud() : 0), patient).toBeGreaterThan(100)
  })

  test('what was encoded is what ffprobe reads, packet for packet, on a clock that never goes back', async () => {
    await browser.display.stopEncoder()
    expect(endings).toEqual([])
    const pictures = samples.filter(({ kind }) => kind === 'video')
    expect(pictures[0]).toMatchObject({ key: true, timeUs: 0 })
    const groups = pictures.flatMap(({ key }, at) => (key ? [at] : []))
    for (const [i, at] of groups.entries()) expect((groups[i + 1] ?? pictures.length) - at).toBeLessThanOrEqual(25)
    for (const kind of ['video', 'audio']) {
      const times = samples.filter((one) => one.kind === kind).map(({ timeUs }) => timeUs)
      expect(times.length).toBeGreaterThan(50)
      expect(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))).toBe(true)
    }
    const file = join(workDir, 'whole.flv')
    await writeFile(file, flvOf(config, samples))
    const hashes = async () =>
      (await run('ffmpeg', ['-loglevel', 'error', '-i', file, '-c', 'copy', '-f', 'framehash', '-hash', 'sha256', '-'])).stdout
        .split('\n')
        .flatMap((line) => (/^\d/.test(line) ? [line.split(',').map((part) => part.trim())] : []))
    const copied = await hashes()
    expect(copied.map((fields) => fields.at(-1))).toEqual(
      pictures.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')),
    )
    const probed = JSON.parse((await run('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', file])).stdout) as {
      streams: { codec_name: string; width: number; height: number; has_b_frames: number; color_space: string }[]
    }
    expect(probed.streams[0]).toMatchObject({
      codec_name: 'h264',
      width: 1280,
      height: 840,
      has_b_frames: 0,
      color_space: 'bt709',
    })
  })

  test('an encoder that is killed is told, and the next goes on with a key picture on the same clock', async () => {
    const name = { width: 700, height: 18, x: 278, y: 821 }
    const before = await lastPicture(name)
    await browser.display.setSession('another-name')
    const second = await browser.display.startEncoder(sink)
    await expect.poll(async () => difference(before, await lastPicture(name)), patient).toBeGreaterThan(0.02)
    expect(second.originMs).toBe(config.originMs)
    await expect(browser.display.startEncoder(sink)).rejects.toThrow('runs already')
    for (const { pid } of await programs('ffmpeg')) process.kill(pid, 'SIGKILL')
    await expect.poll(() => endings, patient).toEqual(['status 137'])
    const last = samples.at(-1)?.timeUs ?? 0
    const count = samples.length
    await browser.display.startEncoder(sink)
    await expect.poll(() => samples.length, patient).toBeGreaterThan(count)
    const next = samples.slice(count).find(({ kind }) => kind === 'video')
    expect(next?.key).toBe(true)
    expect(next?.timeUs).toBeGreaterThan(last)
  })

  test('the pointer comes back, silence is told, and a display that ends is no browser that ends', async () => {
    const parts: string[] = []
    browser.display.onPartEnded((part) => void parts.push(part))
    for (const { pid } of await programs('xdotool')) process.kill(pid, 'SIGKILL')
    await expect.poll(() => parts, patient).toEqual(['pointer'])
    await expect
      .poll(
        () =>
          browser.display.pointer.move(-5, 1e9).then(
            () => 'moved',
            (error: Error) => error.message,
          ),
        patient,
      )
      .toBe('moved')
    for (const { pid } of await programs('pulseaudio')) process.kill(pid, 'SIGKILL')
    await expect.poll(() => parts, patient).toEqual(['pointer', 'sound'])
    await browser.display.stopEncoder()
    expect((await browser.display.startEncoder(sink)).audio).toBeNull()
    const tree = await processTree(browser.pid)
    for (const { pid } of await programs('Xvfb')) process.kill(pid, 'SIGKILL')
    expect((await browser.ended).reason).toBe('display_ended')
    expect(parts).toEqual(['pointer', 'sound', 'display'])
    expect(endings.length).toBe(2)
    await expect(browser.display.setClipboard('x')).rejects.toThrow('gone')
    await expect(browser.display.startEncoder(sink)).rejects.toThrow('gone')
    await expect(browser.display.setStrip('x')).rejects.toThrow('gone')
    await expect(browser.display.holdScreen()).rejects.toThrow('gone')
    await expect.poll(async () => (await Promise.all(tree.map(isRunning))).filter(Boolean), patient).toEqual([])
  })

  test('without namespaces there is no such session, whatever the operator allows', async () => {
    const path = process.env['PATH']
    // No bubblewrap is found.
    process.env['PATH'] = '/nonexistent'
    try {
      const launched = launchHeadfulBrowser({
        folder,
        writeKeyLog: false,
        language: 'fr-FR',
        timeZone: 'Europe/Paris',
        memoryBytes: 3e9,
        isolation: 'override',
        signal: AbortSignal.timeout(60_000),
        sessionId: 'none',
      })
      await expect(launched).rejects.toThrow(IsolationUnavailable)
    } finally {
      process.env['PATH'] = path
    }
  })
})

/** Strength of one frequency (Goertzel). */
function tone(pcm: Float32Array, frequency: number, rate: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / rate)
  let [one, two] = [0, 0]
  for (const value of pcm) [one, two] = [value + factor * one - two, one]
  return Math.sqrt(one * one + two * two - factor * one * two) / pcm.length
}
