import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast } from '../../modules/brand/domain/colour.ts'
import { palettePairs, readPalettes } from '../../modules/brand/domain/palette.ts'

const css = readFileSync(new URL('./palette.css', import.meta.url), 'utf8')

const { light, dark } = readPalettes(css)
describe.each([
  ['light', light],
  ['dark', dark],
])('%s scheme', (_, colours) => {
  test.each(palettePairs)('%s on %s reaches %d', (ink, ground, ratio) => {
    expect(contrast(colours[ink] ?? '', colours[ground] ?? '')).toBeGreaterThanOrEqual(ratio)
  })
})

test('both schemes define the same colours', () => {
  expect(Object.keys(light).length).toBeGreaterThan(15)
  expect(Object.keys(dark)).toEqual(Object.keys(light))
})
