import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { switchedOffByPlaywright } from './steered-chromium.ts'

test('nothing that Playwright switches off is on again', () => {
  const text = readFileSync(fileURLToPath(import.meta.resolve('playwright-core/lib/coreBundle')), 'utf8')
  const [, list] = /\bdisabledFeatures = \[([^\]]+)\]/.exec(text) ?? []
  const own = [...(list ?? '').matchAll(/^\s*"(\w+)",?$/gm)].map(([, name]) => name)
  expect(own.length).toBeGreaterThan(10)
  expect(switchedOffByPlaywright).toEqual(own)
})
