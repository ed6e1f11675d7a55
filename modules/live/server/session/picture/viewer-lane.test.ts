import { expect, test } from 'vitest'
import { liveClose } from '../../../contract/live.ts'
import { pictureStream, type PictureStream } from './picture-stream.ts'
import { viewerOn } from './slow-line.fixture.ts'
import { levels, openLane, type Level } from './viewer-lane.ts'

/** Octets of a picture that stands by itself, of another, how often, and how many to a group. */
const made: Readonly<Record<Level, { key: number; other: number; every: number; group: number }>> = {
  // 8 Mbit/s, as a page that moves all over; 0.9 and 0.3 of what is made of it.
  full: { key: 150_000, other: 38_000, every: 1, group: 75 },
  fewer_frames: { key: 50_000, other: 11_500, every: 3, group: 25 },
  coarser: { key: 20_000, other: 3_500, every: 3, group: 25 },
}

function watch(options: Parameters<typeof viewerOn>[1], knowsRates = false, late: () => number = () => 0) {
  const clock = { ms: 0 }
  const far = viewerOn(clock, options)
  const lane = openLane(far.viewer, () => clock.ms, late)
  const streams = new Map<Level, PictureStream>(levels.map((level) => [level, pictureStream()]))
  const streamOf = (level: Level): PictureStream => {
    const stream = streams.get(level) as PictureStream
    stream.config ??= Buffer.from(level)
    return stream
  }
  const history: { level: Level; at: number }[] = []
  /** Milliseconds between what is now and what the viewer sees, at each picture of the encoder; null: nothing yet. */
  const behind: (number | null)[] = []
  lane.attach(streamOf('full'), 'full')
  let n = 0
  const run = (seconds: number): void => {
    for (const end = clock.ms + seconds * 1000; clock.ms < end; n += 1) {
      for (const level of levels) {
        const { key, other, every, group } = made[level]
        if (n % every !== 0) continue
        const isKey = (n / every) % group === 0
        const picture = { bytes: Buffer.alloc(isKey ? key : other), timeUs: clock.ms * 1000, key: isKey }
        streamOf(level).add(picture)
        lane.picture(streamOf(level), picture)
      }
      const wanted = lane.wanted(knowsRates ? (level) => streamOf(level).rate : undefined)
      if (wanted !== lane.level) {
        if (levels.indexOf(wanted) > levels.indexOf(lane.level)) lane.attach(streamOf(wanted), wanted)
        else lane.attachNext(streamOf(wanted), wanted)
      }
      if (history.at(-1)?.level !== lane.level) history.push({ level: lane.level, at: clock.ms })
      const seen = far.received.at(-1)
      behind.push(seen === undefined ? null : clock.ms - seen.timeUs / 1000)
      for (const next = clock.ms + 40; clock.ms < next;) {
        clock.ms += 1
        far.arrive((_, number) => lane.acknowledge(number))
      }
    }
  }
  return { clock, far, lane, run, history, behind }
}

test('a line that is wide enough is sent everything, also one of 300 ms', () => {
  for (const lineMs of [1, 300]) {
    const { far, history, run } = watch({ perSecond: 5_000_000, lineMs })
    run(60)
    expect(history).toEqual([{ level: 'full', at: 0 }])
    expect(far.closed).toEqual([])
    // All but those that are still on their way.
    expect(far.pictures().length).toBeGreaterThan(60 * 25 - 15)
  }
})

