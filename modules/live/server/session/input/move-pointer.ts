/** The mouse, by real events of the display; the wheel and touch by the browser, whose steps are finer (decision 0207). */
import { CdpError, CdpTimeout } from '../../../../../platform/browser/cdp-connection.ts'
import type { RecordedDisplay } from '../../../../../platform/display/recorded-display.ts'
import type { LiveInput } from '../../../contract/live.ts'
import type { ButtonEvent } from '../tabs/watch-page.ts'
import type { Tab } from '../tabs/tab.ts'

type PointerInput = Extract<LiveInput, { type: 'pointer' }>
type TouchInput = Extract<LiveInput, { type: 'touch' }>

export type Pointer = {
  act(tab: Tab, input: PointerInput): Promise<void>
  touch(tab: Tab, input: TouchInput): Promise<void>
  release(tab: Tab | null): Promise<void>
}

/** MouseEvent.button to the numbers of X11: 1 left, 2 middle, 3 right, 8 back, 9 forward. */
const buttons = [1, 2, 3, 8, 9] as const

/** @param given told of each button before the display is given it */
export function createPointer(
  display: Pick<RecordedDisplay, 'pointer' | 'picture'>,
  given: (tab: Tab, event: ButtonEvent) => void,
): Pointer {
  const { width, pageHeight } = display.picture
  const down = new Set<number>()
  const touching = new Map<number, { x: number; y: number; id: number; force: number }>()
  // The strip below the page is the witness's own.
  const clamp = (x: number, y: number): [number, number] => [
    Math.min(width - 1, Math.max(0, Math.round(x))),
    Math.min(pageHeight - 1, Math.max(0, Math.round(y))),
  ]
  const patiently = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (!(error instanceof CdpTimeout || error instanceof CdpError)) throw error
    }
  }
  const dispatchTouch = (tab: Tab, kind: TouchInput['kind'], points: TouchInput['points']) =>
    patiently(
      tab.session.send(
        'Input.dispatchTouchEvent',
        {
          type: ({ start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' } as const)[kind],
          touchPoints: points.map(({ x, y, id, force }) => {
            const [left, top] = clamp(x, y)
            return { x: (left * 100) / tab.zoom, y: (top * 100) / tab.zoom, id, force }
          }),
        },
        { timeoutMs: 2_000 },
      ),
    )
  return {
    act: async (tab, { kind, x, y, button, dx, dy }) => {
      const [left, top] = clamp(x, y)
      if (kind === 'wheel') {
        await display.pointer.move(left, top)
        await patiently(
          tab.session.send(
            'Input.dispatchMouseEvent',
            { type: 'mouseWheel', x: (left * 100) / tab.zoom, y: (top * 100) / tab.zoom, deltaX: dx, deltaY: dy },
            { timeoutMs: 1_000 },
          ),
        )
        return
      }
      await display.pointer.move(left, top)
      const number = buttons[button] ?? 1
      if (kind === 'down') {
        down.add(number)
        given(tab, { kind, button })
        await display.pointer.down(number)
      } else if (kind === 'up') {
        down.delete(number)
        given(tab, { kind, button })
        await display.pointer.up(number)
      }
    },
    touch: async (tab, { kind, points }) => {
      if (kind === 'start' || kind === 'move') {
        for (const point of points) touching.set(point.id, point)
        await dispatchTouch(tab, kind, [...touching.values()])
        return
      }
      // What is left is named: a point that is no longer among them was lifted (Input.dispatchTouchEvent).
      for (const { id } of points) touching.delete(id)
      if (points.length === 0 || kind === 'cancel') touching.clear()
      await dispatchTouch(tab, kind, [...touching.values()])
    },
    release: async (tab) => {
      for (const number of down) await display.pointer.up(number)
      down.clear()
      if (touching.size === 0) return
      touching.clear()
      if (tab !== null) await dispatchTouch(tab, 'cancel', [])
    },
  }
}
