/**
 * A live session beside a JPEG screencast, in one run: `node bench/interactive.ts [clicks] [starts] [rounds]`; of several rounds, alternating,
 * each figure is the median of its rounds and their range;
 * `node bench/interactive.ts hold [most]`: how many sessions this machine records, each with as many pictures a second as one alone;
 * `node bench/interactive.ts far [clicks]`: both at the end of a line of 300 ms there and back that loses 2 of 100 packets each way.
 */
import { loadavg } from 'node:os'
import { WebSocket } from 'ws'
import { liveFrame, liveFrameHead } from '../modules/live/server/index.ts'
import { openShapedLine, type LineShape } from '../testing/shaped-line/open-shaped-line.ts'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'
import { launchViewer, openViewer, type Watched } from './interactive/viewer-page.ts'
import { runSide, type Side } from './interactive/run-side.ts'

const site = await startFixtureSite()
const load = () => `load ${loadavg()[0]?.toFixed(1) ?? '?'}`
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const part = (values: readonly number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN
const figure = (ms: number) => (ms >= 1e9 ? 'never' : ms.toFixed(0))
const both = (values: readonly number[]) =>
  values.length === 0 ? 'none' : `${figure(part(values, 0.5))} / ${figure(part(values, 0.95))}`
const total = (seconds: ReadonlyMap<string, number>) => [...seconds.values()].reduce((sum, one) => sum + one, 0)
const watchMs = 8_000

type Measured = {
  readonly first: number
  readonly clicks: readonly number[]
  readonly watched: Watched
  readonly processor: number
  readonly by: readonly string[]
  readonly reconnects: readonly number[]
  readonly video: Readonly<Record<string, unknown>> | null
}

/** One side, one page: from its start to its end; with a line, its viewer is at the other end of it. */
async function measure(program: string, args: readonly string[], clicks: number, shape?: LineShape): Promise<Measured> {
  const side = await runSide(program, args)
  const browser = await launchViewer()
  const line = shape === undefined ? null : await openShapedLine(side.port, shape)
  try {
    const viewer = await openViewer(await browser.newPage(), `127.0.0.1:${String(line?.port ?? side.port)}`)
    await viewer.connect()
    const first = Number((await side.said('first_picture_ms'))['first_picture_ms'])
    // Pages and decoders have started when the first clicks are over; they count for nothing.
    await viewer.clicks(3)
    const times = await viewer.clicks(clicks)
    const before = await side.processorSeconds()
    const watched = await viewer.watch(watchMs)
    const after = await side.processorSeconds()
    const by = [...after]
      .map(([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) / watched.ms) * 1e5] as const)
      .filter(([, share]) => share >= 0.5)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, share]) => `${name} ${share.toFixed(0)} %`)
    const reconnects: number[] = []
    // Paced, the screencast sends a viewer that comes again nothing of a page that stands still.
    for (let i = 0; i < (args[1] === 'paced' ? 0 : 8); i += 1) {
      // What is repeated grows until the next key picture: each comes at another moment of it.
      await new Promise((resolve) => setTimeout(resolve, 330))
      reconnects.push(await viewer.connect())
    }
    await viewer.send({ type: 'quit' })
    const video = program === 'our-session.ts' ? ((await side.said('video'))['video'] as Measured['video']) : null
    return {
      first,
      clicks: times,
      watched,
      processor: (total(after) - total(before)) / (watched.ms / 1000),
      by,
      reconnects,
      video,
    }
  } finally {
    await browser.close()
    await line?.close()
    await side.kill()
  }
}

/** Claim to first drawn picture, of a page that is small. */
async function firstPicture(program: string, args: readonly string[]): Promise<number> {
  const side = await runSide(program, args)
  const browser = await launchViewer()
  try {
    await (await openViewer(await browser.newPage(), `127.0.0.1:${String(side.port)}`)).connect()
    return Number((await side.said('first_picture_ms'))['first_picture_ms'])
  } finally {
    await browser.close()
    await side.kill()
  }
}

/** The median of the rounds, and their range where there are several. */
function spread(values: readonly number[], say: (value: number) => string = figure): string {
  const known = values.filter((value) => !Number.isNaN(value))
  if (known.length === 0) return 'none'
  return `${say(part(known, 0.5))}${known.length === 1 ? '' : ` (${say(Math.min(...known))} to ${say(Math.max(...known))})`}`
}
const times = (value: number) => `×${value.toFixed(2)}`
const percent = (value: number) => `${(value * 100).toFixed(0)} %`

