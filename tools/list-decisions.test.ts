import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisionsDocument, listDecisions, readDecision } from './list-decisions.ts'

test('every decision is listed under its number and title (node tools/list-decisions.ts writes the list)', () => {
  expect(readFileSync(decisionsDocument, 'utf8')).toBe(listDecisions())
})

test('a record names its subject, and what of it no longer holds', () => {
  const head = '# 0007 A title\n\nSubject: The door\n'
  expect(
    readDecision('0007-a.md', `${head}\nStatus: in force. Adds to 0001. Its list is superseded by 0300; the rest stands.\n`),
  ).toEqual({
    name: '0007-a.md',
    number: '0007',
    title: 'A title',
    subject: 'The door',
    superseded: 'Its list is superseded by 0300; the rest stands.',
  })
  expect(readDecision('0007-a.md', `${head}\nStatus: in force.\n`).superseded).toBeNull()
  expect(() => readDecision('0008-a.md', head)).toThrow('its first line is not “# 0008 Title”')
  expect(() => readDecision('0007-a.md', '# 0007 A title\n\nSubject: Windows\n')).toThrow('its third line is not “Subject: …”')
})
