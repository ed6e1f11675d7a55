import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { terms } from './glossary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8')) as Readonly<Record<string, string>>
const french = globSync('{modules,ui,platform,apps}/**/messages/{fr,*.fr}.json', { cwd: root })

/** Two sentences of one id. */
const pairs = french.flatMap((path) => {
  const english = read(path.replace(/fr\.json$/, 'en.json'))
  return Object.entries(read(path)).map(([id, fr]) => ({ id, en: english[id] ?? '', fr }))
})

test('the catalogues are all there', () => {
  expect(french.length).toBeGreaterThan(30)
  expect(pairs.length).toBeGreaterThan(3000)
})

test.each(terms)('$en is called $fr wherever it is spoken of', ({ where, unless, said, never }) => {
  const about = pairs.filter(({ en }) => where.test(en) && unless?.test(en) !== true)
  expect(about.length).toBeGreaterThan(0)
  const wrong = about.filter(({ fr }) => !said.test(fr) || never?.test(fr) === true)
  expect(wrong).toEqual([])
})
