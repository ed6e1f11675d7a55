import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fromHex, utf8 } from '../../../../kernel/bytes.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { isConsistent, rootOfInclusion } from './merkle-proof.ts'
import { checkNoteSignature, decodeBase64, formatNote, formatVerifierKey, parseNote, parseVerifierKey } from './note.ts'
import { formatEntryBundle, formatTilePath, parseEntryBundle, parseTilePath } from './tile-path.ts'
import { leafHash, merkleRoot } from '../hash/merkle.ts'
import { consistencyFolds, foldOf, hashFolds, inclusionFolds, tileKey, tileOf, tilesOf, widthOfTile } from './tree.ts'
import type { Fold, Tile } from './tree.ts'

/** vectors/SOURCES.md */
const vectors = (name: string): unknown => JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8'))
type SignedNote = { readonly vkey: string; readonly note: string }
const notes = vectors('signed-notes') as {
  valid: SignedNote[]
  false: SignedNote[]
  unknown: SignedNote[]
  malformed: string[]
  bad_keys: string[]
}

const go = vectors('go-tlog') as {
  entries: number
  roots: Record<string, string>
  inclusion: { index: number; size: number; path: string[] }[]
  consistency: { from: number; to: number; proof: string[] }[]
  tiles: { level: number; number: number; width: number; sha256: string }[]
  vkey: string
  note: string
}

const octets = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const path = (proof: readonly string[] | null) => (proof ?? []).map(octets)

test('roots, proofs, tiles and a note are those that golang.org/x/mod/sumdb makes', () => {
  const levels = [Array.from({ length: go.entries }, (_, i) => leafHash(utf8(`entry ${i}`)))]
  for (let below = levels[0] ?? []; below.length >= 256; below = levels.at(-1) ?? [])
    levels.push(Array.from({ length: Math.floor(below.length / 256) }, (_, i) => merkleRoot(below.slice(i * 256, i * 256 + 256))))
  const tileOctets = ({ level, number, width }: Tile) =>
    new Uint8Array(Buffer.concat((levels[level] ?? []).slice(number * 256, number * 256 + width)))
  const compute = (folds: readonly Fold[], size: number) => {
    const read = new Map(tilesOf(folds, size).map((tile) => [tileKey(tile), tileOctets(tile)]))
    return hashFolds(folds, read).map((hash) => Buffer.from(hash).toString('base64'))
  }
  const head = (size: number) => ({ size, rootHash: octets(go.roots[String(size)] ?? '') })
  for (const size of Object.keys(go.roots)) expect(compute([foldOf(0, Number(size))], Number(size))).toEqual([go.roots[size]])
  for (const { index, size, path: theirs } of go.inclusion) {
    expect([index, size, compute(inclusionFolds(index, size), size)]).toEqual([index, size, theirs])
    const reached = rootOfInclusion({ leafHash: levels[0]?.[index] ?? new Uint8Array(), index, size, path: path(theirs) })
    expect(reached).toEqual(head(size).rootHash)
  }
  for (const { from, to, proof } of go.consistency) {
    expect([from, to, compute(consistencyFolds(from, to), to)]).toEqual([from, to, proof])
    expect(isConsistent(head(from), head(to), path(proof))).toBe(true)
  }
  // Nothing else than what was proved is: each with one thing changed.
  const flipped = (hashes: readonly string[], at: number) =>
    path(hashes).map((hash, i) => (i === at ? hash.map((octet, k) => (k === at % 32 ? octet ^ 4 : octet)) : hash))
  let changed = 0
  for (const { index, size, path: theirs } of go.inclusion) {
    const leaf = levels[0]?.[index] ?? new Uint8Array()
    const right = { leafHash: leaf, index, size, path: path(theirs) }
    for (const wrong of [
      ...theirs.map((_, at) => ({ ...right, path: flipped(theirs, at) })),
      ...(theirs.length > 0
        ? [
            { ...right, path: path(theirs.slice(1)) },
            { ...right, path: path(theirs.slice(0, -1)) },
          ]
        : []),
      { ...right, path: [...path(theirs), leaf] },
      { ...right, path: [leaf, ...path(theirs)] },
      { ...right, leafHash: head(size).rootHash.map((octet) => octet ^ 1) },
      { ...right, index: index + 1 },
      { ...right, index: index ^ 2 },
      { ...right, index: size },
    ]) {
      const reached = rootOfInclusion(wrong)
      expect(reached !== null && Buffer.from(reached).equals(head(size).rootHash), `${index} of ${size}`).toBe(false)
      changed += 1
    }
  }
  for (const { from, to, proof } of go.consistency) {
    if (from === to) continue
    const garbage = new Uint8Array(32).fill(7)
    for (const [older, newer, wrong] of [
      ...proof.map((_, at) => [head(from), head(to), flipped(proof, at)] as const),
      [head(from), head(to), path(proof.slice(1))],
      [head(from), head(to), path(proof.slice(0, -1))],
      [head(from), head(to), [...path(proof), garbage]],
      [head(from), head(to), [garbage, ...path(proof)]],
      [head(to), head(from), path(proof)],
      [{ ...head(from), rootHash: garbage }, head(to), path(proof)],
      [head(from), { ...head(to), rootHash: garbage }, path(proof)],
    ] as const) {
      expect(isConsistent(older, newer, wrong), `${from} to ${to}`).toBe(false)
      changed += 1
    }
  }
  expect(changed).toBeGreaterThan(500)
  for (const { sha256, ...tile } of go.tiles)
    expect([tile, createHash('sha256').update(tileOctets(tile)).digest('hex')]).toEqual([tile, sha256])
  const key = parseVerifierKey(go.vkey)
  const note = parseCheckpoint(utf8(go.note))
  expect(key !== null && note !== null && checkNoteSignature(note.note, key)).toBe('valid')
  expect(note).toMatchObject(head(go.entries))
})

