import { expect, test } from 'vitest'
import { fitScale, fitted, mostZoom, panBy, turnOnce, zoomBy } from './picture-view.ts'

const picture = { width: 1000, height: 500 }
const frame = { width: 500, height: 500 }
const middle = { x: 0, y: 0 }

test('a picture fits whole, also when it is turned', () => {
  expect(fitScale(picture, frame, 0)).toBe(0.5)
  expect(fitScale(picture, { width: 500, height: 100 }, 90)).toBe(0.1)
})

test('four quarters are none, and each shows the whole', () => {
  const zoomed = zoomBy(fitted, 3, middle, picture, frame)
  expect(turnOnce(zoomed)).toEqual({ turn: 90, zoom: 1, x: 0, y: 0 })
  expect(turnOnce(turnOnce(turnOnce(turnOnce(fitted))))).toEqual(fitted)
})

test('zoom is bounded, and holds the point under the pointer', () => {
  expect(zoomBy(fitted, 0.1, middle, picture, frame)).toEqual(fitted)
  expect(zoomBy(fitted, 1000, middle, picture, frame).zoom).toBe(mostZoom)
  const at = { x: 100, y: 0 }
  const once = zoomBy(fitted, 4, at, picture, frame)
  // 100 pixels right of the centre at 1 are 400 at 4: the centre went 300 to the left.
  expect(once).toEqual({ turn: 0, zoom: 4, x: -300, y: 0 })
})

test('a picture neither leaves its frame nor moves in it while it is smaller', () => {
  expect(panBy(fitted, 50, 50, picture, frame)).toEqual(fitted)
  const zoomed = zoomBy(fitted, 2, middle, picture, frame)
  expect(panBy(zoomed, 10_000, 10_000, picture, frame)).toEqual({ turn: 0, zoom: 2, x: 250, y: 0 })
})