const sides = [
  ['ours', 'our-session.ts', 'cold'],
  ['JPEG screencast', 'screencast-peer.ts', 'default'],
  ['the same, paced', 'screencast-peer.ts', 'paced'],
] as const
const pages = ['latency', 'animated'] as const

async function compare(clicks: number, starts: number, rounds: number): Promise<void> {
  const taken = new Map<string, Measured[]>()
  const firsts = new Map<string, number[]>()
  const waits = [
    ['ours, cold', 'our-session.ts', 'cold'],
    ['ours, one that waited', 'our-session.ts', 'warm'],
    ['JPEG screencast', 'screencast-peer.ts', 'default'],
  ] as const
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round}, ${load()}`)
    for (const page of pages)
      for (const [name, program, how] of sides) {
        // Paced, the screencast sends nothing of a page that stands still but its first picture.
        if (how === 'paced' && page === 'latency') continue
        const key = `${page} ${name}`
        const one = await measure(program, [`${site.origin}/live/${page}/`, how], clicks)
        taken.set(key, [...(taken.get(key) ?? []), one])
        console.log(`  ${page}, ${name}: ${both(one.clicks)} ms; ${percent(one.processor)} of a core (${one.by.join(', ')})`)
      }
    for (let i = 0; i < starts; i += 1)
      for (const [name, program, how] of waits)
        firsts.set(name, [...(firsts.get(name) ?? []), await firstPicture(program, [`${site.origin}/live/latency/`, how])])
  }
  for (const page of pages) {
    console.log(
      `\n${page === 'latency' ? 'Still page' : 'Animated page, 60 a second'} (${String(rounds)} rounds of ${String(clicks)} clicks; ms; ${load()})`,
    )
    const of = (name: string) => taken.get(`${page} ${name}`) ?? []
    for (const [name] of sides) {
      const ours = of(name)
      if (ours.length === 0) continue
      const each = (read: (one: Measured) => number, say?: (value: number) => string) => spread(ours.map(read), say)
      const beside = (peer: string, read: (one: Measured) => number) =>
        spread(
          ours.flatMap((one, round) => {
            const other = of(peer)[round]
            return other === undefined ? [] : [read(one) / read(other)]
          }),
          times,
        )
      const ratios =
        name === 'ours'
          ? sides
              .slice(1)
              .flatMap(([peer]) =>
                of(peer).length === 0
                  ? []
                  : [
                      `${beside(peer, (one) => part(one.clicks, 0.5))} / ${beside(peer, (one) => part(one.clicks, 0.95))} of ${peer}; reconnecting ${beside(peer, (one) => part(one.reconnects, 0.5))} / ${beside(peer, (one) => part(one.reconnects, 0.95))}`,
                    ],
              )
          : []
      console.log(
        `${name}: click → decoded pixel ${each((one) => part(one.clicks, 0.5))} / ${each((one) => part(one.clicks, 0.95))}${ratios.map((ratio) => `; ${ratio}`).join('')}`,
      )
      console.log(
        `  ${each(
          ({ watched }) => (watched.pictures * 1000) / watched.ms,
          (value) => value.toFixed(1),
        )} pictures a second drawn, gap ${each(({ watched }) => part(watched.gaps, 0.5))} / ${each(({ watched }) => part(watched.gaps, 0.95))}; ${each(({ watched }) => watched.bytes / watched.ms)} kB/s; ${each(({ processor }) => processor, percent)} of a core; reconnecting ${each(({ reconnects }) => part(reconnects, 0.5))} / ${each(({ reconnects }) => part(reconnects, 0.95))}`,
      )
      const video = (word: string) => ours.reduce((sum, one) => sum + Number(one.video?.[word] ?? 0), 0)
      if (name === 'ours') console.log(`  recorded ${String(video('frames'))}, dropped ${String(video('frames_dropped'))}`)
    }
  }
  console.log(`\nClaim to the first picture drawn, ${String(starts * rounds)} starts (p50 / p95, ms; ${load()})`)
  for (const [name, all] of firsts) console.log(`${name}: ${both(all)}`)
}

/** A viewer without a decoder: counts what comes and acknowledges it. */
function count(side: Side): { readonly pictures: () => number; quit(): void } {
  const socket = new WebSocket(`ws://127.0.0.1:${String(side.port)}/`)
  let pictures = 0
  socket.on('message', (data: Buffer, binary) => {
    if (!binary || data.length < liveFrameHead || data[0] !== liveFrame.video) return
    if (((data[1] ?? 0) & 2) === 0) pictures += 1
    socket.send(JSON.stringify({ type: 'acknowledge', picture: data.readUInt32BE(2) }))
  })
  return { pictures: () => pictures, quit: () => socket.send(JSON.stringify({ type: 'quit' })) }
}

