import { expect, test } from 'vitest'
import type { CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { followFocus } from './follow-focus.ts'
import { createSecrets } from '../fields/secrets.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** A page with two fields, of which the second is a password's; the first look is held until it is let go. */
function twoFields() {
  let focused: 'name' | 'password' = 'name'
  let looks = 0
  const held = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const session = {
    id: 'page',
    on: () => () => undefined,
    send: async (method: string, params: { readonly functionDeclaration?: string; readonly objectId?: string } = {}) => {
      switch (method) {
        case 'Page.createIsolatedWorld':
          return { executionContextId: 1 }
        case 'Runtime.evaluate': {
          looks += 1
          const found = focused
          if (looks === 1) {
            began.resolve()
            await held.promise
          }
          return { result: { objectId: found } }
        }
        case 'Runtime.getProperties':
          return { result: ['0', '1'].map((name) => ({ name, value: { objectId: params.objectId } })) }
        case 'DOM.describeNode':
          return { node: { backendNodeId: params.objectId === 'name' ? 1 : 2 } }
        case 'Runtime.callFunctionOn':
          return {
            result: { value: { editable: true, inputMode: '', password: params.objectId === 'password', frame: false } },
          }
        default:
          return {}
      }
    },
  } as unknown as CdpSession
  const tab = { session, mainFrame: 'main', frames: new Map(), url: 'https://x.test/', crashed: null, dialog: null }
  const timeline = { add: () => null, ms: () => 0, maskWith: () => undefined } as unknown as Timeline
  const focus = followFocus({
    tabs: { active: () => tab as unknown as Tab },
    secrets: createSecrets(timeline),
    send: () => undefined,
  })
  return {
    focus,
    began: began.promise,
    letGo: () => held.resolve(),
    move: () => {
      focused = 'password'
      return focus.moved()
    },
  }
}

test('C-33: what moved the focus while the page was being asked is asked once more, and a password is known as one', async () => {
  const page = twoFields()
  const first = page.focus.moved()
  await page.began
  // The page has answered of the time before, which is not known yet.
  const second = page.move()
  page.letGo()
  await Promise.all([first, second])
  expect(page.focus.isMasked(page.focus.field())).toBe(true)
  expect(page.focus.isMasked(await page.focus.settled())).toBe(true)
})
