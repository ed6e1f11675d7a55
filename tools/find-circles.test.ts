import { expect, test } from 'vitest'
import { findCircles } from './find-circles.ts'

const graph = (edges: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]))

test('a tree, a diamond and a node that names itself have no circle', () => {
  expect(findCircles(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [], e: ['e'] }))).toEqual([])
})

test('each circle is found once, whichever node is met first, and what only leads there is not of it', () => {
  const edges = { top: ['c'], a: ['b'], b: ['c'], c: ['a', 'leaf'], leaf: [], x: ['y'], y: ['x', 'a'] }
  expect(findCircles(graph(edges))).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
  expect(findCircles(new Map([...graph(edges)].toReversed()))).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('circles that share a node are one', () => {
  expect(findCircles(graph({ a: ['b', 'c'], b: ['a'], c: ['a'] }))).toEqual([['a', 'b', 'c']])
})

test('a name that the graph does not hold is a leaf', () => {
  expect(findCircles(graph({ a: ['elsewhere'] }))).toEqual([])
})
