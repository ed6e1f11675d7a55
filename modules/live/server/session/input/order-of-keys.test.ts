import { expect, test } from 'vitest'
import { below, seed, share } from '../../../../../testing/sweep.ts'
import type { LiveInput } from '../../../contract/live.ts'
import { playBrowser, type TakenKey } from './played-browser.test-data.ts'

const count = share(10_000)

const pointer = (kind: 'down' | 'up'): LiveInput => ({ type: 'pointer', kind, x: 100, y: 100, button: 0, dx: 0, dy: 0 })
const press = (kind: 'down' | 'up', key: string): LiveInput => ({ type: 'key', kind, code: '', key, modifiers: 0, repeat: false })

/**
 * Keys, each another, with all that a hand does in between, and a page, unless it is calm.
 * @returns what was typed, and in a calm page where: the field that was clicked last
 */
async function typeAll(random: (below: number) => number, calm: boolean) {
  const browser = playBrowser(random)
  const { steering, until } = browser
  await until(browser.ready)
  const typed: TakenKey[] = []
  let by = 'page body'
  let frames = 0
  for (let i = 0; i < count;) {
    const text = String.fromCodePoint(0x4e00 + i)
    const type = async (): Promise<void> => {
      i += 1
      typed.push({ text, by })
      for (const kind of ['down', 'up'] as const) await until(steering.act(press(kind, text)))
    }
    const click = async (owner: string, element: string): Promise<void> => {
      browser.point(owner, element)
      for (const kind of ['down', 'up'] as const) await until(steering.act(pointer(kind)))
      if (element !== 'list') by = `${owner} ${element}`
      // Of two clicks in two processes, one right after the other, the browser itself may hear the first last.
      if (calm) await type()
    }
    const frame = browser.frames()[random(3)]
    const field = `field ${String(random(3))}`
    switch (random(calm ? 12 : 24)) {
      case 0:
        await click('page', field)
        break
      case 1:
        // The page sees nothing of it.
        await click('page', 'list')
        break
      case 2:
      case 15:
      case 16:
      case 17:
        if (browser.frames().length < 3) browser.addFrame(`frame ${String((frames += 1))}`)
        break
      case 3:
      case 18:
      case 19:
      case 20:
        if (frame !== undefined) await click(frame, !calm && random(3) === 0 ? 'closes' : field)
        break
      case 4:
        i += 1
        if ((await until(steering.paste(text, false))) === 'pasted') typed.push({ text, by })
        break
      // Now, or while what comes next is on its way.
      case 12:
      case 21:
        if (frame !== undefined) browser.at(random(60), () => browser.removeFrame(frame))
        break
      case 13:
        browser.at(random(60), () => browser.navigate())
        break
      case 14:
        browser.at(0, () => browser.navigate())
        await click('page', field)
        break
      default:
        await type()
    }
  }
  return { typed, taken: browser.taken, lost: browser.lost }
}

const texts = (keys: readonly TakenKey[]): readonly string[] => keys.map(({ text }) => text)
const drawn = `of ${String(count)} keys (seed ${String(seed)})`

test(`C-37: ${drawn} among clicks and pastes each is in the field that was clicked before it, once, and in order`, async () => {
  const { typed, taken, lost } = await typeAll(below(), true)
  expect(lost).toEqual([])
  expect(taken).toEqual(typed)
})

test(`C-37: ${drawn} among clicks, pastes, page changes and frames that go none is lost, doubled or out of order`, async () => {
  const { typed, taken, lost } = await typeAll(below(), false)
  expect(lost).toEqual([])
  expect(texts(taken)).toEqual(texts(typed))
})
