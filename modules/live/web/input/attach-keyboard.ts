import type { LiveInputSent } from '../../contract/live.ts'
import { makeKeyboard, type KeyAct, type KeyFacts } from './keyboard.ts'
import { makeTextBridge } from './text-bridge.ts'

export type TextField = HTMLTextAreaElement | HTMLInputElement

export type KeyboardDeps = {
  /** Hidden; they take the keyboard. */
  readonly fields: readonly TextField[]
  /** The one in use: a password is typed into a field for passwords, whose words keyboards on screens do not learn. */
  readonly field: () => TextField
  /** Whether this viewer's input counts. */
  readonly controls: () => boolean
  readonly send: (message: LiveInputSent) => void
  readonly paste: (text: string) => void
  readonly act: (act: Exclude<KeyAct['act'], 'send' | 'field' | 'browser' | 'nothing'>, step: number) => void
  /** What waits to be sent of the pointer goes before a key. */
  readonly flush: () => void
  /** The keyboard is elsewhere now. */
  readonly lost: () => void
  readonly signal: AbortSignal
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Keys, text and clipboard of the viewer, to the session. */
export function attachKeyboard(deps: KeyboardDeps) {
  const { fields, signal } = deps
  const keyboard = makeKeyboard({ apple: isApple, soft: matchMedia('(pointer: coarse)').matches })
  const text = makeTextBridge((message) => deps.send(message))

  function blankField(): void {
    const field = deps.field()
    for (const other of fields) if (other !== field) other.value = ''
    field.value = text.reset()
    field.setSelectionRange(field.value.length, field.value.length)
  }

  const factsOf = (event: KeyboardEvent): KeyFacts => ({
    code: event.code,
    key: event.key,
    repeat: event.repeat,
    isComposing: event.isComposing,
    ctrl: event.ctrlKey,
    alt: event.altKey,
    shift: event.shiftKey,
    meta: event.metaKey,
    altGraph: event.getModifierState('AltGraph'),
  })
  function onKey(event: KeyboardEvent): void {
    const isDown = event.type === 'keydown'
    const act = isDown ? keyboard.down(factsOf(event)) : keyboard.up(factsOf(event))
    if (act.act === 'leave') {
      event.preventDefault()
      deps.act('leave', 0)
      return
    }
    if (!deps.controls() || act.act === 'browser' || act.act === 'field') return
    event.preventDefault()
    if (act.act === 'send') {
      deps.flush()
      for (const message of act.messages) deps.send(message)
      // The copy in the field is of what stands before the caret over there; keys move that.
      if (isDown && deps.field().value !== text.blank && !/^(Shift|Control|Alt|Meta)/.test(event.key)) blankField()
    } else if (act.act === 'zoom') deps.act('zoom', act.step)
    else if (act.act === 'address') deps.act('address', 0)
  }
  function onInput(field: TextField): void {
    if (!deps.controls()) {
      blankField()
      return
    }
    const instead = text.input(field.value)
    // What is secret stays in no field of ours.
    if (field instanceof HTMLInputElement) blankField()
    else if (instead !== null) {
      field.value = instead
      field.setSelectionRange(instead.length, instead.length)
    }
  }
  function onPaste(event: ClipboardEvent): void {
    event.preventDefault()
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    if (pasted !== '' && deps.controls()) deps.paste(pasted)
  }
  function listen(field: TextField): void {
    const element: HTMLElement = field
    element.addEventListener('keydown', onKey, { signal })
    element.addEventListener('keyup', onKey, { signal })
    element.addEventListener('compositionstart', (event) => text.compositionStart(event.data), { signal })
    element.addEventListener(
      'compositionupdate',
      (event) => {
        if (deps.controls()) text.compositionUpdate(event.data)
      },
      { signal },
    )
    element.addEventListener(
      'compositionend',
      (event) => {
        if (deps.controls()) text.compositionEnd(event.data, field.value)
        if (!deps.controls() || field instanceof HTMLInputElement) blankField()
      },
      { signal },
    )
    element.addEventListener('input', () => onInput(field), { signal })
    element.addEventListener('paste', onPaste, { signal })
    element.addEventListener('focus', blankField, { signal })
    element.addEventListener('blur', () => deps.lost(), { signal })
  }

  fields.forEach(listen)
  return { blank: blankField, release: () => keyboard.release() }
}
