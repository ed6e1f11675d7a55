import { expect } from '@playwright/test'
import { colours, pixelAt, playSession, shot, tab } from './fixtures/live-session.ts'
import { address, heldId, isClean, test } from './fixtures/pages.ts'

const live = (locale = 'en') => address(`/${locale}/capture/${heldId}/`)
const red = [254, 0, 0]
const near = (expected: readonly number[]) => (found: readonly number[]) =>
  found.every((value, i) => Math.abs(value - (expected[i] ?? 0)) < 40)

test('the picture is decoded, drawn and acknowledged; the mouse falls on the very pixel', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const session = await playSession(page)
  await page.goto(live())
  await expect.poll(async () => near(red)(await pixelAt(page, 640, 400))).toBe(true)
  await session.hears({ type: 'acknowledge', picture: 10 })
  session.show(2)
  await expect.poll(async () => near([0, 0, 254])(await pixelAt(page, 10, 10))).toBe(true)
  expect(session.of('hello')[0]).toMatchObject({ ticket: 'a-ticket', video: 'h264', audio: true })
  const box = await page.locator('canvas').boundingBox()
  if (box === null) throw new Error('no picture')
  const scale = box.width / 1280
  await page.mouse.click(box.x + 640.5 * scale, box.y + 300.5 * scale)
  await session.hears({ type: 'pointer', kind: 'down', button: 0 })
  const down = session.of('pointer').find(({ kind }) => kind === 'down')
  expect(Math.abs((down?.x ?? 0) - 640.5)).toBeLessThan(1)
  expect(Math.abs((down?.y ?? 0) - 300.5)).toBeLessThan(1)
})
