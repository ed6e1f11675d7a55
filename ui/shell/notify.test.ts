import { expect, test, vi } from 'vitest'
import { isRepeat, notify, type NoticeType } from './notify.ts'

const shown = vi.hoisted(() => [] as Record<string, unknown>[])
vi.mock('@mantine/notifications', () => ({
  notifications: { show: (notice: Record<string, unknown>) => void shown.push(notice), hide: () => undefined },
}))

test('S-06 S-07: a notice is a message and a colour: errors of either kind have that of errors, every other type the primary one', async () => {
  const colours: Readonly<Record<NoticeType, string>> = {
    success: 'accent',
    info: 'accent',
    error: 'var(--bad)',
    'error-force': 'var(--bad)',
  }
  const types = Object.keys(colours) as NoticeType[]
  for (const type of types) notify(type, `words of ${type}`, 'Close')
  await vi.waitFor(() => expect(shown).toHaveLength(types.length), { timeout: 60_000 })
  expect(Object.fromEntries(shown.map(({ message, color }) => [message, color]))).toEqual(
    Object.fromEntries(types.map((type) => [`words of ${type}`, colours[type]])),
  )
  // Whoever does not see the colour is told by how it is announced.
  expect(shown.map(({ role }) => role)).toEqual(['status', 'status', 'alert', 'alert'])
})

test('H-14: an error is said once in 5 s; error-force and successes always', () => {
  const last = new Map<string, number>()
  expect(isRepeat('error', 'No network', 1000, last)).toBe(false)
  expect(isRepeat('error', 'No network', 5999, last)).toBe(true)
  expect(isRepeat('error', 'Something else', 5999, last)).toBe(false)
  expect(isRepeat('error', 'No network', 6000, last)).toBe(false)
  expect(isRepeat('error-force', 'No network', 6001, last)).toBe(false)
  expect(isRepeat('success', 'Saved', 1, last)).toBe(false)
  expect(isRepeat('success', 'Saved', 2, last)).toBe(false)
})
