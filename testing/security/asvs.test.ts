/** docs/security/asvs.md says of each requirement where it is met: that is held against the standard's list and the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** ASVS 5.0.0: the level of each requirement, in their order, by section: `1.1 22` are 1.1.1 and 1.1.2, both of level 2. */
const levels = `
  1.1 22, 1.2 1111122223, 1.3 112222222223, 1.4 222, 1.5 123
  2.1 122, 2.2 112, 2.3 12223, 2.4 23
  3.1 3, 3.2 113, 3.3 12223, 3.4 11222233, 3.5 11122333, 3.6 3, 3.7 22333
  4.1 12233, 4.2 23333, 4.3 22, 4.4 1222
  5.1 2, 5.2 112333, 5.3 113, 5.4 222
  6.1 122, 6.2 111111112222, 6.3 11223333, 6.4 112233, 6.5 22222333, 6.6 2223, 6.7 33, 6.8 2222
  7.1 222, 7.2 1111, 7.3 22, 7.4 11222, 7.5 223, 7.6 22
  8.1 1233, 8.2 1123, 8.3 133, 8.4 23
  9.1 111, 9.2 1222
  10.1 22, 10.2 223, 10.3 22223, 10.4 1111122222233333, 10.5 22222, 10.6 22, 10.7 222
  11.1 2233, 11.2 22233, 11.3 11233, 11.4 1222, 11.5 23, 11.6 23, 11.7 33
  12.1 12233, 12.2 11, 12.3 22223
  13.1 2333, 13.2 222223, 13.3 2233, 13.4 1222233
  14.1 22, 14.2 12223333, 14.3 122
  15.1 12233, 15.2 12233, 15.3 1222222, 15.4 3333
  16.1 2, 16.2 22222, 16.3 2222, 16.4 222, 16.5 2223
  17.1 23, 17.2 22223333, 17.3 22`
const required = levels
  .trim()
  .split(/[,\s]*\n\s*|, /)
  .flatMap((each) => {
    const [section = '', digits = ''] = each.split(' ')
    return digits.split('').map((level, index) => ({ id: `${section}.${index + 1}`, level }))
  })
const wanted = required.filter(({ level }) => level !== '3')

const text = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8')
const rows = [...text.matchAll(/^\| (?<id>\d+\.\d+\.\d+) \| (?<level>\d) \| (?<about>[^|]+) \| (?<state>[^|]+) \|$/gm)].map(
  ({ groups = {} }) => ({
    id: groups['id'] ?? '',
    level: groups['level'] ?? '',
    about: groups['about'] ?? '',
    state: groups['state'] ?? '',
  }),
)
type State = 'met' | 'n/a' | 'short'
const stateOf = (said: string): State | null =>
  said.startsWith('Met') ? 'met' : said.startsWith('n/a: ') ? 'n/a' : /^Not (?:yet|met)\b/.test(said) ? 'short' : null

const files = (said: string): string[] =>
  [...said.matchAll(/`([\w./@-]+\/[\w./@-]+\.\w+|[a-z.-]+\.(?:json|ts))`/g)].map(([, path = '']) => path)
const decisions = (said: string): string[] =>
  [...said.matchAll(/decisions? ((?:\d{4}(?:, | and )?)+)/g)].flatMap(([, list = '']) => list.match(/\d{4}/g) ?? [])
const records = readdirSync(join(root, 'docs/decisions'))

test('ASVS 5.0.0 has 345 requirements, 253 of them of levels 1 and 2; each of those stands once, in order, with its level', () => {
  expect([required.length, wanted.length]).toEqual([345, 253])
  expect(rows.map(({ id, level }) => ({ id, level }))).toEqual(wanted)
})

test('each is met, not applicable or short; what is met names a file or a decision, what is not says why', () => {
  const wrong = rows.filter(({ state }) => {
    const kind = stateOf(state)
    return kind === null || (kind === 'met' ? files(state).length + decisions(state).length === 0 : state.length < 12)
  })
  expect(wrong).toEqual([])
})

test('files and decisions that are named exist', () => {
  for (const { id, state } of rows) {
    for (const path of files(state)) expect([id, path, existsSync(join(root, path))]).toEqual([id, path, true])
    for (const number of decisions(state))
      expect([id, number, records.some((name) => name.startsWith(`${number}-`))]).toEqual([id, number, true])
  }
})

test('tests that are quoted stand in a file that is named beside them', () => {
  for (const { id, state } of rows) {
    const tests = files(state).filter((path) => /\.(?:test|spec)\.ts$/.test(path))
    const sources = tests.map((path) => readFileSync(join(root, path), 'utf8'))
    for (const [, title = ''] of state.matchAll(/“([^”]+)”/g))
      expect([id, title, sources.some((source) => source.includes(title))]).toEqual([id, title, true])
  }
})

test('the table of counts is what the lines say', () => {
  const count = (chosen: typeof rows) =>
    [
      ...(['met', 'n/a', 'short'] as const).map((kind) => chosen.filter(({ state }) => stateOf(state) === kind).length),
      chosen.length,
    ]
      .map(String)
      .join(' | ')
  for (let chapter = 1; chapter <= 17; chapter += 1) {
    const line = new RegExp(`^\\| V${chapter} [^|]+ \\| (.+) \\|$`, 'm').exec(text)?.[1]
    expect([chapter, line]).toEqual([chapter, count(rows.filter(({ id }) => id.startsWith(`${chapter}.`)))])
  }
  expect(/^\| All \| (\d.+) \|$/m.exec(text)?.[1]).toBe(count(rows))
})