test('S-37: who is behind is told why: the line that carries too little, our own side that stood still, the device that draws slowly', () => {
  const line = watch({ perSecond: 75_000, lineMs: 30 })
  line.run(4)
  expect([line.lane.level === 'full', line.lane.side]).toEqual([false, 'line'])

  // A wide line, and nothing of ours runs for a second: neither is anything sent, nor an acknowledgement heard.
  const ours = watch({ perSecond: 5_000_000, lineMs: 1 }, false, () => 1_000)
  const hear = ours.far.arrive
  for (let stop = 0; stop < 3; stop += 1) {
    ours.run(1)
    ours.far.arrive = () => undefined
    ours.run(0.04)
    ours.clock.ms += 1_000
    ours.far.arrive = hear
  }
  ours.run(1)
  expect([ours.lane.level === 'full', ours.lane.side]).toEqual([false, 'ours'])

  // What arrived is drawn half a second after, and acknowledged then.
  const device = watch({ perSecond: 5_000_000, lineMs: 1 }, false, () => 20)
  const drawn: { number: number; at: number }[] = []
  const { arrive } = device.far
  device.far.arrive = () => {
    arrive((_, number) => drawn.push({ number, at: device.clock.ms + (device.clock.ms < 1_000 ? 0 : 500) }))
    while (drawn[0] !== undefined && drawn[0].at <= device.clock.ms) {
      const { number } = drawn.shift() as { number: number }
      device.lane.acknowledge(number, device.clock.ms < 1_000 ? 1 : 500)
    }
  }
  device.run(6)
  expect([device.lane.level === 'full', device.lane.side]).toEqual([false, 'device'])
})

test('a line of 2 Mbit/s is sent fewer pictures, one of 0.6 Mbit/s coarser ones, and what is owed stays small', () => {
  for (const [bits, level] of [
    [2_000_000, 'fewer_frames'],
    [600_000, 'coarser'],
  ] as const) {
    const { far, lane, run, history, behind } = watch({ perSecond: bits / 8, lineMs: 30 })
    run(12)
    expect(history.map((each) => each.level)).toEqual(levels.slice(0, levels.indexOf(level) + 1))
    const until = behind.length
    // Before the level above is tried.
    run(6)
    expect(lane.level).toBe(level)
    // A group's first picture takes this line that long; nothing piles up behind it.
    const limit = 30 + 250 + (made[level].key / (bits / 8)) * 1000 + 3 * 40 + 120
    for (const each of behind.slice(until)) expect(each).toBeLessThan(limit)
    expect(far.most()).toBeLessThan(1 << 20)
  }
})

test('when the line recovers, so does the picture; one that does not is tried ever more seldom', () => {
  const { far, lane, run, history } = watch({ perSecond: 75_000, lineMs: 30 })
  run(300)
  const tries = history.filter(({ level }, i) => i > 0 && levels.indexOf(level) < levels.indexOf(history[i - 1]?.level ?? 'full'))
  expect(tries.length).toBeGreaterThan(1)
  expect(tries.length).toBeLessThan(6)
  far.line.perSecond = 5_000_000
  run(300)
  expect(lane.level).toBe('full')
  expect(history.at(-1)?.level).toBe('full')
})

test('a level that the line cannot carry is not tried; when it can, it is', () => {
  const { far, run, history } = watch({ perSecond: 75_000, lineMs: 30 }, true)
  run(300)
  expect(history.map(({ level }) => level)).toEqual(levels)
  far.line.perSecond = 5_000_000
  run(60)
  expect(history.map(({ level }) => level)).toEqual([...levels, 'fewer_frames', 'full'])
})

test('numbers grow by one whatever is left out, and what follows from nothing is never sent', () => {
  const { far, run } = watch({ perSecond: 100_000, lineMs: 30 })
  run(60)
  const pictures = far.pictures()
  expect(pictures.map(({ number }) => number)).toEqual(pictures.map((_, i) => i + 1))
  // After each configuration, a picture that stands by itself.
  for (const [i, { kind }] of far.received.entries())
    if (kind === 1 && far.received[i + 1] !== undefined) expect((far.received[i + 1]?.flags ?? 0) & 1).toBe(1)
})

test('a viewer that reads nothing is sent no more, and closed after thirty seconds', () => {
  const { far, run, clock } = watch({ perSecond: 0.001 })
  run(29)
  expect(far.closed).toEqual([])
  const owed = far.most()
  run(5)
  expect(far.closed[0]).toBe(liveClose.lost)
  expect(far.most()).toBe(owed)
  expect(owed).toBeLessThan(4 << 20)
  expect(clock.ms).toBe(34_000)
})

test('acknowledgements of what was never sent change nothing', () => {
  const { far, lane, run } = watch({ perSecond: 0.001 })
  for (let i = 0; i < 40; i += 1) {
    run(1)
    for (const number of [0, 1_000_000, 0xffff_ffff]) lane.acknowledge(number)
  }
  expect(far.closed[0]).toBe(liveClose.lost)
})
