import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisionsDocument, listDecisions } from './list-decisions.ts'

test('every decision is listed under its number and title (node tools/list-decisions.ts writes the list)', () => {
  expect(readFileSync(decisionsDocument, 'utf8')).toBe(listDecisions())
})
