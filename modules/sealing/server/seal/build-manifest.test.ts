import * as fc from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { runTool, temporaryFolder, writeFiles } from '../../../../testing/keyring.ts'
import { leafHash, merkleRoot } from '../../../verification/server/index.ts'
import type { Piece, Subject } from '../../../verification/server/index.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { buildManifest } from './build-manifest.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

const subject: Subject = {
  evidence_id: '0190a0b0-0000-7000-8000-000000000000',
  kind: 'static',
  requested_url: 'https://example.org/é',
  final_url: 'https://example.org/%C3%A9',
  started_at: '2026-11-21T10:00:00.000Z',
  finished_at: '2026-11-21T10:00:09.000Z',
  software: 'probant/0.1.0',
}
const piece = (path: string): Piece => ({ path, role: 'dom', media_type: 'text/html', bytes: 3, sha256: 'ab'.repeat(32) })

test('the Merkle tree hash gives the known roots of Certificate Transparency', () => {
  // certificate-transparency/python/ct/crypto/merkle_test.py and the Go implementation: eight leaves, each prefix of them.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  for (const [index, root] of roots.entries()) {
    expect(toHex(merkleRoot(leaves.slice(0, index + 1).map((leaf) => leafHash(fromHex(leaf)))))).toBe(root)
  }
})

/** The recursive definition of RFC 9162 §2.1.1, in another language and from the file alone. */
const recompute = `
import hashlib, json, sys
def mth(d):
    if len(d) == 1: return hashlib.sha256(b'\\0' + d[0]).digest()
    k = 1
    while k * 2 < len(d): k *= 2
    return hashlib.sha256(b'\\1' + mth(d[:k]) + mth(d[k:])).digest()
def canon(o): return json.dumps(o, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode()
raw = open(sys.argv[1], 'rb').read()
m = json.loads(raw)
assert canon(m) == raw
assert m['root'] == mth([canon({'format': m['format'], 'subject': m['subject']})] + [canon(p) for p in m['pieces']]).hex()
print(m['root'])
`

test.each([0, 1, 2, 3, 7, 8, 9, 300])('%i pieces: Python finds the same root and the same canonical bytes', async (count) => {
  const { bytes, root } = buildManifest(
    subject,
    Array.from({ length: count }, (_, i) => piece(`capture/${i}.bin`)),
  )
  await writeFiles(folder.dir, [{ path: 'manifest.json', bytes }])
  expect(await runTool(folder.dir, 'python3', '-c', recompute, 'manifest.json')).toEqual({ code: 0, output: `${toHex(root)}\n` })
})

test('the order given does not matter, and any change of any member changes the root', () => {
  const paths = fc.uniqueArray(fc.stringMatching(/^(capture|environment)\/[a-zA-Z0-9_-]{1,12}$/), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(paths, fc.nat(), (names, seed) => {
      const pieces = names.map(piece)
      const { root, bytes } = buildManifest(subject, pieces)
      expect(buildManifest(subject, pieces.toReversed()).bytes).toEqual(bytes)
      const at = seed % pieces.length
      const alterations: Partial<Piece>[] = [
        { bytes: 4 },
        { sha256: 'ac'.repeat(32) },
        { role: 'har' },
        { media_type: 'text/plain' },
        { path: 'capture/other-name-here' },
      ]
      for (const alteration of alterations) {
        expect(
          buildManifest(
            subject,
            pieces.map((each, i) => (i === at ? { ...each, ...alteration } : each)),
          ).root,
        ).not.toEqual(root)
      }
      expect(buildManifest({ ...subject, finished_at: '2026-11-21T10:00:09.001Z' }, pieces).root).not.toEqual(root)
      expect(buildManifest(subject, pieces.slice(1)).root).not.toEqual(root)
    }),
    { numRuns: 50 },
  )
})

test('members that the format does not know are left out', () => {
  const more = { ...piece('capture/a'), crc32: 7, secret: 'x' }
  expect(buildManifest(Object.assign({ extra: 1 }, subject), [more]).bytes).toEqual(
    buildManifest(subject, [piece('capture/a')]).bytes,
  )
})

test.each([
  ['capture/../seal/root.bin'],
  ['capture//a'],
  ['capture/'],
  ['capture/.'],
  ['seal/a'],
  ['manifest.json'],
  ['capture/a b'],
  ['capture/é'],
  ['/capture/a'],
  ['capture/a\n'],
])('the path %j is refused', (path) => {
  expect(() => buildManifest(subject, [piece(path)])).toThrow('sealing.piece_path')
})

test('repeated paths, false digests, false lengths and broken Unicode are refused', () => {
  expect(() => buildManifest(subject, [piece('capture/a'), piece('capture/a')])).toThrow('sealing.piece_path')
  for (const sha256 of ['', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}\n`]) {
    expect(() => buildManifest(subject, [{ ...piece('capture/a'), sha256 }])).toThrow('sealing.piece_digest')
  }
  for (const bytes of [-1, 1.5, Number.NaN, 2 ** 53])
    expect(() => buildManifest(subject, [{ ...piece('capture/a'), bytes }])).toThrow('sealing.piece_length')
  expect(() => buildManifest({ ...subject, final_url: 'https://x/\ud800' }, [])).toThrow('sealing.text_not_unicode')
})

test('canonical JSON: the sample of RFC 8785 §3.2.2', () => {
  const input = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27],
    string: '\u20ac$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  }
  expect(new TextDecoder().decode(canonicalJson(input))).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})
