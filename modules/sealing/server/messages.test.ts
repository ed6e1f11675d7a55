import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import en from '../messages/en.json' with { type: 'json' }

const words: Readonly<Record<string, string>> = en

test('every failure that this module can throw has its words', async () => {
  const codes = new Set<string>()
  for (const name of await readdir(import.meta.dirname, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const source = await readFile(`${import.meta.dirname}/${name}`, 'utf8')
    for (const match of source.matchAll(/DomainError\(\s*'\w+',\s*'(sealing\.\w+)'/g)) codes.add(match[1] ?? '')
    for (const match of source.matchAll(/anchorFailure\('(\w+)'/g)) codes.add(`sealing.anchor_${match[1]}`)
    for (const match of source.matchAll(/refusal\('(\w+)'/g)) codes.add(`sealing.tsa_${match[1]}`)
  }
  expect(codes.size).toBeGreaterThan(20)
  expect([...codes].filter((code) => words[code] === undefined)).toEqual([])
})
