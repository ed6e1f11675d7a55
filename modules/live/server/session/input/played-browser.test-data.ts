/**
 * A browser that is played: one thread that takes what comes of the display and what comes of the protocol in any order that is fair, a
 * process for the page and one for each of its frames, and between any two of them delays of any length. Time is its own.
 */
import { PassThrough } from 'node:stream'
import { connectCdp, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import type { Observation } from '../../../../capture/server/page/observe-browser.ts'
import type { WaitingTime } from './await-pointer.ts'
import { followTab } from '../tabs/follow-tab.ts'
import { createSecrets } from '../fields/secrets.ts'
import { createSteering } from './steer-page.ts'
import { silentEvents, type Tabs } from '../tabs/tabs.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** What is read of them. */
type Params = {
  readonly type?: string
  readonly text?: string
  readonly commands?: readonly string[]
  readonly objectId?: string
  readonly name?: string
}
type Command = {
  readonly id: number
  readonly method: string
  readonly params: Params
  readonly sessionId?: string
}
/** Of each field: what it took, in order. */
export type TakenKey = { readonly text: string; readonly by: string }

/** As often as one that waits may be passed over. */
const mostPassed = 4

export function playBrowser(random: (below: number) => number) {
  let clock = 0
  let serial = 0
  const agenda: { readonly at: number; readonly n: number; readonly run: () => void; off: boolean }[] = []
  const at = (ms: number, run: () => void): (() => void) => {
    const one = { at: clock + ms, n: (serial += 1), run, off: false }
    const behind = agenda.findLastIndex((other) => other.at <= one.at)
    agenda.splice(behind + 1, 0, one)
    return () => void (one.off = true)
  }
  /** Mostly next to nothing, now and then much. */
  const delay = (): number => (random(20) === 0 ? random(400) : random(4))
  /** What is put in comes out in order, later. */
  const line = (): ((run: () => void) => void) => {
    let free = 0
    return (run) => {
      free = Math.max(free, clock + delay())
      at(free - clock, run)
    }
  }
  /** A thread with several queues: each in order, none passed over for long. */
  const thread = <Q extends string>(...names: readonly Q[]) => {
    const queues = names.map((name) => ({ name, waits: [] as (() => void)[], passed: 0 }))
    let working = false
    const work = (): void => {
      const ready = queues.filter(({ waits }) => waits.length > 0)
      const next = ready.find(({ passed }) => passed >= mostPassed) ?? ready[random(ready.length)]
      working = next !== undefined
      if (next === undefined) return
      for (const queue of ready) queue.passed = queue === next ? 0 : queue.passed + 1
      const run = next.waits.shift() as () => void
      at(delay(), () => {
        run()
        work()
      })
    }
    return (name: Q, run: () => void): void => {
      queues.find((queue) => queue.name === name)?.waits.push(run)
      if (!working) work()
    }
  }

  const toBrowser = new PassThrough()
  const fromBrowser = new PassThrough()
  const cdp = connectCdp(toBrowser, fromBrowser)
  const toNode = line()
  const say = (message: object) => toNode(() => void fromBrowser.write(`${JSON.stringify(message)}\0`))
  const main = thread('display', 'protocol')
  const taken: TakenKey[] = []
  const lost: string[] = []
  let clipboard = ''

  const newProcess = (id: string) => {
    const run = thread('input', 'protocol')
    const up = line()
    return {
      id,
      run,
      /** To the browser, in order with all else that it tells. */
      up,
      alive: true,
      /** Held until it is dressed, nothing of it is on the screen. */
      shown: false,
      binding: '',
      /** Element with the focus; the name of a frame stands for the frame. */
      focus: 'body' as string | null,
      document: 0,
    }
  }
  type Process = ReturnType<typeof newProcess>
  const process = new Map<string, Process>()
  /** By the binding of the world beside the page's; what is gone tells nothing. */
  const tell = (own: Process, payload: string): void => {
    const params = { name: own.binding, payload, executionContextId: 1 }
    if (own.alive) say({ sessionId: own.id, method: 'Runtime.bindingCalled', params })
  }
  const page = newProcess('page')
  process.set('page', page)

  const removeFrame = (id: string): void => {
    const frame = process.get(id)
    if (frame === undefined || !frame.alive) return
    frame.alive = false
    process.delete(id)
    page.run('protocol', () => {
      if (page.focus === id) page.focus = 'body'
    })
    say({ sessionId: 'page', method: 'Target.detachedFromTarget', params: { sessionId: id } })
  }
  const addFrame = (id: string): void => {
    process.set(id, { ...newProcess(id), focus: null })
    say({
      sessionId: 'page',
      method: 'Target.attachedToTarget',
      params: { sessionId: id, targetInfo: { targetId: id, type: 'iframe', url: '' }, waitingForDebugger: true },
    })
  }
  const navigate = (): void => {
    for (const id of process.keys()) if (id !== 'page') removeFrame(id)
    page.run('protocol', () => {
      page.document += 1
      page.focus = 'auto'
      const frame = { id: 'main', loaderId: String(page.document), url: `https://x.test/${String(page.document)}` }
      page.up(() => say({ sessionId: 'page', method: 'Page.frameNavigated', params: { frame } }))
    })
  }

  /** A button over an element of a process, as its own page has it; of the list that is open the page sees nothing. */
  const button = (kind: 'down' | 'up', own: Process, element: string): void => {
    if (element === 'list') return
    own.run('input', () => {
      if (!own.alive) return
      // What is told by the world beside the page's leaves once the event is done with, after all that came of it.
      if (kind === 'down') {
        own.focus = element
        // Of two processes that both take the focus, the one that the browser heard last has it.
        own.up(() => {
          if (!own.alive) return
          for (const each of process.values())
            each.run('protocol', () => void (each.focus = each === own ? element : each === page ? own.id : null))
        })
      }
      own.up(() => tell(own, `${kind} 0`))
      if (kind === 'down') own.up(() => tell(own, 'focus'))
    })
  }
  const key = (own: Process, params: Params, answer: (result: object) => void): void => {
    own.run('input', () => {
      if (!own.alive) return
      const text = params.commands !== undefined ? clipboard : params.type === 'keyUp' ? '' : (params.text ?? '')
      const here = own.focus !== null && !process.has(own.focus)
      const by = `${own.id} ${String(own.focus)}`
      if (!here && text !== '') lost.push(text)
      // What a frame has taken and has no time left to tell of goes with it.
      if (here)
        own.up(() => {
          if (!own.alive) return
          if (text !== '') taken.push({ text, by })
          tell(own, 'key')
        })
      // A frame that asks to be removed as soon as it has its key.
      if (text !== '' && own.focus === 'closes') own.up(() => removeFrame(own.id))
      answer({})
    })
  }
  const described = (element: string | null) => ({
    editable: element !== 'body' && element !== null && !process.has(element),
    inputMode: '',
    password: false,
    frame: element !== null && process.has(element),
  })
  const take = ({ id, method, params, sessionId = '' }: Command): void => {
    const own = process.get(sessionId)
    if (sessionId !== '' && own === undefined)
      return say({ id, error: { code: -32_001, message: 'Session with given id not found.' } })
    const answer = (result: object) =>
      own === undefined ? say({ id, result }) : own.up(() => void (own.alive && say({ id, result })))
    if (own === undefined) return answer({})
    if (method === 'Input.dispatchKeyEvent') return key(own, params, answer)
    own.run('protocol', () => {
      if (!own.alive) return
      const [document, element] = (params.objectId ?? '').split('/')
      if (params.objectId !== undefined && document !== String(own.document))
        return own.up(() => say({ id, error: { code: -32_000, message: 'Could not find object with given id' } }))
      switch (method) {
        case 'Runtime.addBinding':
          own.binding = params.name ?? ''
          return answer({})
        case 'Runtime.runIfWaitingForDebugger':
          own.shown = true
          return answer({})
        case 'Page.createIsolatedWorld':
          return answer({ executionContextId: 1 })
        case 'Runtime.evaluate':
          return answer({ result: own.focus === null ? {} : { objectId: `${String(own.document)}/${own.focus}` } })
        case 'Runtime.getProperties':
          return answer({
            result: [
              ...['0', '1'].map((name) => ({ name, value: { objectId: params.objectId } })),
              { name: '2', value: { value: `${own.id}${String(own.document)}` } },
            ],
          })
        case 'DOM.describeNode':
          return answer({
            node: { backendNodeId: (element ?? '').charCodeAt(0), ...(process.has(element ?? '') ? { frameId: element } : {}) },
          })
        case 'Runtime.callFunctionOn':
          return answer({ result: { value: described(element ?? null) } })
        case 'Page.getNavigationHistory':
          return answer({ currentIndex: 0, entries: [{ id: 0, url: 'https://x.test/', title: '' }] })
        default:
          return answer({})
      }
    })
  }
  let heard = ''
  toBrowser.on('data', (data: Buffer) => {
    const parts = (heard + data.toString('utf8')).split('\0')
    heard = parts.pop() ?? ''
    const fromNode = inbound
    for (const part of parts) fromNode(() => main('protocol', () => take(JSON.parse(part) as Command)))
  })
  const inbound = line()

  /** What is under the pointer when the browser takes the event. */
  let under: () => readonly [Process, string] = () => [page, 'body']
  const press = async (kind: 'down' | 'up'): Promise<void> => {
    const target = under
    main('display', () => button(kind, ...target()))
    await new Promise<void>((resolve) => void at(delay(), resolve))
  }
  const display = {
    picture: { width: 1280, height: 840, pageHeight: 800 },
    pointer: { move: () => Promise.resolve(), down: () => press('down'), up: () => press('up') },
    setClipboard: async (text: string) => {
      await new Promise<void>((resolve) => void at(delay(), resolve))
      clipboard = text
    },
  }
  const time: WaitingTime = { now: () => clock, later: at }
  const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined)
  const { tab, ready } = followTab({
    cdp,
    session: cdp.session('page') satisfies CdpSession,
    targetId: 'main',
    number: 1,
    held: false,
    observation: { requests: [], attach: () => Promise.resolve() } as unknown as Observation,
    language: 'fr',
    events: {
      ...silentEvents,
      focusMoved: (one) => steering.focusMoved(one),
      buttonSeen: (one, event) => steering.buttonSeen(one, event),
      navigated: ({ tab: one }) => steering.focusMoved(one),
    },
    opened: false,
    quietly,
    emulate: () => [],
  })
  const timeline = { add: () => null, ms: () => 0, maskWith: () => undefined } as unknown as Timeline
  const steering = createSteering({
    tabs: { active: () => tab } as unknown as Tabs,
    display: display as never,
    timeline,
    secrets: createSecrets(timeline),
    allowAddresses: [],
    leaving: { leave: () => Promise.resolve() },
    tell: () => undefined,
    send: () => undefined,
    quietly,
    time,
  })

  /** Plays on until the work is done. */
  const until = async <T>(work: Promise<T>): Promise<T> => {
    const state = { done: false }
    const over = work.finally(() => void (state.done = true))
    over.catch(() => undefined)
    for (;;) {
      // What was said is heard, and what waited for it goes on.
      await new Promise((resolve) => void setImmediate(resolve))
      if (state.done) return await over
      const next = agenda.shift()
      if (next === undefined) throw new Error(`nothing more happens, at ${String(clock)} ms`)
      if (next.off) continue
      clock = next.at
      next.run()
    }
  }
  return {
    steering,
    taken,
    lost,
    ready,
    until,
    at,
    frames: () => [...process.values()].filter(({ shown }) => shown).map(({ id }) => id),
    addFrame,
    removeFrame,
    navigate,
    point: (owner: string, element: string) => {
      under = () => {
        const own = process.get(owner)
        return own === undefined ? [page, 'body'] : [own, element]
      }
    },
  }
}
