import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '@noble/hashes/sha2.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { digestOf, indefinite, response } from '../../../../testing/proof-vectors/issue.ts'
import { stampOver } from '../../../../testing/proof-vectors/evidence-records.ts'
import { MalformedError } from '../encoding/der.ts'
import {
  buildEvidenceRecord,
  leafOfTimestampRenewal,
  leafOfTreeRenewal,
  renewHashTree,
  renewTimestamp,
} from './build-evidence-record.ts'
import { buildHashTree } from './hash-tree.ts'
import { readEvidenceRecord } from './read-evidence-record.ts'

const run = promisify(execFile)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evidence-record-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** What OpenSSL reads of it: depth, type and contents of every element. */
async function asn1parse(der: Uint8Array): Promise<string[]> {
  const path = join(folder, `${toHex(sha256(der)).slice(0, 16)}.der`)
  await writeFile(path, der)
  const { stdout } = await run('openssl', ['asn1parse', '-inform', 'DER', '-in', path])
  return stdout.trim().split('\n')
}

const documents = ['one', 'two', 'three', 'four', 'five'].map((text) => digestOf(utf8(text)))
const tree = buildHashTree(documents, sha256)

test('a record of a batch holds the leaf alone, then its siblings, and the time stamp over the root, as OpenSSL reads it', async () => {
  const leaf = documents[2] as Uint8Array
  const token = stampOver(tree.root)
  const record = buildEvidenceRecord({ leaf, path: tree.path(2), token })
  const { version, algorithms, chains } = readEvidenceRecord(record)
  expect([version, algorithms]).toEqual([1, [{ id: '2.16.840.1.101.3.4.2.1', name: 'sha256' }]])
  const [stamp] = chains[0]?.timestamps ?? []
  expect(stamp?.lists?.map((list) => list.map(toHex))).toEqual([[toHex(leaf)], ...tree.path(2).map((each) => [toHex(each)])])
  expect(toHex(stamp?.token ?? new Uint8Array())).toBe(toHex(token))
  const lines = await asn1parse(record)
  const values = lines.filter((line) => /:d=6 .*OCTET STRING/.test(line)).map((line) => line.split(':').at(-1)?.toLowerCase())
  expect(values).toEqual([toHex(leaf), ...tree.path(2).map(toHex)])
  expect(lines[1]).toMatch(/d=1 .*INTEGER\s+:01/)
})

test('the time stamp of a response is its token; one in pieces is put together', () => {
  const leaf = documents[0] as Uint8Array
  const token = stampOver(leaf)
  const record = toHex(buildEvidenceRecord({ leaf, path: [], token }))
  expect(toHex(buildEvidenceRecord({ leaf, path: [], token: response(token) }))).toBe(record)
  expect(toHex(buildEvidenceRecord({ leaf, path: [], token: indefinite(token) }))).toBe(record)
  expect(readEvidenceRecord(buildEvidenceRecord({ leaf, path: [], token })).chains[0]?.timestamps[0]?.lists).toBeUndefined()
})

test('none is written over another root, by another algorithm, or of what is no time stamp', () => {
  const [leaf, other] = documents as [Uint8Array, Uint8Array]
  expect(() => buildEvidenceRecord({ leaf, path: [], token: stampOver(other) })).toThrow(RangeError)
  expect(() => buildEvidenceRecord({ leaf, path: tree.path(1), token: stampOver(tree.root) })).toThrow(RangeError)
  expect(() => buildEvidenceRecord({ leaf, path: [], token: stampOver(leaf) }, 'sha512')).toThrow(RangeError)
  expect(() => buildEvidenceRecord({ leaf, path: [], token: utf8('no time stamp') })).toThrow(MalformedError)
  expect(() => buildEvidenceRecord({ leaf, path: [], token: response(undefined, 2) })).toThrow(MalformedError)
})

test('a renewal is over the time stamp before it, alone or with others', () => {
  const leaf = documents[0] as Uint8Array
  const record = buildEvidenceRecord({ leaf, path: [], token: stampOver(leaf) })
  const last = leafOfTimestampRenewal(record)
  expect(toHex(last)).toBe(toHex(digestOf(stampOver(leaf))))
  const others = buildHashTree([last, ...documents], sha256)
  const renewed = renewTimestamp(record, { leaf: last, path: others.path(0), token: stampOver(others.root) })
  expect(readEvidenceRecord(renewed).chains.map(({ timestamps }) => timestamps.length)).toEqual([2])
  const next = leafOfTimestampRenewal(renewed)
  const again = renewTimestamp(renewed, { leaf: next, path: [], token: stampOver(next) })
  expect(readEvidenceRecord(again).chains.map(({ timestamps }) => timestamps.length)).toEqual([3])
  expect(() => renewTimestamp(record, { leaf, path: [], token: stampOver(leaf) })).toThrow(RangeError)
})

test('a new chain is over the document and every chain before, under its own algorithm', () => {
  const leaf = documents[0] as Uint8Array
  const record = buildEvidenceRecord({ leaf, path: [], token: stampOver(leaf) })
  const digest = digestOf(utf8('one'), 'sha512')
  const renewedLeaf = leafOfTreeRenewal(record, digest, 'sha512')
  // The sequence of chains is the last member of the record: what OpenSSL, too, would find there.
  const sequence = record.subarray(record.length - readSequenceLength(record))
  expect(toHex(renewedLeaf)).toBe(toHex(digestOf(Buffer.concat([digest, digestOf(sequence, 'sha512')]), 'sha512')))
  const token = stampOver(renewedLeaf, { algorithm: 'sha512' })
  const renewed = renewHashTree(record, { leaf: renewedLeaf, path: [], token }, 'sha512')
  const read = readEvidenceRecord(renewed)
  expect(read.algorithms.map(({ name }) => name)).toEqual(['sha256', 'sha512'])
  expect(read.chains.map(({ timestamps }) => timestamps.map(({ algorithm }) => algorithm?.name))).toEqual([
    ['sha256'],
    ['sha512'],
  ])
  expect(toHex(read.chains[0]?.encoded ?? new Uint8Array())).toBe(
    toHex(readEvidenceRecord(record).chains[0]?.encoded ?? new Uint8Array()),
  )
  expect(() => leafOfTreeRenewal(record, leaf, 'sha512')).toThrow(RangeError)
})

/** Version and algorithms of a record by SHA-256 are 3 and 15 octets, after four of the outer head. */
function readSequenceLength(record: Uint8Array): number {
  expect(toHex(record.subarray(4, 22))).toBe('020101300d300b0609608648016503040201')
  return record.length - 22
}
