/** Keys that come right after something that goes another way: a click of the display, a page, a paste, a frame that is removed. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import { whole } from '../../../../../testing/sweep.ts'
import type { LiveInput } from '../../../contract/live.ts'
import { defaultCaptureLimits } from '../../../../capture/domain/outcome/limits.ts'
import { createActionLog } from '../../../../capture/server/page/action-log.ts'
import { prepareSession, type PreparedSession } from '../../../../capture/server/session/prepare-session.ts'
import { steeredBrowser, type SteeredBrowser } from '../tabs/steered-browser.ts'
import { createSecrets } from '../fields/secrets.ts'
import { createSteering, type Steering } from './steer-page.ts'
import type { Tab } from '../tabs/tab.ts'
import { silentEvents } from '../tabs/tabs.ts'
import type { Timeline } from '../timeline/timeline.ts'

const rounds = whole ? 20 : 4
/** As much slower as the page's process is. */
const throttled = 6

/** Two fields, a frame that lives in a process of its own, and work that a click has to wait for; what no field took is listed. */
const page = `<!doctype html><meta charset="utf-8"><title>Keys</title><style>body{margin:0}input,select,iframe{display:block;width:400px;height:60px;margin:10px}</style>
<input id="one"><input id="two"><select id="list"><option>un<option>deux<option>trois</select><div id="place"></div><p>Keys</p><script>
window.loose=window.every='';addEventListener('keydown',(e)=>{every+=e.key;if(e.target===document.body)loose+=e.key})
const work=()=>{const end=performance.now()+20;while(performance.now()<end);};addEventListener('mousedown',work);addEventListener('focusin',work)
function frame(){const f=document.createElement('iframe');f.sandbox='allow-scripts';f.src='/frame';document.getElementById('place').replaceChildren(f);return new Promise((y)=>{f.onload=()=>y(true)})}
</script>`
const frame = `<!doctype html><style>body{margin:0}input{width:300px;height:40px}</style><input id="inner">`

let server: Server
let session: PreparedSession<SteeredBrowser>
let folder: string
let tab: Tab
let steering: Steering
let origin: string
let changed = Promise.withResolvers<void>()

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(request.url === '/frame' ? frame : page)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
  origin = `http://${address}`
  folder = await mkdtemp(join(tmpdir(), 'probant-after-clicks-'))
  session = await prepareSession(
    {
      kind: steeredBrowser,
      locale: 'fr',
      recordDir: join(folder, 'record'),
      limits: defaultCaptureLimits,
      allowAddresses: [address],
    },
    { clock: systemClock, signal: new AbortController().signal, isolationOverride: false },
    { state: { browser: null, page: null, tooLarge: false }, actions: createActionLog(systemClock), log: silentLog },
  )
  const { tabs, display } = session.stage
  tab = tabs.first
  await tab.session.send('Page.bringToFront')
  const timeline = { add: () => null, ms: () => 0, maskWith: () => undefined } as unknown as Timeline
  steering = createSteering({
    tabs,
    display,
    timeline,
    secrets: createSecrets(timeline),
    allowAddresses: [address],
    leaving: { leave: () => Promise.resolve() },
    tell: () => undefined,
    send: () => undefined,
    quietly: (work) => void work.catch(() => undefined),
  })
  tabs.listen({
    ...silentEvents,
    focusMoved: (one) => steering.focusMoved(one),
    buttonSeen: (one, event) => steering.buttonSeen(one, event),
    navigated: ({ tab: one }) => steering.focusMoved(one),
    changed: () => {
      changed.resolve()
      changed = Promise.withResolvers()
    },
  })
  await go('/first')
}, 120_000)
afterAll(async () => {
  await session.release()
  await rm(folder, { recursive: true, force: true })
  await new Promise((resolve) => void server.close(resolve))
})

