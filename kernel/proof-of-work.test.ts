import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findAnswer, isSolved, type Puzzle } from './proof-of-work.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const puzzle: Puzzle = { seed: sha256(new TextEncoder().encode('a challenge')), parts: 4, hashes: 256 }

test('an answer is found and taken, and no other: not of another part, another challenge, nor a dearer one', () => {
  const answers = [0, 1, 2, 3].map((part) => findAnswer(puzzle, sha256, part, 0, 1e5) ?? -1)
  expect(answers.every((nonce) => nonce >= 0)).toBe(true)
  expect(isSolved(puzzle, sha256, answers)).toBe(true)
  expect(isSolved(puzzle, sha256, answers.slice(1))).toBe(false)
  expect(isSolved(puzzle, sha256, [...answers, 0])).toBe(false)
  expect(isSolved(puzzle, sha256, answers.toReversed())).toBe(false)
  expect(isSolved({ ...puzzle, seed: sha256(puzzle.seed) }, sha256, answers)).toBe(false)
  expect(isSolved({ ...puzzle, hashes: 2 ** 22 }, sha256, answers)).toBe(false)
  for (const wrong of [-1, 2 ** 32, 1.5, Number.NaN]) expect(isSolved(puzzle, sha256, [wrong, ...answers.slice(1)])).toBe(false)
})

test('what it takes is what was said, on the mean', () => {
  let tried = 0
  const counting = (bytes: Uint8Array) => {
    tried += 1
    return sha256(bytes)
  }
  for (let part = 0; part < 100; part += 1) findAnswer({ ...puzzle, hashes: 300 }, counting, part, 0, 1e5)
  expect(tried / 100).toBeGreaterThan(200)
  expect(tried / 100).toBeLessThan(420)
})
