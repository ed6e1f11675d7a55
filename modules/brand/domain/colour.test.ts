import { assert, integer, property } from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { contrast, mix, parseColour, toHex } from './colour.ts'

const hexOf = (text: string) => {
  const rgb = parseColour(text)
  return typeof rgb === 'string' ? rgb : toHex(rgb)
}

// CSS Color 4 §4.1 and §9: named colours and the OKLCH that its sample code gives for them.
test.each([
  ['oklch(0.62796 0.25768 29.234)', '#ff0000'],
  ['oklch(0.51975 0.17686 142.5)', '#008000'],
  ['oklch(0.45201 0.31321 264.05)', '#0000ff'],
  ['oklch(0.96798 0.21101 109.77)', '#ffff00'],
  ['oklch(100% 0 0)', '#ffffff'],
  ['oklch(0 0 0)', '#000000'],
  ['#abc', '#aabbcc'],
  ['#0F5E63', '#0f5e63'],
])('%s is %s', (text, hex) => {
  expect(hexOf(text)).toBe(hex)
})

test.each([
  'red',
  '',
  '#12345',
  '#1234567',
  'oklch(1.2 0 0)',
  'oklch(0.5 0.1)',
  'oklch(0.5 0.1 0 / 50%)',
  'rgb(0 0 0)',
  'url(#a)',
  '#000;} body{display:none',
  'oklch(0.4 0.1 20);color:red',
])('%j is no colour', (text) => {
  expect(parseColour(text)).toBe('no_colour')
})

test('a colour that screens would show as another is told from one that is none', () => {
  expect(parseColour('oklch(0.7 0.4 150)')).toBe('outside_srgb')
})

// WCAG 2.2: the greys that are known to stand on either side of 4.5 on white.
test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#ffffff', '#767676')).toBe(contrast('#767676', '#ffffff'))
})

test('a mix of a colour with itself is that colour, and its ends are its parts', () => {
  const hex = integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  assert(
    property(hex, hex, (a, b) => {
      expect(mix(a, a, 0.3)).toBe(a)
      expect(mix(a, b, 1)).toBe(a)
      expect(mix(a, b, 0)).toBe(b)
    }),
    { numRuns: 300 },
  )
})
