import { writeEnvelope } from '../../../../kernel/envelope.ts'
import { click, sources, type Happening, type RecordedEvent } from './events.ts'
import { numberNodes, serialize, type Numbers } from './serialize.ts'

/** What was gathered goes out so often, and no later than the page. */
const everyMs = 5000
/** What changes is looked at once it is still for so long. */
const stillMs = 300
/** A recording that is longer ends. */
const mostSegments = 120

const page = () => `${location.origin}${location.pathname}`
const randomId = () => crypto.randomUUID().replaceAll('-', '')

/** One part of a recording, as Sentry’s session replay takes it. */
export function segment(
  recording: { readonly id: string; readonly startedAt: number; readonly number: number },
  events: readonly RecordedEvent[],
  now: Date,
): string {
  const { id, startedAt, number } = recording
  const event = {
    type: 'replay_event',
    event_id: id,
    replay_id: id,
    replay_type: 'session',
    segment_id: number,
    replay_start_timestamp: startedAt / 1000,
    timestamp: now.getTime() / 1000,
    platform: 'javascript',
    urls: [page()],
    error_ids: [],
    trace_ids: [],
  }
  return writeEnvelope(id, now, [
    { type: 'replay_event', payload: JSON.stringify(event) },
    { type: 'replay_recording', payload: `${JSON.stringify({ segment_id: number })}\n${JSON.stringify(events)}` },
  ])
}

/** Where on the page, and what changes there; of what is typed or read, nothing. */
function observe(numbers: Numbers, take: (event: Happening) => void): () => void {
  const add = (data: { source: number } & Readonly<Record<string, unknown>>) => take({ type: 3, data })
  const body = numbers.of(document.body)
  let inside = [...document.body.childNodes].flatMap((child) => numbers.known(child) ?? [])
  // The page is told whole again: what React does in between is no matter of who watches.
  const retell = () => {
    const nodes = [...document.body.childNodes].flatMap((child) => serialize(child, numbers) ?? [])
    const removes = inside.map((id) => ({ parentId: body, id }))
    inside = nodes.map(({ id }) => id)
    const adds = nodes.map((node) => ({ parentId: body, nextId: null, node }))
    add({ source: sources.mutation, texts: [], attributes: [], removes, adds })
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const changes = new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(retell, stillMs)
  })
  changes.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
  const onClick = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const id = target instanceof Node ? numbers.known(target) : null
    if (id !== null) add({ source: sources.mouse, type: click, id, x: Math.round(x), y: Math.round(y) })
  }
  const onScroll = () => add({ source: sources.scroll, id: numbers.of(document), x: Math.round(scrollX), y: Math.round(scrollY) })
  const onResize = () => add({ source: sources.resize, width: innerWidth, height: innerHeight })
  document.addEventListener('click', onClick, { capture: true })
  document.addEventListener('scrollend', onScroll)
  window.addEventListener('resize', onResize)
  return () => {
    clearTimeout(timer)
    changes.disconnect()
    document.removeEventListener('click', onClick, { capture: true })
    document.removeEventListener('scrollend', onScroll)
    window.removeEventListener('resize', onResize)
  }
}

/**
 * T-04: records from now on until what it returns is called. Every letter is replaced before anything leaves; fields are recorded empty,
 * pictures and frames not at all.
 * @param address where envelopes are posted to
 */
export function recordSession(address: string): () => void {
  const id = randomId()
  const startedAt = Date.now()
  const numbers = numberNodes()
  let number = 0
  let events: RecordedEvent[] = []
  const take = (event: Happening) => void events.push({ ...event, timestamp: Date.now() })
  const send = () => {
    if (events.length === 0 || number >= mostSegments) return
    const body = segment({ id, startedAt, number }, events, new Date())
    events = []
    number += 1
    fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'omit', body }).catch(() => undefined)
  }
  take({ type: 4, data: { href: page(), width: innerWidth, height: innerHeight } })
  const node = serialize(document, numbers)
  if (node !== null) take({ type: 2, data: { node, initialOffset: { left: scrollX, top: scrollY } } })
  const stopObserving = observe(numbers, take)
  send()
  const timer = setInterval(send, everyMs)
  window.addEventListener('pagehide', send)
  return () => {
    stopObserving()
    clearInterval(timer)
    window.removeEventListener('pagehide', send)
    send()
  }
}
