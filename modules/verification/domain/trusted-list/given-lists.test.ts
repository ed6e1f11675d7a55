import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { withGivenLists } from './given-lists.ts'

test('so many lists are read along as there are States, and no more of them, whatever is given', async () => {
  let read = 0
  async function* lists(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 200; i += 1) {
      read += 1
      yield await Promise.resolve(utf8(`<not-a-list number="${String(i)}"/>`))
    }
  }
  expect(await withGivenLists(undefined, lists(), new Date('2026-11-21T12:00:00Z'))).toBeUndefined()
  expect(read).toBe(49)
})
