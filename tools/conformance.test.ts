import { expect, test } from 'vitest'
import { findGaps, idsOf, linesOf, readInventory, readProofs, readReasons, titlesOf } from './conformance.ts'

test('every line of the inventory is proved by a test whose title names it, or has its reason; and no reason is kept beyond its day', () => {
  const lines = readInventory()
  expect(new Set(lines.map(({ id }) => id)).size).toBe(411)
  expect(findGaps(lines, readProofs(), readReasons())).toEqual({ unproved: [], stale: [] })
})

test('a line that nothing stands for is found, and so is a reason that is none any more', () => {
  const lines = linesOf('- A-01 one\n- A-02 two\n- A-03 three\n')
  const proofs = new Map([['A-01', [{ file: 'a.test.ts', title: 'A-01' }]]])
  expect(findGaps(lines, proofs, { 'A-01': 'not yet', 'A-03': 'not yet', 'B-09': 'gone' })).toEqual({
    unproved: ['A-02'],
    stale: ['A-01', 'B-09'],
  })
})

test('a title names lines, one by one or from one to another; rules of other lists are none', () => {
  expect(idsOf('C-01 C-03…C-05 S-09 to S-10: all of it')).toEqual(['C-01', 'C-03', 'C-04', 'C-05', 'S-09', 'S-10'])
  expect(idsOf('BR-S-08 BR-FR-03 S-081 xS-02')).toEqual([])
})

test('titles are those of tests that run, with the groups around them and the ids of their rows', () => {
  const source = `
    import { test as base } from 'x'
    describe('A-01 of a group', () => {
      test.each([['A-02', 1], ["A-03", 2]])('%s says %s', () => {})
      it(\`A-04 in \${language}\`, () => {})
    })
    test.describe.serial('A-05', () => test('inner', () => {}))
    test.skip('A-06 never runs', () => {})
    test.todo('A-07')
    test.beforeAll('A-08', () => {})
    expect('A-09').toBe('A-09')
    test('outer', () => test.step('A-10', () => {}))
  `
  expect(titlesOf('a.test.ts', source)).toEqual([
    'A-01 of a group › %s says %s (A-02 A-03)',
    'A-01 of a group › A-04 in #',
    'A-05 › inner',
    'outer',
  ])
})
