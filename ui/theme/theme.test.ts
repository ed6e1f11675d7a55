import { expect, test } from 'vitest'
import { theme } from './theme.ts'

/** At the size of text that browsers come with. */
const pixels = (length: string | undefined) => Number.parseFloat(length ?? '') * 16

test('K-28 L-20: the layout changes at 600, 960, 1264 and 1904 px, and larger text moves these along', () => {
  const { xs, sm, md, lg } = theme.breakpoints ?? {}
  expect([xs, sm, md, lg].map(pixels)).toEqual([600, 960, 1264, 1904])
  for (const each of [xs, sm, md, lg]) expect(each).toMatch(/em$/)
})
