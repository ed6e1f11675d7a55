import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { decisionNumbers, listDecisions, readDecision } from './list-decisions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('a record names its subject, the numbers it takes in, and what of it no longer holds', () => {
  const head = '# 0007 A title\n\nSubject: The door\n'
  const status = 'Status: in force. Adds to 0001. Its list is superseded by 0300; the rest stands.\n'
  expect(readDecision('0007-a.md', `${head}\nTakes in: 0009, 0012\n\n${status}`)).toEqual({
    name: '0007-a.md',
    number: '0007',
    title: 'A title',
    subject: 'The door',
    takesIn: ['0009', '0012'],
    superseded: 'Its list is superseded by 0300; the rest stands.',
  })
  expect(readDecision('0007-a.md', `${head}\nStatus: in force.\n`)).toMatchObject({ takesIn: [], superseded: null })
  expect(() => readDecision('0008-a.md', head)).toThrow('its first line is not “# 0008 Title”')
  expect(() => readDecision('0007-a.md', '# 0007 A title\n\nSubject: Windows\n')).toThrow('its third line is not “Subject: …”')
  expect(() => readDecision('0007-a.md', `${head}\nTakes in: 0007\n`)).toThrow('it takes in other numbers than its own')
  expect(() => readDecision('0007-a.md', `${head}\nTakes in: 0009 and 0012\n`)).toThrow('it takes in other numbers than its own')
})

test('a number that was taken in stands in the list under the record that says today what it said', () => {
  const lines = listDecisions().split('\n')
  const at = lines.findIndex((line) => line.startsWith('- [0254]('))
  expect(lines[at + 1]).toBe('  - 0274, 0296 → 0254')
})

/** A row of numbers, as sentences have them, also over the lines of a comment. */
const rowOf = (number: string): string => String.raw`${number}(?:(?:[,;]?[\s*/#-]+(?:and|to)|[,;])[\s*/#-]+${number})*(?!\d)`
/** Beside numbers of decisions stand modes of files, which begin with 06 and 07. */
const bare = String.raw`0[0-5]\d{2}`
const named = String.raw`\bdecisions?(?:/|[\s*/#-]+)${rowOf(String.raw`0\d{3}`)}|\(${rowOf(bare)}\)`
const alone = String.raw`(?<![\w.#:/-])${bare}(?![\w:])`

/**
 * The numbers of decisions that a text names: after the word, in a path, or alone in brackets. Where decisions are what is spoken of,
 * every number that looks like one.
 */
function mentionsIn(text: string, ofDecisions: boolean): string[] {
  const told = text.replaceAll(/\b(?:migrations?|modes?) 0\d{3}\b/gi, '')
  const rows = new RegExp(ofDecisions ? `${named}|${alone}` : named, 'gi')
  return [...new Set([...told.matchAll(rows)].flatMap(([found]) => found.match(/\b0\d{3}\b/g) ?? []))]
}

test('a mention is a number after the word, in a path, in brackets, and in what speaks of decisions every number', () => {
  expect(mentionsIn('/** (decision 0001, decisions 0002, 0003\n * and 0004 to 0005) */', false)).toEqual([
    '0001',
    '0002',
    '0003',
    '0004',
    '0005',
  ])
  expect(mentionsIn('see docs/decisions/0006-a.md; a page\n * (decision\n * 0007) and (0008, 0009)', false)).toEqual([
    '0006',
    '0007',
    '0008',
    '0009',
  ])
  expect(mentionsIn('Adds to 0010; migration 0011, mode 0400, 0700, conn-0012.bin, decision 00130', true)).toEqual(['0010'])
  expect(mentionsIn('Adds to 0010.', false)).toEqual([])
})

test('every decision that code or a document names has a record, or one that takes it in', () => {
  const known = decisionNumbers()
  const files = globSync(
    ['*.md', '{apps,bench,db,docs,e2e,kernel,modules,platform,testing,tools,ui}/**/*.{md,ts,tsx,mts,mjs,sql,py,css,html}'],
    { cwd: root, exclude: (path) => /(?:^|\/)(?:node_modules|dist|vectors)$|list-decisions\.test\.ts$/.test(path) },
  )
  expect(files.length).toBeGreaterThan(1000)
  const lost = files.flatMap((file) =>
    mentionsIn(readFileSync(`${root}${file}`, 'utf8'), /^docs\/decisions\/|README\.md$/.test(file))
      .filter((number) => !known.has(number))
      .map((number) => `${file}: ${number}`),
  )
  expect(lost).toEqual([])
})
