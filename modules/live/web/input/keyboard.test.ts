import { describe, expect, test } from 'vitest'
import { liveInput } from '../../contract/live.ts'
import { makeKeyboard, typed, type KeyFacts } from './keyboard.ts'

const key = (code: string, value: string, more: Partial<KeyFacts> = {}): KeyFacts => ({
  code,
  key: value,
  repeat: false,
  isComposing: false,
  ctrl: false,
  alt: false,
  shift: false,
  meta: false,
  altGraph: false,
  ...more,
})
const pc = () => makeKeyboard({ apple: false, soft: false })
const mac = () => makeKeyboard({ apple: true, soft: false })

describe('keys go by their place and by what they mean', () => {
  test.each([
    ['é on a French keyboard', key('Digit2', 'é'), 'é', 0],
    ['A with Shift', key('KeyQ', 'A', { shift: true }), 'A', 8],
    ['€ by AltGr, which Windows calls Control and Alt', key('KeyE', '€', { ctrl: true, alt: true, altGraph: true }), '€', 0],
    ['@ by AltGr where its state is not told', key('Digit0', '@', { ctrl: true, alt: true }), '@', 0],
    ['Control and A', key('KeyQ', 'a', { ctrl: true }), 'a', 2],
    ['an arrow with Control and Shift', key('ArrowLeft', 'ArrowLeft', { ctrl: true, shift: true }), 'ArrowLeft', 10],
    ['Escape', key('Escape', 'Escape'), 'Escape', 0],
    ['Tab', key('Tab', 'Tab'), 'Tab', 0],
  ])('%s', (_, facts, expected, modifiers) => {
    expect(pc().down(facts)).toEqual({
      act: 'send',
      messages: [{ type: 'key', kind: 'down', code: facts.code, key: expected, modifiers, repeat: false }],
    })
  })

  test('what went down comes up, as it went down, and nothing else does', () => {
    const keyboard = pc()
    keyboard.down(key('KeyA', 'A', { shift: true }))
    expect(keyboard.up(key('KeyA', 'a'))).toMatchObject({ messages: [{ kind: 'up', code: 'KeyA', key: 'A' }] })
    expect(keyboard.up(key('KeyA', 'a'))).toEqual({ act: 'field' })
    keyboard.down(key('KeyB', 'b'))
    keyboard.release()
    expect(keyboard.up(key('KeyB', 'b'))).toEqual({ act: 'field' })
  })

  test('dead keys and compositions are left to the field', () => {
    for (const facts of [
      key('BracketLeft', 'Dead'),
      key('KeyA', 'Process'),
      key('', 'Unidentified'),
      key('KeyA', 'a', { isComposing: true }),
    ])
      expect(pc().down(facts)).toEqual({ act: 'field' })
  })
})

describe('keys that stay here', () => {
  test('one leaves the remote page, and never reaches it', () => {
    expect(pc().down(key('F6', 'F6'))).toEqual({ act: 'leave' })
    expect(mac().down(key('F6', 'F6', { shift: true }))).toEqual({ act: 'leave' })
  })

  test('reload and the way back are the session’s; the address and zoom are the viewer’s', () => {
    expect(pc().down(key('F5', 'F5'))).toEqual({ act: 'send', messages: [{ type: 'history', to: 'reload' }] })
    expect(pc().down(key('ArrowLeft', 'ArrowLeft', { alt: true }))).toEqual({
      act: 'send',
      messages: [{ type: 'history', to: 'back' }],
    })
    expect(pc().down(key('KeyL', 'l', { ctrl: true }))).toEqual({ act: 'address' })
    expect(mac().down(key('KeyL', 'l', { meta: true }))).toEqual({ act: 'address' })
    expect(pc().down(key('Equal', '+', { ctrl: true, shift: true }))).toEqual({ act: 'zoom', step: 1 })
    expect(pc().down(key('KeyP', 'p', { ctrl: true }))).toEqual({ act: 'nothing' })
    expect(pc().down(key('F12', 'F12'))).toEqual({ act: 'browser' })
  })

  test('a paste is the field’s, whose event carries the text; after a copy over there it is the remote clipboard’s', () => {
    const keyboard = pc()
    const paste = key('KeyV', 'v', { ctrl: true })
    expect(keyboard.down(paste)).toEqual({ act: 'field' })
    keyboard.down(key('KeyC', 'c', { ctrl: true }))
    expect(keyboard.down(paste)).toMatchObject({ act: 'send', messages: [{ code: 'KeyV', modifiers: 2 }] })
    keyboard.release()
    expect(keyboard.down(paste)).toEqual({ act: 'field' })
  })
})

describe('on a Mac', () => {
  test('the command key is Control there, and what is pressed with it is let go at once', () => {
    const keyboard = mac()
    expect(keyboard.down(key('MetaLeft', 'Meta', { meta: true }))).toMatchObject({
      messages: [{ code: 'ControlLeft', key: 'Control' }],
    })
    expect(keyboard.down(key('KeyA', 'a', { meta: true }))).toMatchObject({
      messages: [
        { kind: 'down', code: 'KeyA', modifiers: 2 },
        { kind: 'up', code: 'KeyA', modifiers: 2 },
      ],
    })
    expect(keyboard.up(key('MetaLeft', 'Meta'))).toMatchObject({ messages: [{ kind: 'up', code: 'ControlLeft' }] })
  })

  test('Option makes characters', () => {
    expect(mac().down(key('KeyO', 'œ', { alt: true }))).toMatchObject({ messages: [{ key: 'œ', modifiers: 0 }] })
  })
})

test('a keyboard on the screen types through the field, which corrects and suggests', () => {
  const keyboard = makeKeyboard({ apple: true, soft: true })
  expect(keyboard.down(key('KeyA', 'a'))).toEqual({ act: 'field' })
  expect(keyboard.down(key('Backspace', 'Backspace'))).toEqual({ act: 'field' })
  expect(keyboard.down(key('Enter', 'Enter'))).toMatchObject({ act: 'send' })
})

test('text becomes keys where every keyboard has them, and whatever is sent fits the contract', () => {
  expect(typed('a')).toMatchObject([
    { type: 'key', kind: 'down', code: 'KeyA', key: 'a' },
    { type: 'key', kind: 'up', code: 'KeyA', key: 'a' },
  ])
  expect(typed('é')).toEqual([{ type: 'text', text: 'é' }])
  expect(typed('漢字')).toEqual([{ type: 'text', text: '漢字' }])
  for (const text of ['a', 'Z', '7', ' ', '👩🏽‍🚀', 'œ'])
    for (const message of typed(text)) expect(liveInput.safeParse(message).success).toBe(true)
})
