import { describe, expect, it } from 'vitest'
import { colourChanges, quietCut } from './quiet-row.ts'

const width = 300
const blank = Buffer.alloc(width * 3, 255)
const letters = Buffer.from(Array.from({ length: width * 3 }, (_, i) => (Math.floor(i / 9) % 2 === 0 ? 0 : 255)))

describe('quietCut', () => {
  it('counts changes that an eye sees', () => {
    expect(colourChanges(blank)).toBe(0)
    expect(colourChanges(letters)).toBe(99)
  })

  it('cuts in the gap between lines of text, the lowest of equal ones', () => {
    const rows = Array.from({ length: 1000 }, (_, y) => (y % 20 < 12 ? letters : blank))
    expect(quietCut(rows, width)).toBe(996)
  })

  it('keeps all rows where there is no gap', () => {
    expect(
      quietCut(
        Array.from({ length: 500 }, () => letters),
        width,
      ),
    ).toBe(500)
  })
})
