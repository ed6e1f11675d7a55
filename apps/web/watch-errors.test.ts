import { expect, test } from 'vitest'
import { watchErrors } from './watch-errors.ts'

const happen = (page: EventTarget, name: string, said: object) => page.dispatchEvent(Object.assign(new Event(name), said))

test('T-05: a page tells once of each error, few in all, and of none that is no defect', async () => {
  const page = new EventTarget()
  const told: string[] = []
  const hear = watchErrors(
    page,
    ({ name }) => name !== 'AbortError',
    async (thrown) => {
      await Promise.resolve()
      told.push(thrown.message)
      throw new Error('no network')
    },
  )
  const broken = new TypeError('broken')
  happen(page, 'error', { error: broken })
  happen(page, 'unhandledrejection', { reason: broken })
  hear(broken)
  happen(page, 'unhandledrejection', { reason: new DOMException('given up', 'AbortError') })
  happen(page, 'unhandledrejection', { reason: 'no error' })
  happen(page, 'error', { error: null })
  await Promise.resolve()
  expect(told).toEqual(['broken'])
  for (let i = 0; i < 10; i += 1) hear(new Error(`number ${String(i)}`))
  await Promise.resolve()
  expect(told).toHaveLength(5)
})
