/** What the controller does, in order: pointer, touch, keys, text, paste, addresses, tabs. Each is in the timeline; secrets never are. */
import type { RecordedDisplay } from '../../../../../platform/display/recorded-display.ts'
import { parseWebAddress } from '../../../../../kernel/web-address.ts'
import type { LiveInput, LiveNotice, LiveOutput } from '../../../contract/live.ts'
import type { ButtonEvent } from '../tabs/watch-page.ts'
import { awaitPointer, realTime, type WaitingTime } from './await-pointer.ts'
import type { Focused } from '../fields/find-focus.ts'
import { followFocus } from './follow-focus.ts'
import { modifier } from './key-codes.ts'
import type { PageLeaving } from './leave-page.ts'
import { createPointer } from './move-pointer.ts'
import { createKeyboard, type Taken } from './press-keys.ts'
import type { Secrets } from '../fields/secrets.ts'
import type { NavigationCause, Tab } from '../tabs/tab.ts'
import type { Tabs } from '../tabs/tabs.ts'
import type { Timeline } from '../timeline/timeline.ts'

export type Steering = {
  /** Inputs of the page; whatever it is not made for it leaves alone. */
  act(input: LiveInput): Promise<void>
  paste(text: string, secret: boolean): Promise<'pasted' | 'no_field' | 'refused'>
  navigate(address: string): Promise<void>
  focusMoved(tab: Tab): void
  /** As `TabEvents.buttonSeen`. */
  buttonSeen(tab: Tab, event: ButtonEvent | null): void
  release(): Promise<void>
  /** What had not been written yet of a movement. */
  flush(): void
}

const moveEveryMs = 100
/** Frames may be removed one after the other while a key looks for whom it is for. */
const mostGone = 8

