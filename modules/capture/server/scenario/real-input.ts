import { setTimeout as pause } from 'node:timers/promises'
import { CdpError } from '../../../../platform/browser/cdp-connection.ts'
import type { PageState } from '../page/open-page.ts'
import { callOnElement, isFrameGone, type FoundElement, type PageFrame } from './page-frames.ts'

const answerMs = 10_000

export type Point = { readonly x: number; readonly y: number }

/** Where a frame's own corner stands in the window: the corner of its element, frame by frame upwards. */
async function cornerOf(page: PageState, frame: PageFrame): Promise<Point> {
  let [x, y] = [0, 0]
  for (let session = frame.session; session !== page.session;) {
    const held = [...page.frames].find(([, each]) => each.session === session)
    if (held === undefined) throw new CdpError('the frame has gone')
    const [id, { parent }] = held
    const { backendNodeId } = await parent.send('DOM.getFrameOwner', { frameId: id }, { timeoutMs: answerMs })
    const { model } = await parent.send('DOM.getBoxModel', { backendNodeId }, { timeoutMs: answerMs })
    x += model.content[0] ?? 0
    y += model.content[1] ?? 0
    session = parent
  }
  return { x, y }
}

/** Brings the element into the window. @returns its middle there; null when it takes no room or something lies over it */
export async function aimAt(page: PageState, element: FoundElement): Promise<Point | 'hidden' | 'covered'> {
  const { frame, objectId } = element
  const { session } = frame
  try {
    await session.send('DOM.scrollIntoViewIfNeeded', { objectId }, { timeoutMs: answerMs })
  } catch (error) {
    if (error instanceof CdpError || (!frame.main && isFrameGone(error))) return 'hidden'
    throw error
  }
  const { quads } = await session.send('DOM.getContentQuads', { objectId }, { timeoutMs: answerMs }).catch((error: unknown) => {
    if (error instanceof CdpError || (!frame.main && isFrameGone(error))) return { quads: [] }
    throw error
  })
  const quad = quads.find(
    (each) => Math.abs((each[2] ?? 0) - (each[0] ?? 0)) >= 1 && Math.abs((each[5] ?? 0) - (each[1] ?? 0)) >= 1,
  )
  if (quad === undefined) return 'hidden'
  // What a visitor's pointer would meet there, in the element's own tree.
  const free = await callOnElement<boolean>(
    element,
    `function () {
      const rect = [...this.getClientRects()].find((r) => r.width >= 1 && r.height >= 1)
      if (!rect) return false
      const hit = this.getRootNode().elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2)
      if (!hit) return false
      const label = this.closest('label')
      return hit === this || this.contains(hit) || hit.contains(this) && hit.getRootNode() === this.getRootNode() && hit.closest('a,button,summary,label,[role=button]') === hit || (label !== null && label.contains(hit))
    }`,
  )
  if (!free) return 'covered'
  const corner = await cornerOf(page, frame)
  const middle = (from: 0 | 1) => ((quad[from] ?? 0) + (quad[from + 2] ?? 0) + (quad[from + 4] ?? 0) + (quad[from + 6] ?? 0)) / 4
  return { x: corner.x + middle(0), y: corner.y + middle(1) }
}

/** The mouse itself: moved there, pressed, released, as the browser receives it from a visitor's hand. */
export async function clickAt(page: PageState, { x, y }: Point): Promise<void> {
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', buttons: number) =>
    page.session.send(
      'Input.dispatchMouseEvent',
      { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', buttons, clickCount: type === 'mouseMoved' ? 0 : 1 },
      { timeoutMs: answerMs },
    )
  await mouse('mouseMoved', 0)
  await mouse('mousePressed', 1)
  await mouse('mouseReleased', 0)
}

/** Types into what has the focus. */
export async function typeText(page: PageState, text: string): Promise<void> {
  await page.session.send('Input.insertText', { text }, { timeoutMs: answerMs })
}

/** One turn of the wheel over the middle of the window; positive is down. */
export async function turnWheel(page: PageState, at: Point, deltaY: number): Promise<void> {
  await page.session.send(
    'Input.dispatchMouseEvent',
    { type: 'mouseWheel', x: at.x, y: at.y, deltaX: 0, deltaY, button: 'none' },
    { timeoutMs: answerMs },
  )
}

/** Asks again and again until the answer is not null; null when the time is over first. */
export async function untilAnswered<T>(
  ask: () => Promise<T | null>,
  boundMs: number,
  signal: AbortSignal,
  everyMs = 50,
): Promise<T | null> {
  const began = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() - began >= boundMs) return null
    await pause(everyMs)
  }
}
