/** What a page itself is told of: where the focus goes, and the buttons and keys that have arrived. Nothing of it is seen by the page. */
import type { CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { world } from '../fields/find-focus.ts'

export type ButtonEvent = { readonly kind: 'down' | 'up'; readonly button: number }

const binding = 'probantSeen'

/**
 * Runs in the page's process, in a world of its own, before the page's scripts, so that none of them comes first. Only what a hand did is
 * told, not what a script made up. While one button is held, another is no event of its own: it changes `buttons` (Pointer Events §5.2).
 */
const watch = `(() => {
  const tell = (what) => { try { ${binding}(what) } catch {} }
  for (const type of ['focusin', 'focusout', 'blur', 'focus']) addEventListener(type, () => tell('focus'), true)
  const hear = (type, told) => addEventListener(type, (e) => { const what = told(e); if (e.isTrusted && what !== '') tell(what) }, { capture: true, passive: true })
  hear('pointerdown', (e) => 'down ' + e.button)
  hear('pointerup', (e) => 'up ' + e.button)
  hear('pointermove', (e) => e.button === -1 ? '' : (e.buttons & [1, 4, 2][e.button] ? 'down ' : 'up ') + e.button)
  for (const type of ['pointercancel', 'dragend']) hear(type, () => 'cancel')
  for (const type of ['keydown', 'keyup', 'beforeinput']) hear(type, () => 'key')
})()`

const keys = new WeakMap<CdpSession, number>()

/** How many events of keys and of text pages of this session have seen. */
export const keysSeen = (session: CdpSession): number => keys.get(session) ?? 0

export type Seen = {
  /** The focus has gone from one element to another. */
  focus(): void
  /** Null: the pointer is the browser's own from here on, as when something is dragged. */
  button(event: ButtonEvent | null): void
}

export function watchPage(session: CdpSession, seen: Seen): readonly Promise<unknown>[] {
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== binding) return
    if (payload === 'focus') return seen.focus()
    if (payload === 'key') return void keys.set(session, keysSeen(session) + 1)
    const [kind, button] = payload.split(' ')
    if (kind === 'cancel') seen.button(null)
    else if (kind === 'down' || kind === 'up') seen.button({ kind, button: Number(button) })
  })
  return [
    session.send('Runtime.addBinding', { name: binding, executionContextName: world }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: watch, worldName: world, runImmediately: true }),
  ]
}
