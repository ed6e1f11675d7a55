import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { readPublished, readPublishedFolder } from '../../../../testing/published/read-published.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { isConsistent, rootOfInclusion } from './merkle-proof.ts'
import { checkNoteSignature, parseVerifierKey } from './note.ts'

const octets = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const path = (proof: readonly string[] | null) => (proof ?? []).map(octets)
/** Apache-2.0. */
const merkle = async <T>(folder: string): Promise<(T & { file: string })[]> => {
  const commit = '417fb0c314750d94e53942e9f92e79b6d35915db'
  const files = await readPublishedFolder('transparency-dev/merkle', commit, `testdata/${folder}`)
  return files.map(({ path: file, text }) => ({ ...(JSON.parse(text) as T), file }))
}

test('inclusion proofs of transparency-dev/merkle hold or fail as they say', async () => {
  type Row = { leafIdx: number; treeSize: number; root: string; leafHash: string; proof: string[] | null; wantErr: boolean }
  const rows = await merkle<Row>('inclusion')
  for (const { leafIdx: index, treeSize: size, root, leafHash, proof, file, wantErr } of rows) {
    const reached = rootOfInclusion({ leafHash: octets(leafHash), index, size, path: path(proof) })
    const holds = reached !== null && Buffer.from(reached).equals(octets(root))
    expect([file, holds]).toEqual([file, !wantErr])
  }
  expect(rows.filter(({ wantErr }) => wantErr).length).toBeGreaterThan(80)
  expect(rows.some(({ wantErr }) => !wantErr)).toBe(true)
})

test('consistency proofs of transparency-dev/merkle hold or fail as they say', async () => {
  type Row = { size1: number; size2: number; root1: string; root2: string; proof: string[] | null; wantErr: boolean }
  const rows = await merkle<Row>('consistency')
  for (const { size1, size2, root1, root2, proof, file, wantErr } of rows) {
    const holds = isConsistent({ size: size1, rootHash: octets(root1) }, { size: size2, rootHash: octets(root2) }, path(proof))
    expect([file, holds]).toEqual([file, !wantErr])
  }
  expect(rows.filter(({ wantErr }) => wantErr).length).toBeGreaterThan(80)
  expect(rows.some(({ wantErr }) => !wantErr)).toBe(true)
})

test('a checkpoint of sum.golang.org holds under its published key', async () => {
  const bytes = await readPublished({
    repository: 'FiloSottile/torchwood',
    commit: '341dc2f0f552a29816955d4834718cd741f1ca64',
    path: 'cmd/litewitness/testdata/sumdb.txt',
    sha256: 'caddba64a600314ec17d3a31d61105260fecb0c05af9a7b8b222ceda47553f06',
  })
  const text = new TextDecoder().decode(bytes)
  const vkey = /sum\.golang\.org\+033de0ae\+[\w+/=]+/.exec(text)?.[0] ?? ''
  const note = /go\.sum database tree\n35225469\n[\s\S]*?\n\n— sum\.golang\.org [\w+/=]+\n/.exec(text)?.[0] ?? ''
  const key = parseVerifierKey(vkey)
  const checkpoint = parseCheckpoint(utf8(note))
  expect(checkpoint).toMatchObject({ origin: 'go.sum database tree', size: 35_225_469 })
  expect(key !== null && checkpoint !== null && checkNoteSignature(checkpoint.note, key)).toBe('valid')
  const altered = parseCheckpoint(utf8(note.replace('35225469', '35225470')))
  expect(key !== null && altered !== null && checkNoteSignature(altered.note, key)).toBe('false')
})
