import { expect, test } from 'vitest'
import { ApiError } from '../../../../ui/api/api-error.ts'
import type { UploadGlance } from './upload.ts'
import { makeUploads } from './uploads.ts'
import type { WishedCopy, WishStore } from './wish-store.ts'

function makeWorld(kept: WishedCopy[] = [], tabs: string[] = []) {
  const stored = new Map(kept.map((each) => [each.id, each]))
  const store: WishStore = {
    all: () => Promise.resolve([...stored.values()]),
    put: (wished) => {
      for (const each of wished) stored.set(each.id, each)
      return Promise.resolve()
    },
    remove: (ids) => {
      for (const id of ids) stored.delete(id)
      return Promise.resolve()
    },
  }
  const told = new Map<string, (glance: UploadGlance) => void>()
  const acts: string[] = []
  const session = { user: 'me' }
  const uploads = makeUploads({
    store: Promise.resolve(store),
    start: (id, file, onChange) => {
      acts.push(`start ${id} ${String(file.size)}`)
      told.set(id, onChange)
      return {
        pause: () => void acts.push(`pause ${id}`),
        resume: () => void acts.push(`resume ${id}`),
        cancel: () => void acts.push(`cancel ${id}`),
      }
    },
    isMine: ({ user }) => user === session.user,
    tab: 'this',
    tabs: () => Promise.resolve(new Set(tabs)),
  })
  const states = () => uploads.glance().map(({ id, glance }) => `${id} ${glance.kind}`)
  const tell = (id: string, glance: UploadGlance) => told.get(id)?.(glance)
  return { uploads, stored, acts, states, tell, session }
}
const wish = (id: string, sha256 = id): Omit<WishedCopy, 'tab'> => ({
  id,
  user: 'me',
  delegation: null,
  name: `${id}.pdf`,
  sha256,
})
const fileOf = (sha256: string) => (sha256 === 'lost' ? null : new Blob([sha256]))
const refused = (code: string) => new ApiError(409, { code, message: code, fields: {}, data: {}, request_id: '' })
/** What was asked of the store so far is done. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve))

test('E-33 copies go one after the other; one that fails keeps none back, and goes again when it is asked to', async () => {
  const { uploads, stored, acts, states, tell } = makeWorld()
  expect(uploads.isBusy()).toBe(false)
  uploads.add([wish('a'), wish('b'), wish('c', 'lost'), wish('d')], fileOf)
  expect(states()).toEqual(['a sending', 'b queued', 'c absent', 'd queued'])
  await settled()
  expect([...stored.keys()]).toEqual(['a', 'b', 'c', 'd'])
  uploads.add([wish('first')], fileOf, true)
  expect(states().slice(0, 3)).toEqual(['a sending', 'first queued', 'b queued'])
  tell('a', { kind: 'paused', sent: 1, size: 1 })
  expect(acts).toEqual(['start a 1'])
  tell('a', { kind: 'sent' })
  tell('first', { kind: 'failed', reason: refused('document.copy_too_large') })
  // It is there already: another page has sent it.
  tell('b', { kind: 'failed', reason: refused('document.copy_there') })
  expect(states()).toEqual(['a sent', 'first failed', 'b sent', 'c absent', 'd sending'])
  uploads.again('first')
  tell('d', { kind: 'sent' })
  expect(states()).toEqual(['a sent', 'first sending', 'b sent', 'c absent', 'd sent'])
  tell('first', { kind: 'sent' })
  await settled()
  expect([...stored.keys()]).toEqual(['c'])
  expect(uploads.isBusy()).toBe(false)
  uploads.forget(['a', 'b', 'c'])
  await settled()
  expect([states(), stored.size]).toEqual([['first sent', 'd sent'], 0])
})

test('after a reload each file is asked for once, and known by its fingerprint; not what another page has or another person left', async () => {
  const left = (id: string, more: Partial<WishedCopy> = {}) => ({ ...wish(id), tab: 'closed', ...more })
  const { uploads, stored, acts, states } = makeWorld(
    [left('a'), left('b', { sha256: 'a' }), left('c'), left('elsewhere', { tab: 'open' }), left('other', { user: 'somebody' })],
    ['open', 'this'],
  )
  await uploads.load()
  await uploads.load()
  expect(states()).toEqual(['a absent', 'b absent', 'c absent'])
  expect([uploads.isBusy(), uploads.give('nothing of these', new Blob())]).toEqual([false, false])
  // One file of two deposits.
  expect(uploads.give('a', new Blob(['aaa']))).toBe(true)
  expect(states()).toEqual(['a sending', 'b queued', 'c absent'])
  expect([acts, uploads.isBusy()]).toEqual([['start a 3'], true])
  await settled()
  expect(stored.get('b')?.tab).toBe('this')
})

test('what is stopped is cancelled; with another session nothing of the former goes on or is shown, until he is back', () => {
  const { uploads, acts, states, session, tell } = makeWorld()
  uploads.add([wish('a'), wish('b'), wish('c')], fileOf)
  uploads.forget(['a'])
  expect([acts, states()]).toEqual([
    ['start a 1', 'cancel a', 'start b 1'],
    ['b sending', 'c queued'],
  ])
  // Whatever it says after that is not heard.
  tell('a', { kind: 'sent' })
  uploads.pause('b')
  uploads.resume('b')
  session.user = 'somebody'
  uploads.lookAgain()
  expect([states(), uploads.isBusy()]).toEqual([[], false])
  expect(acts.splice(0)).toEqual(['start a 1', 'cancel a', 'start b 1', 'pause b', 'resume b', 'cancel b'])
  session.user = 'me'
  uploads.lookAgain()
  expect([acts, states()]).toEqual([['start b 1'], ['b sending', 'c queued']])
})
