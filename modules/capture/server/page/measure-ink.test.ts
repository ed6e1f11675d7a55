import { expect, test } from 'vitest'
import { PNG } from 'pngjs'
import { measurePageInk } from './measure-ink.ts'

test('C-30: a window that could not be photographed has no ink to measure, and ends no capture', async () => {
  expect(await measurePageInk({ viewportPng: Buffer.alloc(0), images: [], files: [] })).toBeNull()
  const blank = PNG.sync.write(new PNG({ width: 10, height: 10 }))
  expect(await measurePageInk({ viewportPng: blank, images: [], files: [] })).toBe(0)
})