async function hold(page: string, most: number): Promise<void> {
  const sides: Side[] = []
  const counts: ReturnType<typeof count>[] = []
  let held = 0
  let alone = 0
  console.log(`\n${page}`)
  while (sides.length < most) {
    const side = await runSide('our-session.ts', [`${site.origin}${page}`, 'cold'])
    sides.push(side)
    counts.push(count(side))
    await side.said('first_picture_ms')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    // Of a machine that is overloaded the answers themselves take seconds: each of both is divided by the time that it was counted in.
    const before = await Promise.all(sides.map(async (one) => total(await one.processorSeconds())))
    const asked = performance.now()
    const from = counts.map(({ pictures }) => pictures())
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const seconds = (performance.now() - asked) / 1000
    const rates = counts.map(({ pictures }, i) => (pictures() - (from[i] ?? 0)) / seconds)
    const after = await Promise.all(sides.map(async (one) => total(await one.processorSeconds())))
    const cores = (1000 * after.reduce((sum, one, i) => sum + one - (before[i] ?? 0), 0)) / (performance.now() - asked)
    console.log(
      `${sides.length} at once: ${rates.map((rate) => rate.toFixed(1)).join(', ')} pictures a second; ${cores.toFixed(2)} cores (${load()})`,
    )
    // A page that stands still is encoded a few times a second: what one session has alone, each has to have beside others.
    if (sides.length === 1) alone = Math.min(...rates)
    if (Math.min(...rates) < alone * 0.95) break
    held = sides.length
  }
  for (const one of counts) one.quit()
  for (const side of sides) {
    const { video } = await side.said('video')
    const { frames, frames_dropped: dropped } = video as Readonly<Record<string, unknown>>
    console.log(`  recorded ${String(frames)}, dropped ${String(dropped)}`)
  }
  console.log(`held with ${alone.toFixed(1)} pictures a second each: ${held}`)
}

/** There and back 300 ms, two packets of a hundred lost each way, 10 Mbit/s. */
const farLine: LineShape = { delayMs: 150, loss: 0.02, bytesPerSecond: 1_250_000, seed: 1 }

async function far(clicks: number): Promise<void> {
  for (const page of ['latency', 'animated'] as const) {
    console.log(`\n/live/${page}/ over 300 ms and 2 % of loss each way (${load()}; ${clicks} clicks; p50 / p95, ms)`)
    for (const [name, program, how] of [
      ['ours', 'our-session.ts', 'cold'],
      ['JPEG screencast, paced', 'screencast-peer.ts', page === 'latency' ? 'default' : 'paced'],
    ] as const) {
      const one = await measure(program, [`${site.origin}/live/${page}/`, how], clicks, farLine)
      const { watched, video } = one
      console.log(
        `${name}: ${both(one.clicks)}; ${((watched.pictures * 1000) / watched.ms).toFixed(1)} pictures a second drawn, gap ${both(watched.gaps)}; ${(watched.bytes / watched.ms).toFixed(0)} kB/s; levels ${watched.levels.join(', ') || 'none'}; clicks never seen ${one.clicks.filter((ms) => ms >= 1e9).length}`,
      )
      if (video !== null)
        console.log(
          `  recorded: ${JSON.stringify({ frames: video['frames'], dropped: video['frames_dropped'], gaps: video['gaps'] })}`,
        )
    }
  }
}

const [first = '40', second, third] = process.argv.slice(2)
if (first === 'hold') for (const page of ['/live/latency/', '/live/animated/']) await hold(page, Number(second ?? 8))
else if (first === 'far') await far(Number(second ?? 20))
else await compare(Number(first), Number(second ?? 5), Number(third ?? 1))
await site.close()
