import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBatchBody } from '../../contract/document.ts'
import { largestBatch } from '../../domain/status.ts'
import type { HashedFile } from './intake.ts'
import { declaredName, makeBatches as batchesOf, type DepositChoices } from './make-batches.ts'

const plain: DepositChoices = { agree: true, hideNames: false, label: '', description: '', replaces: null }
const who = { user: randomUUID(), delegation: null }
const deps = { id: () => randomUUID(), now: () => new Date('2026-11-21T12:00:00Z') }
const makeBatches = (...given: Parameters<typeof batchesOf>) => [...batchesOf(...given)]
const file = (path: string, id = 1): HashedFile => ({ id, path, size: 1, sha256: 'a'.repeat(64), sha512: 'b'.repeat(128) })

test('E-31 E-32: what is sent is what the server takes, and nothing but fingerprints and what was declared', () => {
  const [batch] = makeBatches(
    [file('contract.pdf')],
    { ...plain, label: 'Case 7', description: 'As signed', replaces: randomUUID() },
    who,
    deps,
  )
  const body = { documents: batch?.documents ?? [], agree: batch?.agree }
  expect(createBatchBody.safeParse(body).success).toBe(true)
  expect(Object.keys(batch?.documents[0] ?? {}).sort()).toEqual([
    'client_id',
    'description',
    'document_name',
    'label',
    'replaces',
    'sha256',
    'sha512',
  ])
})

test('hidden names are not sent, and are kept here', () => {
  const [batch] = makeBatches([file('secret.pdf')], { ...plain, hideNames: true }, who, deps)
  expect(JSON.stringify(batch?.documents)).not.toContain('secret')
  expect(batch?.names).toEqual(['secret.pdf'])
  expect(batch?.hidden).toBe(true)
})

test('as many calls as they need: ten thousand in one, and no more bytes than a call takes', () => {
  const many = Array.from({ length: 2 * largestBatch + 1 }, (_, i) => file(`${i}.txt`, i))
  const batches = makeBatches(many, plain, who, deps)
  expect(batches.map(({ documents }) => documents.length)).toEqual([10_000, 10_000, 1])
  expect(batches.map(({ count }) => count)).toEqual([10_000, 10_000, 1])
  expect(new Set(batches.flatMap(({ documents }) => documents.map((each) => each.client_id))).size).toBe(20_001)
  const long = Array.from({ length: 5_000 }, (_, i) => file('\u{4e00}'.repeat(255), i))
  const heavy = makeBatches(long, plain, who, deps)
  expect(heavy.length).toBeGreaterThan(1)
  for (const { documents } of heavy)
    expect(new TextEncoder().encode(JSON.stringify({ documents })).length).toBeLessThan(3_600_000)
})

test('of many, none replaces another or has a description of its own', () => {
  const [batch] = makeBatches([file('a'), file('b')], { ...plain, description: 'both', replaces: randomUUID() }, who, deps)
  expect(batch?.documents.some((each) => 'replaces' in each || 'description' in each)).toBe(false)
})

test.each([
  ['a.txt', 'a.txt'],
  ['tab\tand\nline.txt', 'tab\u{fffd}and\u{fffd}line.txt'],
  ['half \u{d83d} of a pair', 'half \u{fffd} of a pair'],
  ['  ', null],
  ['\u{202e}gpj.exe', '\u{202e}gpj.exe'],
])('a name of every kind of character is declared as far as it can be: %j', (path, name) => {
  expect(declaredName(path)).toBe(name)
})

test('of a name that is too long the end is kept, and no letter is cut in two', () => {
  const name = declaredName(`${'\u{1f600}'.repeat(200)}/report.pdf`)
  expect(name).toMatch(/^…(?:\u{1f600})+\/report\.pdf$/u)
  expect(name?.length).toBeLessThanOrEqual(255)
  expect(name?.isWellFormed()).toBe(true)
})