export function createSteering(deps: {
  readonly tabs: Tabs
  readonly display: Pick<RecordedDisplay, 'pointer' | 'keys' | 'picture' | 'setClipboard'>
  readonly timeline: Timeline
  readonly secrets: Secrets
  readonly allowAddresses: readonly string[]
  readonly leaving: Pick<PageLeaving, 'leave'>
  readonly tell: (code: LiveNotice, data: Readonly<Record<string, string | number>>) => void
  readonly send: (message: LiveOutput) => void
  readonly quietly: (work: Promise<unknown>) => void
  readonly time?: WaitingTime
}): Steering {
  const { tabs, timeline, secrets, quietly } = deps
  const keyboard = createKeyboard()
  const buttons = awaitPointer(deps.time ?? realTime)
  const pointer = createPointer(deps.display, (tab, event) => {
    // The browser's own dialogs take buttons and keys of the display alike.
    if (tab.crashed === null && tab.dialog === null) buttons.given(tab, event)
  })
  const focus = followFocus(deps)
  const place = (): Tab | null => {
    const tab = tabs.active()
    return tab === null || tab.crashed !== null ? null : tab
  }

  /** Whatever types comes after the buttons that were pressed before it, and goes where they have put the focus. */
  const pointed = async (): Promise<void> => {
    if (await buttons.settled()) focus.stale()
  }

  let moved: { at: number; x: number; y: number } | null = null
  let movedAt = Number.NEGATIVE_INFINITY
  const flush = () => {
    if (moved === null) return
    timeline.add('pointer', { kind: 'move', x: moved.x, y: moved.y }, moved.at)
    movedAt = moved.at
    moved = null
  }
  const notePointer = (input: Extract<LiveInput, { type: 'pointer' }>) => {
    const at = performance.now()
    const { kind, x, y } = input
    if (kind === 'move') {
      moved = { at, x, y }
      if (at - movedAt >= moveEveryMs) flush()
      return
    }
    flush()
    timeline.add('pointer', kind === 'wheel' ? { kind, x, y, dx: input.dx, dy: input.dy } : { kind, x, y, button: input.button })
  }

  /** Keys that are down and went to a masked field: pages move the focus while they are. */
  const hidden = new Set<string>()
  const nameOf = ({ code, key }: Readonly<Record<string, unknown>>): string => String(code === '' ? key : code).toLowerCase()
  const goesUp = (data: Readonly<Record<string, unknown>>, { kind }: Readonly<Record<string, unknown>>): boolean =>
    kind === 'up' && hidden.delete(nameOf(data))

  /** Runs something that types, and notes it: what went to a masked field, before or after, is not written down. */
  const typing = async (
    type: 'key' | 'text',
    data: Readonly<Record<string, unknown>>,
    about: Readonly<Record<string, unknown>>,
    run: (tab: Tab, field: Focused | null) => Promise<Taken | 'refused'>,
  ): Promise<void> => {
    const fields = new Set<Focused>()
    let tab = place()
    let unseen = false
    for (let gone = 0; ; gone += 1) {
      if (tab === null) return
      const before = await focus.settled()
      unseen ||= focus.unseen()
      if (before !== null) fields.add(before)
      if (secrets.full() && (unseen || focus.isMasked(before))) return refuseSecret(tab)
      if ((await run(tab, before)) !== 'gone' || gone === mostGone) break
      // Nobody had it yet: it goes to whoever has the focus now.
      focus.stale()
      tab = place()
    }
    const after = await focus.settled()
    if (after !== null) fields.add(after)
    if (focus.unseen()) focus.owe()
    // Where nobody knows what has the focus, it may be a password's field. A key that went down there goes up unsaid, wherever that is.
    const secret = goesUp(data, about) || unseen || focus.unseen() || [...fields].some((field) => focus.isMasked(field))
    // Keys that have names write nothing: Enter, Tab, arrows.
    const named = typeof data['key'] === 'string' && /^[A-Z][A-Za-z0-9]+$/.test(data['key'])
    if (secret && !named && about['kind'] === 'down') hidden.add(nameOf(data))
    timeline.add(type, secret && !named ? { ...about, tab: tab.number, masked: true } : { ...about, ...data, tab: tab.number })
    for (const field of fields) if (focus.isMasked(field)) await secrets.typed(field, tab.url)
  }

  /** Rather not typed than left in a piece. */
  const refuseSecret = (tab: Tab): void => {
    timeline.add('warning', { code: 'secrets_full', tab: tab.number })
    deps.tell('secret_refused', {})
  }

  const history = async (tab: Tab, to: Extract<LiveInput, { type: 'history' }>['to']): Promise<void> => {
    timeline.add('history', { to, tab: tab.number })
    if (to === 'stop') return quietly(tab.session.send('Page.stopLoading'))
    secrets.commit()
    await deps.leaving.leave(tab)
    if (to === 'reload') {
      tab.asked = 'reload'
      return quietly(tab.session.send('Page.reload'))
    }
    const { currentIndex, entries } = await tab.session.send('Page.getNavigationHistory')
    const entry = entries[currentIndex + (to === 'back' ? -1 : 1)]
    if (entry === undefined || (entry.url === 'about:blank' && currentIndex === 1)) return
    tab.asked = to satisfies NavigationCause
    quietly(tab.session.send('Page.navigateToHistoryEntry', { entryId: entry.id }))
  }

  let addresses = 0
  const navigate = async (address: string): Promise<void> => {
    const tab = tabs.active()
    if (tab === null) return
    const parsed = parseWebAddress(address, deps.allowAddresses)
    if (!parsed.ok) {
      timeline.add('navigation', { act: 'refused', reason: parsed.code, tab: tab.number })
      deps.tell('navigation_refused', { ...parsed.data, reason: parsed.code })
      return
    }
    secrets.commit()
    timeline.add('navigation', { act: 'asked', url: parsed.url, cause: 'address', tab: tab.number })
    // Before the navigation: the next page may come to live in the process that the script keeps busy.
    await deps.leaving.leave(tab)
    tab.asked = 'address'
    addresses += 1
    const own = addresses
    // It settles when the site answers; what is shown then says how it went.
    const going = tab.session.send('Page.navigate', { url: parsed.url, transitionType: 'typed' }, { timeoutMs: 120_000 })
    const gone = going.then(({ isDownload, errorText }) => {
      // No page came of it: what leads to the next one is something else.
      if (own === addresses && (isDownload === true || errorText === 'net::ERR_ABORTED') && tab.asked === 'address')
        tab.asked = null
    })
    quietly(gone)
  }

  const key = async (input: Extract<LiveInput, { type: 'key' }>): Promise<void> => {
    const tab = tabs.active()
    if (tab === null) return
    const { kind, code, key: name, modifiers } = input
    // The browser's own dialogs take keys of the display alone.
    if (tab.dialog !== null) {
      if (kind === 'down') {
        timeline.add('key', { kind, code, key: name, modifiers, dialog: true, tab: tab.number })
        await deps.display.keys.press(name)
      }
      return
    }
    const control = (modifiers & (modifier.control | modifier.meta)) !== 0
    const alt = (modifiers & modifier.alt) !== 0
    const steers =
      code === 'F5' || (control && !alt && name.toLowerCase() === 'r')
        ? 'reload'
        : alt && !control && code === 'ArrowLeft'
          ? 'back'
          : alt && !control && code === 'ArrowRight'
            ? 'forward'
            : null
    if (steers !== null) {
      if (kind === 'down') await history(tab, steers)
      return
    }
    const sends = kind === 'down' && /^(?:Enter|NumpadEnter|Tab)$/.test(code === '' ? name : code)
    if (sends) await focus.read()
    await typing('key', { code, key: name, modifiers }, { kind }, async (own, field) => {
      if (sends && field !== null && focus.isMasked(field)) {
        await secrets.typed(field, own.url)
        secrets.commit()
      }
      return await keyboard.press(field?.session ?? own.session, input)
    })
  }

  return {
    act: async (input) => {
      if (input.type === 'key' || input.type === 'text' || input.type === 'compose') await pointed()
      const tab = tabs.active()
      switch (input.type) {
        case 'pointer':
          notePointer(input)
          if (tab === null) return
          if (input.button > 2 && (input.kind === 'down' || input.kind === 'up')) {
            // Back and forward: asked for by us, so that what they led to is known to have come of them.
            if (input.kind === 'up') await history(tab, input.button === 3 ? 'back' : 'forward')
            return
          }
          if (input.kind === 'down') {
            await focus.read()
            const field = focus.field()
            if (field !== null && focus.isMasked(field)) await secrets.typed(field, tab.url)
            secrets.commit()
          }
          return await pointer.act(tab, input)
        case 'touch':
          if (input.kind !== 'move')
            timeline.add('touch', { kind: input.kind, points: input.points.map(({ id, x, y }) => ({ id, x, y })) })
          if (place() !== null && tab !== null) await pointer.touch(tab, input)
          return
        case 'key':
          return await key(input)
        case 'text':
          if (tab?.dialog != null) {
            timeline.add('text', { text: input.text, dialog: true, tab: tab.number })
            return await deps.display.keys.type(input.text)
          }
          return await typing('text', { text: input.text }, {}, (own, field) =>
            keyboard.type(field?.session ?? own.session, input.text),
          )
        case 'compose':
          return await typing('text', { text: input.text }, { composing: true }, (own, field) =>
            keyboard.compose(field?.session ?? own.session, input.text, input.start, input.end),
          )
        case 'release':
          return await release()
        case 'navigate':
          return await navigate(input.url)
        case 'history':
          return tab === null ? undefined : await history(tab, input.to)
        case 'zoom':
          if (tab === null) return
          timeline.add('zoom', { percent: input.percent, tab: tab.number })
          return await tabs.setZoom(tab, input.percent)
        case 'tab': {
          const named = tabs.find(input.tab)
          if (input.act === 'new') {
            if (!(await tabs.open())) deps.tell('tab_limit', {})
          } else if (named !== null) {
            timeline.add('tab', { act: input.act, tab: named.number })
            await release()
            await (input.act === 'select' ? tabs.select(named) : tabs.close(named))
          }
          return
        }
        default:
          return
      }
    },
    paste: async (text, secret) => {
      await pointed()
      const tab = place()
      if (tab === null || tab.dialog !== null) return 'no_field'
      let field = await focus.settled()
      if (field === null || !field.editable) return 'no_field'
      if (secret || focus.isMasked(field)) {
        if (!(await focus.mask(field)) && !field.password) return 'refused'
        if (secrets.full()) {
          refuseSecret(tab)
          return 'refused'
        }
        secrets.keep(text, secret ? 'paste' : 'password_field', tab.url)
        timeline.add('paste', { tab: tab.number, masked: true })
        deps.tell('secret_masked', {})
        focus.stale()
        // Not by the clipboard: any page could ask for it later, and so could the next paste.
        // Never in another field than this one, which is masked.
        if ((await keyboard.type(field.session, text)) === 'gone') return 'no_field'
        await secrets.typed(field, tab.url)
        return 'pasted'
      }
      timeline.add('paste', { tab: tab.number, text, length: text.length })
      await deps.display.setClipboard(text)
      for (let gone = 0; (await keyboard.paste(field.session)) === 'gone' && gone < mostGone; gone += 1) {
        focus.stale()
        field = await focus.settled()
        if (field === null || !field.editable) return 'no_field'
      }
      return 'pasted'
    },
    navigate,
    focusMoved: (tab) => {
      if (tab === tabs.active()) quietly(focus.moved())
    },
    buttonSeen: (tab, event) => buttons.seen(tab, event),
    release,
    flush,
  }

  async function release(): Promise<void> {
    flush()
    const tab = place()
    await pointer.release(tab)
    if (tab !== null) await keyboard.release(focus.field()?.session ?? tab.session)
  }
}
