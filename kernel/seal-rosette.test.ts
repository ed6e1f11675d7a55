import * as fc from '../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { sealRosette } from './seal-rosette.ts'

const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))

test('one root, one drawing; another root, another drawing', () => {
  fc.assert(
    fc.property(hex, hex, fc.nat(63), (a, b, at) => {
      const draw = (root: string) => sealRosette(root, { size: 200, title: 't' })
      expect(draw(a)).toBe(draw(a.toUpperCase()))
      if (a !== b) expect(draw(a)).not.toBe(draw(b))
      const digit = ((Number.parseInt(a.charAt(at), 16) + 1) % 16).toString(16)
      expect(draw(`${a.slice(0, at)}${digit}${a.slice(at + 1)}`)).not.toBe(draw(a))
    }),
  )
})

test('the title cannot break out of the markup, and nothing but a root is drawn', () => {
  const svg = sealRosette('ab'.repeat(32), { size: 10, title: '"><script>&' })
  expect(svg).not.toContain('<script')
  expect(svg.match(/</g)?.length).toBe(svg.match(/>/g)?.length)
  for (const root of ['', 'ab', 'zz'.repeat(32), `${'ab'.repeat(32)}"`])
    expect(() => sealRosette(root, { size: 10, title: '' })).toThrow(RangeError)
})

test('every coordinate stays on the sheet', () => {
  fc.assert(
    fc.property(hex, (root) => {
      const numbers = [...sealRosette(root, { size: 100, title: '' }).matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].flatMap((m) => [
        Number(m[1]),
        Number(m[2]),
      ])
      expect(numbers.length).toBeGreaterThan(500)
      expect(Math.max(...numbers.map(Math.abs))).toBeLessThanOrEqual(98.6)
    }),
    { numRuns: 50 },
  )
})
