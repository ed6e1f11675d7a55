import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Keys from './keys.ts'

const press = (
  key: string,
  more: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'isComposing', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  defaultPrevented: false,
  isComposing: false,
  ...more,
})
const row = { within: 'row', link: true } as const
const button = { within: 'row', link: false } as const
const page = { within: 'page', link: false } as const

let keys: typeof Keys
const kept = new Map<string, string>()
beforeEach(async () => {
  vi.resetModules()
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
  keys = await import('./keys.ts')
})
afterEach(() => vi.unstubAllGlobals())

test('letters go along a list wherever the focus is; what scrolls the page does so only within a row', () => {
  const { wishOf } = keys
  const of = (at: Parameters<typeof wishOf>[1]) =>
    ['j', 'k', '/', '?', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'x', 'X', ' ', 'Enter', 'a'].map((key) => wishOf(press(key), at))
  expect(of(page)).toEqual(['next', 'previous', 'search', 'legend', ...Array.from({ length: 9 }, () => null)])
  expect(of(row)).toEqual([
    'next',
    'previous',
    'search',
    'legend',
    'next',
    'previous',
    'first',
    'last',
    'select',
    'select',
    'select',
    null,
    null,
  ])
  // A button, or a box to tick, takes the space bar for itself.
  expect(wishOf(press(' '), button)).toBeNull()
  expect(wishOf(press('x'), button)).toBe('select')
})

test('whoever types, is in a dialog, or holds another key down, asks nothing of the list', () => {
  const { wishOf } = keys
  expect(['j', '?', 'x'].map((key) => wishOf(press(key), { within: 'elsewhere', link: false }))).toEqual([null, null, null])
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { defaultPrevented: true }, { isComposing: true }])
    expect(wishOf(press('j', more), row)).toBeNull()
})

test('keys that are turned off stay so, also where the browser keeps nothing', () => {
  keys.turnKeys(false)
  expect([...kept.values()]).toEqual(['off'])
  keys.turnKeys(true)
  expect(kept.size).toBe(0)
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('SecurityError')
    },
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  })
  expect(() => keys.turnKeys(false)).not.toThrow()
  expect(keys.areOn()).toBe(false)
})
