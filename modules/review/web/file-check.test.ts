import { describe, expect, test } from 'vitest'
import { largestDocumentBytes } from '../domain/identity-document.ts'
import { faultOfFile, fileKindOf, measurePixels, warningsOf } from './file-check.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test.each([
  ['\xff\xd8\xff\xe0..JFIF', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\0\0\0\0WAVEfmt ', null],
  ['%PDF-1.7', 'application/pdf'],
  ['junk before %PDF-1.4', 'application/pdf'],
  ['\0\0\0\x18ftypheic\0\0', 'heic'],
  ['\0\0\0\x18ftypisom\0\0', null],
  ['GIF89a', null],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
  ['', null],
])('E-20: a file that begins with %j is %s', (head, kind) => {
  expect(fileKindOf(bytes(head))).toBe(kind)
})

test('E-20: what cannot be taken is said before it is sent', () => {
  expect(faultOfFile(0, null)).toBe('empty')
  expect(faultOfFile(largestDocumentBytes + 1, 'image/jpeg')).toBe('too_large')
  expect(faultOfFile(largestDocumentBytes, 'image/jpeg')).toBeNull()
  expect(faultOfFile(5, 'heic')).toBe('heic')
  expect(faultOfFile(5, null)).toBe('type')
})

describe('what is measured of a picture', () => {
  const [width, height] = [40, 30]
  const picture = (grey: (x: number, y: number) => number) => {
    const rgba = new Uint8ClampedArray(width * height * 4)
    for (let i = 0; i < width * height; i += 1) rgba.fill(grey(i % width, Math.floor(i / width)), i * 4, i * 4 + 3)
    return measurePixels(rgba, width, height)
  }
  test('black is dark, white is not, and neither has detail', () => {
    expect(picture(() => 0)).toEqual({ brightness: 0, sharpness: 0 })
    const white = picture(() => 255)
    expect(white.brightness).toBeCloseTo(1)
    expect(white.sharpness).toBeCloseTo(0)
  })
  test('lines have more detail than the same lines smeared', () => {
    const sharp = picture((x) => (x % 4 < 2 ? 0 : 255))
    const soft = picture((x) => 127 + 100 * Math.sin(x / 6))
    expect(sharp.sharpness).toBeGreaterThan(10_000)
    expect(soft.sharpness).toBeLessThan(15)
    expect(sharp.brightness).toBeCloseTo(0.5)
  })
  test('each warning has its own measure', () => {
    const good = { width: 800, height: 500, brightness: 0.6, sharpness: 200 }
    expect(warningsOf(good)).toEqual([])
    expect(warningsOf({ ...good, width: 799 })).toEqual(['small'])
    expect(warningsOf({ ...good, brightness: 0.2 })).toEqual(['dark'])
    expect(warningsOf({ ...good, sharpness: 3 })).toEqual(['soft'])
  })
})
