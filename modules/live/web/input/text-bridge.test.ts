import { array, assert, property, string } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { liveInput, type LiveInputSent } from '../../contract/live.ts'
import { commonStart, makeTextBridge } from './text-bridge.ts'

/** A field over there, as Chromium edits one: Backspace takes one character as a reader counts them. */
function remote() {
  let text = ''
  let composed = ''
  const sent: LiveInputSent[] = []
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const receive = (message: LiveInputSent) => {
    expect(liveInput.safeParse(message).success).toBe(true)
    sent.push(message)
    if (message.type === 'compose') composed = message.text
    if (message.type === 'text') {
      composed = ''
      text += message.text
    }
    if (message.type === 'key' && message.kind === 'down') {
      if (message.key === 'Backspace') text = text.slice(0, [...segments.segment(text)].at(-1)?.index ?? 0)
      else text += message.key === 'Enter' ? '\n' : message.key
    }
  }
  return { receive, sent, read: () => text + composed }
}

/** The hidden field with a keyboard on a screen; `known` of the bridge is kept as the page does. */
function keyboard() {
  const there = remote()
  const bridge = makeTextBridge(there.receive)
  let value = bridge.blank
  return {
    there,
    bridge,
    set: (change: (value: string) => string) => {
      value = change(value)
      value = bridge.input(value) ?? value
    },
    value: () => value,
    replace: (next: string) => {
      value = next
    },
  }
}

describe('keyboards on screens', () => {
  test('letters, accents and emoji arrive', () => {
    const { set, there } = keyboard()
    for (const character of ['Ç', 'a', ' ', 'é', 'œ', '漢', '字', '👩🏽‍🚀', '🇫🇷']) set((value) => value + character)
    expect(there.read()).toBe('Ça éœ漢字👩🏽‍🚀🇫🇷')
  })

  test('a correction of the last word replaces it, a swiped word arrives whole', () => {
    const { set, there } = keyboard()
    set((value) => `${value}helo`)
    set((value) => value.replace('helo', 'hello '))
    set((value) => `${value}world`)
    set((value) => value.replace('hello world', 'Hello, world!'))
    expect(there.read()).toBe('Hello, world!')
  })

  test('deleting takes one character at a time, also an emoji of several code points, and goes on past what is remembered', () => {
    const { set, there } = keyboard()
    set((value) => `${value}x👩🏽‍🚀`)
    set((value) => value.slice(0, -'👩🏽‍🚀'.length))
    expect(there.read()).toBe('x')
    there.sent.length = 0
    for (let i = 0; i < 40; i += 1) set((value) => value.slice(0, -1))
    expect(there.sent.filter((message) => message.type === 'key' && message.kind === 'down')).toHaveLength(40)
  })

  test('a word composed again over what stands there is corrected, not written twice', () => {
    const { set, there, bridge } = keyboard()
    set((value) => `${value}hello`)
    bridge.compositionStart('hello')
    bridge.compositionUpdate('hell')
    set((value) => value.slice(0, -1))
    bridge.compositionUpdate('hellish')
    set((value) => `${value}ish`)
    bridge.compositionEnd('hellish', `${bridge.blank}hellish`)
    expect(there.read()).toBe('hellish')
  })

  test('a line break is the Enter key', () => {
    const { set, there } = keyboard()
    set((value) => `${value}a\nb`)
    expect(there.read()).toBe('a\nb')
    expect(there.sent.some((message) => message.type === 'key' && message.code === 'Enter')).toBe(true)
  })
})

describe('compositions', () => {
  test.each([
    ['`input` before `compositionend`, as Chromium has it', true],
    ['`compositionend` before `input`, as Firefox has it', false],
  ])('%s: seen as they grow, written once', (_, inputFirst) => {
    const { set, there, bridge, replace, value } = keyboard()
    bridge.compositionStart('')
    for (const text of ['k', 'か', 'かn', 'かん', '漢字']) {
      bridge.compositionUpdate(text)
      set(() => bridge.blank + text)
      expect(there.read()).toBe(text)
    }
    if (inputFirst) bridge.compositionEnd('漢字', value())
    else {
      replace(`${bridge.blank}漢字`)
      bridge.compositionEnd('漢字', value())
      set((unchanged) => unchanged)
    }
    expect(there.read()).toBe('漢字')
    set((after) => `${after}!`)
    expect(there.read()).toBe('漢字!')
  })

  test('one that is given up leaves nothing', () => {
    const { there, bridge } = keyboard()
    bridge.compositionStart('')
    bridge.compositionUpdate('にほ')
    bridge.compositionEnd('', bridge.blank)
    expect(there.read()).toBe('')
    bridge.compositionStart('')
    bridge.compositionUpdate('に')
    expect(bridge.reset()).toBe(bridge.blank)
    expect(there.read()).toBe('')
  })
})

test('whatever a keyboard makes of its field stands over there afterwards', () => {
  const word = string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\r\u0000]/.test(text))
  assert(
    property(array(word, { maxLength: 12 }), (states) => {
      const there = remote()
      const bridge = makeTextBridge(there.receive)
      let value = bridge.blank
      for (const state of states) {
        value = bridge.blank + state
        bridge.input(value)
        expect(there.read()).toBe(state)
      }
    }),
  )
})

test('where two texts part is never inside a character', () => {
  expect(commonStart('ab', 'ac')).toBe(1)
  expect(commonStart('a👩🏽‍🚀', 'a👩🏽')).toBe(1)
  expect(commonStart('é', 'e')).toBe(0)
  expect(commonStart('same', 'same')).toBe(4)
})