const evaluate = async <T>(expression: string, own = tab.session): Promise<T> =>
  (await own.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value as T
const pointer = (kind: 'down' | 'up', x: number, y: number): LiveInput => ({
  type: 'pointer',
  kind,
  x,
  y,
  button: 0,
  dx: 0,
  dy: 0,
})
const click = async (x: number, y: number): Promise<void> => {
  for (const kind of ['down', 'up'] as const) await steering.act(pointer(kind, x, y))
}
const type = async (text: string): Promise<void> => {
  for (const key of Array.from(text))
    for (const kind of ['down', 'up'] as const)
      await steering.act({ type: 'key', kind, code: `Key${key.toUpperCase()}`, key, modifiers: 0, repeat: false })
}
async function go(path: string): Promise<void> {
  await steering.navigate(origin + path)
  while (tab.url !== origin + path || tab.loading) await changed.promise
  await tab.session.send('Emulation.setCPUThrottlingRate', { rate: throttled })
  // Nobody clicks on what he does not see yet, and no browser takes it.
  await evaluate(
    `new Promise((y)=>new PerformanceObserver((l)=>{if(l.getEntriesByName('first-contentful-paint').length>0)y(true)}).observe({type:'paint',buffered:true}))`,
  )
}
/** Where the fields are, as the page's own style has it. */
const [one, two, list] = [
  [100, 40],
  [100, 110],
  [100, 180],
] as const
/** What stands in both fields, and what went past them; emptied. */
const taken = () =>
  evaluate<readonly string[]>(
    `(()=>{const all=[one.value,two.value,loose];one.value=two.value=loose=every='';document.activeElement.blur();return all})()`,
  )
const everyRound = async (run: (round: number) => Promise<unknown>): Promise<readonly unknown[]> => {
  const all: unknown[] = []
  for (let i = 0; i < rounds; i += 1) all.push(await run(i))
  return all
}
const always = (value: unknown) => Array.from({ length: rounds }, () => value)

test('C-37: three keys after a click are three keys in the field that was clicked, however slow the page is', async () => {
  const came = await everyRound(async () => {
    await click(...one)
    await type('abc')
    await click(...two)
    await type('def')
    return taken()
  })
  expect(came).toEqual(always(['abc', 'def', '']))
})

test('C-37: three keys after a click on a page that has just come are three keys in its field', async () => {
  const came = await everyRound(async (round) => {
    await go(`/page-${String(round)}`)
    await click(...two)
    await type('abc')
    return taken()
  })
  expect(came).toEqual(always(['', 'abc', '']))
})

test('C-37: what is pasted after a click and what is typed after it stand in the field, in order', async () => {
  const came = await everyRound(async (round) => {
    await click(...one)
    expect(await steering.paste(`<é ${String(round)}>`, false)).toBe('pasted')
    await type('abc')
    return taken()
  })
  expect(came).toEqual(Array.from({ length: rounds }, (_, round) => [`<é ${String(round)}>abc`, '', '']))
})

test('C-37: keys after a click that an open list of the browser’s own took are not lost, and the page gets them in order', async () => {
  const came = await everyRound(async () => {
    await click(...list)
    // Beside the list, which takes the click.
    await click(...one)
    await type('abc')
    const all = await evaluate<string>(`(()=>{const all=every;every='';return all})()`)
    await steering.act({ type: 'key', kind: 'down', code: 'Escape', key: 'Escape', modifiers: 0, repeat: false })
    await steering.act({ type: 'key', kind: 'up', code: 'Escape', key: 'Escape', modifiers: 0, repeat: false })
    await taken()
    return all
  })
  expect(came).toEqual(always('abc'))
})

test('C-37: keys go to the page once the frame of another process that had the focus is removed, and none goes twice', async () => {
  const came = await everyRound(async () => {
    await evaluate('frame()')
    // In a process of its own: a target of its own.
    expect(tab.frames.size).toBe(1)
    const [own] = tab.frames.values()
    await evaluate(`document.querySelector('iframe').focus()`)
    await evaluate('inner.focus()', own?.session)
    await type('a')
    const inner = await evaluate<string>('inner.value', own?.session)
    await evaluate(`document.querySelector('iframe').remove()`)
    await type('bcd')
    return [inner, ...(await taken())]
  })
  expect(came).toEqual(always(['a', '', '', 'bcd']))
})
