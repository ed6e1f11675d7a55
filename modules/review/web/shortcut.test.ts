import { expect, test } from 'vitest'
import { shortcutOf } from './shortcut.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false }

test.each([
  ['a', 'elsewhere', 'a'],
  ['A', 'button', 'a'],
  ['a', 'typing', null],
  ['1', 'typing', null],
  ['?', 'elsewhere', '?'],
  ['Enter', 'elsewhere', 'Enter'],
  ['Enter', 'button', null],
  ['Enter', 'typing', null],
  [' ', 'button', null],
  ['ArrowLeft', 'typing', null],
  ['ArrowLeft', 'button', 'ArrowLeft'],
  ['Escape', 'typing', 'Escape'],
] as const)('%s on %s is %s', (key, on, expected) => {
  expect(shortcutOf({ key, on, ...none })).toBe(expected)
})

test('browsers and systems keep their own combinations; Ctrl+Enter is ours everywhere', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
    expect(shortcutOf({ key: 'a', on: 'elsewhere', ...none, [modifier]: true })).toBeNull()
  for (const on of ['typing', 'button', 'elsewhere'] as const) {
    expect(shortcutOf({ key: 'Enter', on, ...none, ctrlKey: true })).toBe('Ctrl+Enter')
    expect(shortcutOf({ key: 'Enter', on, ...none, metaKey: true })).toBe('Ctrl+Enter')
  }
})
