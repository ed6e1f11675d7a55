import type { LiveInputSent } from '../../contract/live.ts'
import { backspace, enter, typed } from './keyboard.ts'

/**
 * From a hidden text field of the visitor's own page to the field that has the focus over there. The hidden field keeps a copy of
 * the last that was written, so that keyboards on screens can correct and suggest; what changes in the copy is done over there by
 * deleting and writing. New compositions (IME, dead keys) are passed on as they grow.
 *
 * Events differ in their order between browsers (UI Events §5.2.5: `input` before or after `compositionend`); the copy is what
 * counts, so that the same change is never sent twice.
 */
export type TextBridge = {
  /** What the hidden field begins with: something to delete, without which no deletion is told by keyboards on screens. */
  readonly blank: string
  readonly compositionStart: (data: string) => void
  readonly compositionUpdate: (data: string) => void
  readonly compositionEnd: (data: string, value: string) => void
  /** `value` of the field after an `input` event. @returns what the field shall hold instead, or null */
  readonly input: (value: string) => string | null
  /** The focus over there moved, or was clicked elsewhere. @returns what the field shall hold */
  readonly reset: () => string
}

const blank = ' '.repeat(16)
const longest = 500
const mostTextAtOnce = 10_000
const mostComposed = 1_000
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Where two texts begin to differ, never inside what is one character to a reader. */
export function commonStart(before: string, after: string): number {
  let at = 0
  while (at < before.length && at < after.length && before[at] === after[at]) at += 1
  if (at === before.length && at === after.length) return at
  const start = (text: string) => (at >= text.length ? at : (graphemes.segment(text).containing(at)?.index ?? at))
  return Math.min(start(before), start(after))
}

export function makeTextBridge(send: (message: LiveInputSent) => void): TextBridge {
  let known = blank
  let composing: 'no' | 'new' | 'again' = 'no'

  function write(text: string): void {
    for (const [i, line] of text.split('\n').entries()) {
      if (i > 0) enter.forEach(send)
      for (let at = 0; at < line.length; at += mostTextAtOnce) typed(line.slice(at, at + mostTextAtOnce)).forEach(send)
    }
  }

  function follow(value: string): void {
    const at = commonStart(known, value)
    for (const _ of graphemes.segment(known.slice(at))) backspace.forEach(send)
    if (value.length > at) write(value.slice(at))
    known = value
  }

  return {
    blank,
    compositionStart(data) {
      // Composed anew over what stands there already: then the copy says what changed.
      composing = data === '' ? 'new' : 'again'
    },
    compositionUpdate(data) {
      if (composing !== 'new') return
      const text = data.slice(0, mostComposed)
      send({ type: 'compose', text, start: text.length, end: text.length })
    },
    compositionEnd(data, value) {
      if (composing === 'new') {
        if (data === '') send({ type: 'compose', text: '', start: 0, end: 0 })
        else send({ type: 'text', text: data.slice(0, mostTextAtOnce) })
        known = value
      } else if (composing === 'again') follow(value)
      composing = 'no'
    },
    input(value) {
      if (composing === 'new') return null
      follow(value)
      if (composing === 'again') return null
      if (value.length >= blank.length / 2 && value.length <= longest) return null
      known = blank + value.trimStart().slice(-longest / 2)
      return known
    },
    reset() {
      if (composing === 'new') send({ type: 'compose', text: '', start: 0, end: 0 })
      composing = 'no'
      known = blank
      return blank
    },
  }
}
