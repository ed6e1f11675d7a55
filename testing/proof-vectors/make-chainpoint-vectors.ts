import { deflateSync } from 'node:zlib'
import { toHex, utf8 } from '../../kernel/bytes.ts'
import { buildChainpoint } from '../../modules/verification/domain/chainpoint/write-chainpoint.ts'
import { mineHeader } from '../bitcoin/mine-header.ts'
import { digest, header, height, operations } from './anchored-file.ts'
import { chainpointReceipts } from './chainpoint-receipts.ts'
import { writeGallery } from './gallery.ts'
import type { Case, Known } from './gallery.ts'

/** Writes the vectors of Chainpoint: `node testing/proof-vectors/make-chainpoint-vectors.ts`. */
const given = { digest: toHex(digest) }
const headers = (each: Uint8Array): Known => ({ headers: [{ height, header: toHex(each), source: 'node' }] })
const of = (name: string, file: string, bytes: string | Uint8Array, finds: Case['finds'], more: Partial<Case> = {}): Case => ({
  name,
  file: `${file}.chp`,
  bytes: typeof bytes === 'string' ? utf8(bytes) : bytes,
  input: given,
  finds,
  ...more,
})
const steps = [{ op: 'sha-256' }]
const ops = operations.flatMap((each): object[] =>
  'data' in each ? [{ [each.op === 'append' ? 'r' : 'l']: toHex(each.data) }] : each.op === 'sha256' ? steps : [],
)
type Change = { readonly ops?: readonly object[]; readonly anchors?: unknown; readonly head?: object }
const anchor = (type = 'btc', id = String(height)): object => ({ type, anchor_id: id, uris: [] })
const proof = (version: number, { ops: own = ops, anchors = [anchor()], head = {} }: Change = {}): string =>
  JSON.stringify({
    '@context': `https://w3id.org/chainpoint/v${version}`,
    type: 'Chainpoint',
    hash: given.digest,
    branches: [{ label: 'btc_anchor_branch', ops: [...own, { anchors }] }],
    ...head,
  })
const good = proof(3)
const receipt = chainpointReceipts.find(({ name }) => name === 'SHA256')?.receipt as Readonly<Record<string, unknown>>
const target = { input: { digest: String(receipt['targetHash']) } }
const open = { attestation: 'indeterminate no_transaction' }
const bad = { attestation: 'indeterminate bad_header' }
const nest = (depth: number): object[] =>
  depth === 0 ? [{ ops: [{ anchors: [anchor()] }] }] : [{ ops: [], branches: nest(depth - 1) }]

await writeGallery('chainpoint', {
  known: { now: '2026-11-21T12:00:00Z', ...headers(header) },
  unusable: ['no JSON', 'JSON of something else'],
  cases: [
    of('version 3', 'good', good, {}),
    of('version 4', 'good-4', proof(4), {}),
    of(
      'as it is written here',
      'own',
      buildChainpoint(4, { hash: digest, operations, height, receivedAt: new Date('2026-01-01T00:00:00Z') }),
      {},
    ),
    of('version 2, whose transaction is not at hand', 'receipt', JSON.stringify(receipt), open, target),
    of('no JSON', 'text', 'hello', { format: 'failed not_json' }),
    of('JSON of something else', 'other', '{"a":1}', { format: 'failed not_chainpoint' }),
    of('a version to come', 'version-9', proof(9), { format: 'indeterminate version' }),
    of('deflated octets of nothing', 'binary', new Uint8Array(deflateSync(Buffer.from('nothing'))), { format: 'failed binary' }),
    of('a hash that is none', 'hash', proof(3, { head: { hash: 'xyz' } }), { format: 'failed hash' }),
    of('branches that are a text', 'branches', proof(3, { head: { branches: 'x' } }), { format: 'failed branches' }),
    of('an operation that nobody knows', 'operation', proof(3, { ops: [{ op: 'rot13' }] }), { format: 'failed operation' }),
    of('an anchor that is nothing', 'anchor', proof(3, { anchors: [null] }), { format: 'failed anchor' }),
    of('no anchor', 'no-anchor', proof(3, { anchors: [] }), { format: 'failed anchor' }),
    of('branches within branches', 'deep', proof(3, { head: { branches: nest(40) } }), { format: 'failed too_deep' }),
    of('more anchors than any real one', 'many', proof(3, { anchors: Array.from({ length: 65 }, () => anchor('cal', 'x')) }), {
      format: 'failed too_many',
    }),
    of('another file', 'good', good, { digest: 'failed differs' }, { input: { digest: '00'.repeat(32) } }),
    of(
      'a digest of another length',
      'good',
      good,
      { digest: 'indeterminate other_algorithm' },
      { input: { digest: '00'.repeat(20) } },
    ),
    of('no file', 'good', good, { digest: 'indeterminate nothing_given' }, { input: {} }),
    of(
      'a root that its path does not lead to',
      'root',
      JSON.stringify({ ...receipt, merkleRoot: 'ab'.repeat(32) }),
      { ...open, path: 'failed other_root' },
      target,
    ),
    of('a way that leads to another block', 'way', proof(3, { ops: ops.slice(0, -1) }), { attestation: 'failed merkle_root' }),
    of('a block without a number', 'height', proof(3, { anchors: [anchor('btc', 'x')] }), { attestation: 'failed height' }),
    of('a promise of a calendar', 'calendar', proof(3, { anchors: [anchor('cal', '1')] }), { attestation: 'indeterminate cal' }),
    of('a block and a promise', 'both', proof(3, { anchors: [anchor(), anchor('cal', '1')] }), { attestation: 'noted cal' }),
    of('a test network', 'testnet', proof(3, { anchors: [anchor('tbtc', '1')] }), { attestation: 'indeterminate tbtc' }),
    of('another chain', 'ethereum', proof(3, { anchors: [anchor('eth', '1')] }), { attestation: 'indeterminate eth' }),
    of(
      'no header known',
      'good',
      good,
      { attestation: 'indeterminate no_header', block_header: 'indeterminate no_header' },
      { known: { headers: [] } },
    ),
    of(
      'a header without work',
      'good',
      good,
      { ...bad, block_header: 'failed no_work' },
      { known: headers(header.map((each, i) => (i === 79 ? each ^ 1 : each))) },
    ),
    of(
      'a header of too little work',
      'good',
      good,
      { ...bad, block_header: 'failed difficulty' },
      { known: headers(mineHeader(header.slice(36, 68))) },
    ),
  ],
})
