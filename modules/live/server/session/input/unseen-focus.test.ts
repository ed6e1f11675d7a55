import { expect, test } from 'vitest'
import { CdpTimeout, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import type { LiveInput } from '../../../contract/live.ts'
import { createSecrets } from '../fields/secrets.ts'
import { createSteering } from './steer-page.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Tabs } from '../tabs/tabs.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** A page that is busy, or not: with the focus in a password field either way. */
function busyPage() {
  const page = { busy: true, value: '', password: true }
  const answers: Readonly<Record<string, () => unknown>> = {
    'Page.createIsolatedWorld': () => ({ executionContextId: 1 }),
    'Runtime.evaluate': () => ({ result: { objectId: 'pair' } }),
    'Runtime.getProperties': () => ({
      result: [
        { name: '0', value: { objectId: 'host' } },
        { name: '1', value: { objectId: 'field' } },
      ],
    }),
    'DOM.describeNode': () => ({ node: { backendNodeId: page.password ? 7 : 8 } }),
    'Input.dispatchKeyEvent': () => ({}),
    'Input.insertText': () => ({}),
  }
  const session = {
    id: 'page',
    on: () => undefined,
    send: (
      method: string,
      params: { readonly functionDeclaration?: string; readonly type?: string; readonly text?: string } = {},
    ) => {
      if (method.startsWith('Input.')) {
        page.value += (params.text ?? '').replace('\r', '')
        return Promise.resolve(answers[method]?.())
      }
      if (page.busy) return Promise.reject(new CdpTimeout(method))
      if (method !== 'Runtime.callFunctionOn') return Promise.resolve(answers[method]?.())
      const described = { editable: true, inputMode: 'password', password: page.password, frame: false }
      return Promise.resolve({
        result: { value: params.functionDeclaration?.includes('isContentEditable') ? described : page.value },
      })
    },
  } as unknown as CdpSession
  const tab = { number: 1, session, mainFrame: 'main', frames: new Map(), url: 'https://x.test/', crashed: null, dialog: null }
  const lines: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[] = []
  const timeline = {
    add: (type: string, data: Readonly<Record<string, unknown>>) => void lines.push({ type, data }),
    ms: () => 0,
    maskWith: () => undefined,
  } as unknown as Timeline
  const secrets = createSecrets(timeline)
  const steering = createSteering({
    tabs: { active: () => tab as unknown as Tab } as unknown as Tabs,
    display: { picture: { width: 1280, height: 840, pageHeight: 800 } } as never,
    timeline,
    secrets,
    allowAddresses: [],
    leaving: { leave: () => Promise.resolve() },
    tell: () => undefined,
    send: () => undefined,
    quietly: (work) => void work.catch(() => undefined),
  })
  const key = (name: string): LiveInput => ({ type: 'key', kind: 'down', code: '', key: name, modifiers: 0, repeat: false })
  return { page, tab: tab as unknown as Tab, lines, secrets, steering, key }
}

test('C-33: what is typed while a busy page does not say where the focus is stands in no line', async () => {
  const { lines, steering, key } = busyPage()
  for (const name of ['s', '3', 'c']) await steering.act(key(name))
  await steering.act({ type: 'text', text: 'r3t' })
  await steering.act(key('Backspace'))
  expect(lines.map(({ type, data }) => [type, data['key'] ?? data['text'] ?? null])).toEqual([
    ['key', null],
    ['key', null],
    ['key', null],
    ['text', null],
    ['key', 'Backspace'],
  ])
})

test('C-33: a password that was typed into a busy page is read before it is sent', async () => {
  const { page, secrets, steering, key } = busyPage()
  for (const name of ['s', '3', 'c']) await steering.act(key(name))
  page.busy = false
  await steering.act(key('Enter'))
  expect(secrets.all().map(({ value }) => value)).toEqual(['s3c'])
})

test('H-45: no secret beyond those that can be masked is entered, and none that was is forgotten', async () => {
  const { page, secrets, steering, key } = busyPage()
  page.busy = false
  for (let i = 0; i < 500; i += 1) secrets.keep(`secret ${String(i)}`, 'paste', 'https://x.test/')
  await steering.act(key('x'))
  expect(await steering.paste('one more', true)).toBe('refused')
  expect(page.value).toBe('')
  secrets.keep('seen all the same', 'password_field', 'https://x.test/')
  expect(secrets.all()).toHaveLength(501)
})

test('C-33: a key that went down in a password field goes up unsaid, wherever the focus is by then', async () => {
  const { page, tab, lines, steering } = busyPage()
  page.busy = false
  const press = (kind: 'down' | 'up', code: string, key: string): LiveInput => ({
    type: 'key',
    kind,
    code,
    key,
    modifiers: 0,
    repeat: false,
  })
  await steering.act(press('down', 'KeyS', 'S'))
  page.password = false
  steering.focusMoved(tab)
  // Shift has gone up first.
  await steering.act(press('up', 'KeyS', 's'))
  await steering.act(press('down', 'KeyX', 'x'))
  await steering.act(press('up', 'KeyX', 'x'))
  expect(lines.filter(({ type }) => type === 'key').map(({ data }) => [data['kind'], data['key'] ?? null])).toEqual([
    ['down', null],
    ['up', null],
    ['down', 'x'],
    ['up', 'x'],
  ])
})
