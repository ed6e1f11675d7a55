import { assert, constantFrom, double, integer, property, record } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { clampTo, firstView, fitScale, isWithin, mostZoom, place, toPicture, toStage, wholeView, zoomAround } from './geometry.ts'

const picture = { width: 1280, height: 840 }
const size = record({ width: integer({ min: 120, max: 4000 }), height: integer({ min: 120, max: 3000 }) })
const density = constantFrom(1, 1.25, 1.5, 2, 2.625, 3)
const fraction = double({ min: 0, max: 1, noNaN: true })

describe('how a picture begins', () => {
  test('all of it where it can be read', () => {
    expect(firstView({ width: 1100, height: 700 }, picture, 1)).toEqual(wholeView(picture))
    expect(firstView({ width: 360, height: 600 }, { width: 412, height: 785 }, 3)).toEqual(wholeView({ width: 412, height: 785 }))
  })

  test.each([
    { width: 360, height: 600 },
    { width: 700, height: 290 },
  ])('on $width × $height, enlarged from its corner until it can be', (stage) => {
    const { scale, x, y } = place(stage, picture, firstView(stage, picture, 3), 3)
    expect(scale).toBeCloseTo(0.62, 2)
    expect(x).toBeGreaterThanOrEqual(0)
    expect(y).toBeGreaterThanOrEqual(0)
  })
})

describe('what is pointed at', () => {
  test.each([
    ['one to one, wider stage', { width: 1400, height: 840 }, 1, { x: 60, y: 0 }, { x: 0, y: 0 }],
    ['half, letterboxed above', { width: 640, height: 500 }, 1, { x: 0, y: 40 }, { x: 0, y: 0 }],
    ['half, its middle', { width: 640, height: 500 }, 1, { x: 320, y: 250 }, { x: 640, y: 420 }],
    ['a phone upright', { width: 360, height: 600 }, 3, { x: 180, y: 300 }, { x: 640, y: 420 }],
  ] as const)('%s', (_, stage, devicePixels, at, expected) => {
    const found = toPicture(place(stage, picture, wholeView(picture), devicePixels), at)
    expect(found.x).toBeCloseTo(expected.x, 0)
    expect(found.y).toBeCloseTo(expected.y, 0)
  })

  test('is exact at every size, density, zoom and place: there and back within a hundredth of a pixel', () => {
    assert(
      property(size, size, density, fraction, fraction, fraction, (stage, area, devicePixels, u, v, z) => {
        const zoom = 1 + z * (mostZoom - 1)
        const anchor = { x: u * area.width, y: v * area.height }
        const view = zoomAround(stage, area, zoom, anchor, { x: stage.width / 2, y: stage.height / 2 }, devicePixels)
        const placement = place(stage, area, view, devicePixels)
        const back = toPicture(placement, toStage(placement, anchor))
        expect(Math.abs(back.x - anchor.x)).toBeLessThan(0.01)
        expect(Math.abs(back.y - anchor.y)).toBeLessThan(0.01)
      }),
    )
  })

  test('a drag that leaves the page stays at its edge', () => {
    expect(clampTo({ width: 1280, height: 800 }, { x: -4, y: 900 })).toEqual({ x: 0, y: 799 })
    expect(isWithin({ width: 1280, height: 800 }, { x: 1280, y: 4 })).toBe(false)
    expect(isWithin({ width: 1280, height: 800 }, { x: 1279.9, y: 0 })).toBe(true)
  })
})

describe('the picture', () => {
  test('is never cut at zoom 1 and never beyond an edge when it is larger than its room', () => {
    assert(
      property(size, size, density, fraction, fraction, fraction, (stage, area, devicePixels, u, v, z) => {
        const anchor = { x: u * area.width, y: v * area.height }
        const at = { x: v * stage.width, y: u * stage.height }
        const view = zoomAround(stage, area, 1 + z * 7, anchor, at, devicePixels)
        const { scale, x, y } = place(stage, area, view, devicePixels)
        const tolerance = 1 / devicePixels + 1e-6
        for (const [room, length, offset] of [
          [stage.width, area.width, x],
          [stage.height, area.height, y],
        ] as const) {
          const drawn = length * scale
          if (drawn <= room) expect(Math.abs(offset - (room - drawn) / 2)).toBeLessThanOrEqual(tolerance)
          else {
            expect(offset).toBeLessThanOrEqual(tolerance)
            expect(offset + drawn).toBeGreaterThanOrEqual(room - tolerance)
          }
        }
      }),
    )
  })

  test('keeps under two fingers what was under them, away from the edges', () => {
    const stage = { width: 360, height: 600 }
    const at = { x: 200, y: 310 }
    const anchor = toPicture(place(stage, picture, wholeView(picture), 3), at)
    const view = zoomAround(stage, picture, 4, anchor, at, 3)
    const found = toPicture(place(stage, picture, view, 3), at)
    expect(found.x).toBeCloseTo(anchor.x, 0)
    expect(found.y).toBeCloseTo(anchor.y, 0)
  })

  test('takes whole device pixels when that costs little', () => {
    expect(fitScale({ width: 1300, height: 860 }, picture, 1)).toBe(1)
    expect(fitScale({ width: 1300, height: 860 }, picture, 2)).toBe(1)
    expect(fitScale({ width: 1100, height: 720 }, picture, 1)).toBeCloseTo(720 / 840)
    expect(fitScale({ width: 0, height: 0 }, picture, 1)).toBe(1)
  })
})
