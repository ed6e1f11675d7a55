import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

test('one person takes his share of the places, all take what there is, and a place that is given back is there again', () => {
  const places = createPlaces({ most: 3, ofOne: 2, busy: 'http.busy' })
  const first = places.take('a')
  places.take('a')
  expect(() => places.take('a')).toThrow('http.busy')
  const third = places.take('b')
  expect(() => places.take('c')).toThrow('http.busy')
  first()
  places.take('a')
  expect(() => places.take('c')).toThrow('http.busy')
  third()
  places.take('c')
  expect(() => places.take('b')).toThrow('http.busy')
})
