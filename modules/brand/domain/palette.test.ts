import { readFileSync } from 'node:fs'
import { assert, constantFrom, integer, property } from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { contrast } from './colour.ts'
import { brandPalette, palettePairs, readPalettes, writeTheme } from './palette.ts'

const own = readPalettes(readFileSync(new URL('../../../ui/theme/palette.css', import.meta.url), 'utf8'))

test('H-07: an accent alone makes a whole palette, and what follows from it is readable', () => {
  const { palette, faults } = brandPalette({ accent: 'oklch(0.40 0.13 350)' }, own.light)
  expect(faults).toEqual([])
  expect(Object.keys(palette)).toEqual(Object.keys(own.light))
  expect(palette['accent']).not.toBe(own.light['accent'])
  expect(palette['on-accent']).toBe('#ffffff')
  expect(palette['good']).toBe(own.light['good'])
})

test('each colour that cannot be read is named with its contrast, at the colour that the file gives', () => {
  const { faults } = brandPalette({ accent: '#7fcbca' }, own.light)
  expect(faults.length).toBeGreaterThan(0)
  expect(new Set(faults.map(({ colour }) => colour))).toEqual(new Set(['accent']))
  expect(faults[0]?.words).toMatch(
    /^accent #7fcbca on paper #fbfaf7 \(the product’s\) has a contrast of 1\.\d\d, at least 4\.5 is needed$/,
  )
  expect(brandPalette({ accent: '#0f5e63', paper: '#333333' }, own.light).faults.map(({ colour }) => colour)).toContain('paper')
  expect(brandPalette({ accent: 'teal' }, own.light).faults).toEqual([
    { colour: 'accent', words: '"teal" is neither #rrggbb nor oklch(L C H)' },
  ])
  expect(brandPalette({ accent: 'oklch(0.7 0.4 150)' }, own.dark).faults[0]?.words).toContain('outside sRGB')
})

test('whatever accent is taken, every pair that may meet reaches its contrast', () => {
  const hex = integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  let taken = 0
  assert(
    property(hex, constantFrom(own.light, own.dark), (accent, scheme) => {
      const { palette, faults } = brandPalette({ accent }, scheme)
      if (faults.length > 0) return
      taken += 1
      for (const [ink, ground, least] of palettePairs)
        expect(contrast(palette[ink] ?? '', palette[ground] ?? '')).toBeGreaterThanOrEqual(least)
    }),
    { numRuns: 2000, seed: 7 },
  )
  expect(taken).toBeGreaterThan(200)
})

test('the style sheet holds both schemes whole, and colours alone', () => {
  const { palette: light } = brandPalette({ accent: '#772151' }, own.light)
  const { palette: dark } = brandPalette({ accent: '#f0a8cf' }, own.dark)
  const css = writeTheme(light, dark)
  expect(css).toMatch(
    /^:root\{(?:--[a-z-]+:#[0-9a-f]{6};?)+\}\n@media screen and \(prefers-color-scheme:dark\)\{:root\{(?:--[a-z-]+:#[0-9a-f]{6};?)+\}\}\n$/,
  )
  expect([...css.matchAll(/--accent:(#\w+)/g)].map(([, hex]) => hex)).toEqual(['#772151', '#f0a8cf'])
})
