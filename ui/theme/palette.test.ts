import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('./palette.css', import.meta.url), 'utf8')

function coloursOf(block: string): ReadonlyMap<string, string> {
  return new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

/** Relative luminance and contrast ratio of WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['paper', 'surface', 'sunken']
const pairs: readonly [string, string, number][] = [
  // Body text: AAA.
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['ink-soft', ground, 7],
  ]),
  ...['accent-wash', 'good-wash', 'caution-wash', 'bad-wash'].map((ground): [string, string, number] => ['ink', ground, 7]),
  // Links, labels, states: AA.
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['accent', ground, 4.5],
    ['accent-hover', ground, 4.5],
    ['seal', ground, 4.5],
    ['good', ground, 4.5],
    ['caution', ground, 4.5],
    ['bad', ground, 4.5],
  ]),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-accent', 'bad', 4.5],
  ['accent', 'accent-wash', 4.5],
  ['ink-soft', 'accent-wash', 4.5],
  ['good', 'good-wash', 4.5],
  ['caution', 'caution-wash', 4.5],
  ['bad', 'bad-wash', 4.5],
  // Outlines of controls (WCAG 1.4.11).
  ...grounds.map((ground): [string, string, number] => ['control', ground, 3]),
]

const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
describe.each([
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
])('%s scheme', (_, colours) => {
  test.each(pairs)('%s on %s reaches %d', (ink, ground, ratio) => {
    expect(contrast(colours.get(ink) ?? '', colours.get(ground) ?? '')).toBeGreaterThanOrEqual(ratio)
  })
})

test('both schemes define the same colours', () => {
  expect([...coloursOf(dark).keys()]).toEqual([...coloursOf(light).keys()])
})
