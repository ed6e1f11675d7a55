import { expect, test } from 'vitest'
import { afterTaking, linesInOrder, nothingTaken, placeOf, turnOf, type Lane, type Taken, type Waiting } from './queue-order.ts'

type One = { readonly asker: string; readonly lane: Lane; readonly named: boolean; readonly turn: number; readonly at: number }

/** A server that does one capture at a time, by the rules alone. */
function play() {
  let [waiting, underWay, at, taken]: [One[], One | null, number, Taken] = [[], null, 0, nothingTaken]
  const lineOf = (like: Pick<One, 'lane' | 'named'>) =>
    waiting.filter(({ lane, named }) => lane === like.lane && named === like.named)
  const inOrder = (some: One[]) => some.toSorted((a, b) => a.turn - b.turn || a.at - b.at)
  return {
    ask(asker: string, lane: Lane = 'account', named = false): One {
      const line = lineOf({ lane, named })
      const own = line.filter((one) => one.asker === asker).map(({ turn }) => turn)
      const turn = turnOf({
        oldest: line[0]?.turn ?? null,
        underWay: underWay !== null && underWay.lane === lane && underWay.named === named ? underWay.turn : null,
        ownLast: own.length === 0 ? null : Math.max(...own),
      })
      const one = { asker, lane, named, turn, at: (at += 1) }
      waiting.push(one)
      return one
    },
    /** The one under way ends, and the next begins. */
    take(): One | null {
      for (const line of linesInOrder(taken)) {
        const [next] = inOrder(lineOf(line))
        if (next === undefined) continue
        waiting = waiting.filter((one) => one !== next)
        taken = afterTaking(taken, line)
        return (underWay = next)
      }
      return (underWay = null)
    },
    placeOf(one: One): number {
      const counts = (lane: Lane) => ({
        named: lineOf({ lane, named: true }).length,
        automatic: lineOf({ lane, named: false }).length,
      })
      const all: Waiting = { account: counts('account'), stranger: counts('stranger') }
      return placeOf(one, inOrder(lineOf(one)).indexOf(one), all, taken)
    },
    waiting: () => waiting,
  }
}

test('one asker with a thousand waiting delays the single one of another by at most one capture, whenever that comes', () => {
  for (let served = 0; served < 1000; served += 37) {
    const queue = play()
    for (let i = 0; i < 1000; i += 1) queue.ask('many')
    for (let i = 0; i < served; i += 1) queue.take()
    const single = queue.ask('single')
    const before = []
    for (let next = queue.take(); next !== null && next !== single; next = queue.take()) before.push(next.asker)
    expect(before.length, `after ${served}`).toBeLessThanOrEqual(1)
  }
})

test('askers share alike, whatever each has waiting; nobody’s second is passed by newcomers for ever', () => {
  const queue = play()
  for (let i = 0; i < 300; i += 1) queue.ask('a')
  for (let i = 0; i < 40; i += 1) queue.ask('b')
  const taken = Array.from({ length: 80 }, () => queue.take()?.asker)
  expect(taken.filter((asker) => asker === 'b')).toHaveLength(40)
  // Two newcomers for each capture: more come than can ever be taken.
  let own = 0
  for (let i = 0; i < 400; i += 1) {
    queue.ask(`newcomer ${2 * i}`)
    queue.ask(`newcomer ${2 * i + 1}`)
    if (queue.take()?.asker === 'a') own += 1
  }
  expect(own).toBeGreaterThan(3)
})

test('accounts go before strangers, who have a fifth all the same; alone, each lane has everything', () => {
  const queue = play()
  for (let i = 0; i < 100; i += 1) queue.ask(`stranger ${i}`, 'stranger')
  expect(Array.from({ length: 5 }, () => queue.take()?.lane)).toEqual(Array.from({ length: 5 }, () => 'stranger'))
  for (let i = 0; i < 40; i += 1) queue.ask(`account ${i}`)
  const lanes = Array.from({ length: 50 }, () => queue.take()?.lane)
  expect(lanes.slice(0, 6)).toEqual(['account', 'account', 'account', 'account', 'stranger', 'account'])
  expect(lanes.filter((lane) => lane === 'stranger')).toHaveLength(10)
  expect(queue.take()?.lane).toBe('stranger')
})

test('who names the server shares it half and half with who names none', () => {
  const queue = play()
  for (let i = 0; i < 1000; i += 1) queue.ask('many', 'account', true)
  queue.take()
  const single = queue.ask('single')
  expect(queue.placeOf(single)).toBe(1)
  for (let i = 0; i < 20; i += 1) queue.ask(`other ${i}`)
  const named = Array.from({ length: 20 }, () => queue.take()?.named)
  expect(named.filter((one) => one === true)).toHaveLength(10)
})

test('the place that is told is the one that comes true', () => {
  // A fixed sequence: linear congruential, as in Numerical Recipes.
  let seed = 20_261_122
  const next = (below: number) => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) % below
  for (let round = 0; round < 40; round += 1) {
    const queue = play()
    for (let i = 0; i < 60; i += 1) {
      queue.ask(`asker ${next(6)}`, next(2) === 0 ? 'account' : 'stranger', next(3) === 0)
      if (next(4) === 0) queue.take()
    }
    const told = new Map(queue.waiting().map((one) => [one, queue.placeOf(one)]))
    let place = 0
    for (let one = queue.take(); one !== null; one = queue.take()) expect(told.get(one)).toBe((place += 1))
    expect(place).toBe(told.size)
  }
})