test('notes and keys of C2SP and of Go are read, verified and refused as they say', () => {
  for (const outcome of ['valid', 'false', 'unknown'] as const) {
    for (const { vkey, note } of notes[outcome]) {
      const key = parseVerifierKey(vkey)
      const parsed = parseNote(utf8(note))
      if (key === null || parsed === null) throw new Error(`cannot read ${vkey} or ${note}`)
      expect([note, checkNoteSignature(parsed, key)]).toEqual([note, outcome])
      expect(formatVerifierKey(key)).toBe(vkey)
      expect(new TextDecoder().decode(formatNote(parsed.text, parsed.signatures))).toBe(note)
    }
  }
  for (const note of notes.malformed) expect(parseNote(utf8(note)), note).toBeNull()
  expect(parseNote(Uint8Array.of(0xff, ...utf8(notes.valid[1]?.note ?? '')))).toBeNull()
  for (const vkey of notes.bad_keys) expect(parseVerifierKey(vkey), vkey).toBeNull()
  const vkey = notes.valid[1]?.vkey ?? ''
  expect(parseVerifierKey(vkey)).not.toBeNull()
  for (let i = 0; i < vkey.length; i += 1) {
    expect(parseVerifierKey(vkey.slice(i + 1))).toBeNull()
    expect(parseVerifierKey(vkey.slice(0, i))).toBeNull()
    const next = String.fromCharCode(vkey.charCodeAt(i) + 1)
    expect(parseVerifierKey(vkey.slice(0, i) + next + vkey.slice(i + 1)), String(i)).toBeNull()
  }
})

test('a checkpoint is read in one spelling only', () => {
  const { note } = go
  expect(parseCheckpoint(utf8(note))).toMatchObject({ origin: 'go.example/log', size: 66_000, extensions: [] })
  for (const [from, to] of [
    ['66000', '066000'],
    ['66000', '+66000'],
    ['66000', ''],
    ['66000', '99999999999999999'],
    ['go.example/log\n', '\n'],
    ['yaI=', 'yaJ='],
    ['yaI=', 'yaI'],
    ['yaI=', 'yaI=\n'],
  ] as const)
    expect(parseCheckpoint(utf8(note.replace(from, to))), to).toBeNull()
  expect(parseCheckpoint(utf8(note.replace('yaI=', 'yaI=\nmore')))?.extensions).toEqual(['more'])
  expect(decodeBase64('yaJ=')).toBeNull()
})

test('tiles are named and measured as C2SP tlog-tiles does', () => {
  // The examples of the specification.
  expect(formatTilePath({ level: 0, number: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
  const widths = [0, 1, 2].map((level) => [
    Array.from({ length: 300 }, (_, number) => widthOfTile(level, number, 70_000)).filter((width) => width === 256).length,
    Array.from({ length: 300 }, (_, number) => widthOfTile(level, number, 70_000)).find((width) => width > 0 && width < 256),
  ])
  expect(widths).toEqual([
    [273, 112],
    [1, 17],
    [0, 1],
  ])
  expect([widthOfTile(0, 0, 256), widthOfTile(0, 1, 256), widthOfTile(1, 0, 256)]).toEqual([256, 0, 1])
  for (const each of [
    'tile/0/000',
    'tile/0/x001/234.p/1',
    'tile/63/x999/x999/999',
    'tile/entries/x001/000.p/255',
    'tile/entries/007',
  ]) {
    const read = parseTilePath(each)
    expect(read === null ? null : formatTilePath(read)).toBe(each)
  }
  for (const each of [
    'tile/00/000',
    'tile/64/000',
    'tile/0/0',
    'tile/0/x000/001',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/001/x000',
    'tile/data/000',
    'tile/0/x999/x999/x999/x999/x999/999',
    '/tile/0/000',
  ])
    expect(parseTilePath(each), each).toBeNull()
  expect(tileOf({ level: 9, index: 130 }, 2 ** 40)).toEqual({ level: 1, number: 1, width: 256 })
  expect(foldOf(8, 15)).toEqual([
    { level: 2, index: 2 },
    { level: 1, index: 6 },
    { level: 0, index: 14 },
  ])
})

test('entry bundles are lengths and octets, and nothing else', () => {
  const entries = [fromHex('00ff'), new Uint8Array(), new Uint8Array(300).fill(7)]
  const bundle = formatEntryBundle(entries)
  expect(parseEntryBundle(bundle)).toEqual(entries)
  expect([...bundle.subarray(0, 6)]).toEqual([0, 2, 0, 255, 0, 0])
  for (let cut = 1; cut < 300; cut += 7) expect(parseEntryBundle(bundle.subarray(0, bundle.length - cut))).toBeNull()
  expect(parseEntryBundle(formatEntryBundle(Array.from({ length: 257 }, () => Uint8Array.of(1))))).toBeNull()
  expect(() => formatEntryBundle([new Uint8Array(65_536)])).toThrow(RangeError)
})
