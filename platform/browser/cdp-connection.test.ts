import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { connectCdp } from './cdp-connection.ts'

test('C-30: nothing is kept of a target that is gone; the others are heard as before', () => {
  const fromBrowser = new PassThrough()
  const cdp = connectCdp(new PassThrough(), fromBrowser)
  const heard: string[] = []
  const listen = (id: string) => cdp.session(id).on('Inspector.targetCrashed', () => void heard.push(id))
  const known = ['gone', 'other'].map((id) => cdp.session(id))
  for (const id of ['gone', 'other']) listen(id)
  let detached = 0
  cdp.browser.on('Target.detachedFromTarget', () => (detached += 1))
  const say = (message: object) => fromBrowser.emit('data', Buffer.from(`${JSON.stringify(message)}\0`))
  const crash = () => {
    for (const sessionId of ['gone', 'other']) say({ method: 'Inspector.targetCrashed', params: {}, sessionId })
  }
  crash()
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'gone' } })
  crash()
  expect([heard, detached]).toEqual([['gone', 'other', 'other'], 1])
  expect([cdp.session('gone') === known[0], cdp.session('other') === known[1]]).toEqual([false, true])
})
