import { expect, test } from 'vitest'
import { liveInput, type LiveInputSent } from '../../contract/live.ts'
import { makeGestures, type Finger } from './gestures.ts'

const finger = (x: number, y: number, id = 1): Finger => ({ id, x, y, force: 0.5 })

/** A picture drawn at half its size. */
function hand(touch: boolean) {
  const sent: LiveInputSent[] = []
  const views: { zoom: number; anchor: { x: number; y: number }; at: { x: number; y: number } }[] = []
  let pending: (() => void) | null = null
  let felt = 0
  const double = ({ x, y }: { x: number; y: number }) => ({ x: x * 2, y: y * 2 })
  const gestures = makeGestures({
    touch,
    toPage: double,
    toPicture: double,
    scale: () => 0.5,
    zoom: () => 1,
    send: (message) => {
      expect(liveInput.safeParse(message).success).toBe(true)
      sent.push(message)
    },
    view: (zoom, anchor, at) => views.push({ zoom, anchor, at }),
    later: (action) => {
      pending = action
      return () => {
        pending = null
      }
    },
    felt: () => {
      felt += 1
    },
  })
  return {
    ...gestures,
    sent,
    views,
    felt: () => felt,
    wait: () => pending?.(),
    waits: () => pending !== null,
  }
}

const kinds = (sent: readonly LiveInputSent[]) =>
  sent.map((message) => ('kind' in message ? `${message.type} ${message.kind}` : message.type))

test('a tap is a click where the finger came down', () => {
  const h = hand(false)
  h.start([finger(100, 50)])
  h.move([finger(104, 53)])
  h.end([], finger(104, 53))
  expect(h.sent).toMatchObject([
    { kind: 'move', x: 200, y: 100 },
    { kind: 'down', x: 200, y: 100, button: 0 },
    { kind: 'up', x: 200, y: 100, button: 0 },
  ])
  expect(h.waits()).toBe(false)
})

test('a drag scrolls as far as the finger goes, in pixels of the page', () => {
  const h = hand(false)
  h.start([finger(100, 300)])
  h.move([finger(100, 250)])
  h.move([finger(95, 200)])
  h.end([], finger(95, 200))
  const wheels = h.sent.filter((message) => message.type === 'pointer' && message.kind === 'wheel')
  expect(wheels).toMatchObject([
    { dx: 0, dy: 100 },
    { dx: 10, dy: 100 },
  ])
  expect(kinds(h.sent)).not.toContain('pointer down')
})

test('a long press is a right click; moved after it, a drag', () => {
  const right = hand(false)
  right.start([finger(10, 10)])
  right.wait()
  expect(right.felt()).toBe(1)
  right.end([], finger(12, 10))
  expect(right.sent.at(-1)).toMatchObject({ kind: 'up', button: 2 })

  const drag = hand(false)
  drag.start([finger(10, 10)])
  drag.wait()
  drag.move([finger(60, 10)])
  drag.move([finger(80, 10)])
  drag.end([], finger(80, 10))
  expect(kinds(drag.sent)).toEqual(['pointer move', 'pointer down', 'pointer move', 'pointer move', 'pointer up'])
  expect(drag.sent.at(-1)).toMatchObject({ x: 160, button: 0 })
})

test('two fingers move and zoom our view: nothing reaches the page, and the finger that stays does nothing', () => {
  const h = hand(false)
  h.start([finger(100, 100)])
  h.start([finger(100, 100), finger(200, 100, 2)])
  h.move([finger(50, 100), finger(250, 100, 2)])
  expect(h.views).toEqual([{ zoom: 2, anchor: { x: 300, y: 200 }, at: { x: 150, y: 100 } }])
  h.end([finger(50, 100)], finger(250, 100, 2))
  h.move([finger(50, 10)])
  h.end([], finger(50, 10))
  expect(h.sent).toEqual([])
  h.start([finger(5, 5)])
  h.end([], finger(5, 5))
  expect(kinds(h.sent)).toEqual(['pointer move', 'pointer down', 'pointer up'])
})

test('on an emulated phone one finger is a finger, and is taken back when a second comes', () => {
  const h = hand(true)
  h.start([finger(10, 10)])
  h.move([finger(20, 10)])
  h.end([], finger(20, 10))
  expect(h.sent).toMatchObject([
    { kind: 'start', points: [{ id: 1, x: 20, y: 20 }] },
    { kind: 'move', points: [{ x: 40 }] },
    { kind: 'end', points: [] },
  ])
  h.sent.length = 0
  h.start([finger(10, 10)])
  h.start([finger(10, 10), finger(30, 10, 2)])
  expect(kinds(h.sent)).toEqual(['touch start', 'touch cancel'])
})

test('what the browser takes away is let go over there', () => {
  const h = hand(false)
  h.start([finger(10, 10)])
  h.wait()
  h.move([finger(60, 10)])
  h.cancel()
  expect(h.sent.at(-1)).toEqual({ type: 'release' })
})
