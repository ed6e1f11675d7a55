import { createHash } from 'node:crypto'
import { toHex } from '../../kernel/bytes.ts'

/** Proofs of Chainpoint made here, in the forms that its services wrote. */
const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
export const chainpointDigest = toHex(sha256(Buffer.from('what is dated')))
const sibling = (text: string): string => toHex(sha256(Buffer.from(text)))
const hashed = { op: 'sha-256' }
const twice = { op: 'sha-256-x2' }
const aggregation = [{ l: 'node_id:66a34bd0-f4e7-11e7-a52b-016a36a9d789' }, hashed, { r: sibling('aggregated') }, hashed]
const calendar = [{ l: '985635:1515466042:1:https://a.example:cal:985635' }, { r: sibling('calendar') }, hashed]
const transaction = [
  { l: `0100000001${'3d'.repeat(32)}0100000000ffffffff020000000000000000226a20` },
  { r: `0a13290000000000160014${'43'.repeat(20)}00000000` },
  twice,
  { r: sibling('second transaction') },
  twice,
  { l: sibling('other half') },
  twice,
]
const anchor = (type: string, id: string) => ({ anchors: [{ type, anchor_id: id, uris: [`https://a.example/calendar/${id}`] }] })

const branches = (prefix: string, height: string) => [
  {
    label: 'cal_anchor_branch',
    ops: [...aggregation, ...calendar, anchor(`${prefix}cal`, '985635')],
    branches: [
      {
        label: 'btc_anchor_branch',
        ops: [{ l: sibling('aggregated calendars') }, hashed, ...transaction, anchor(`${prefix}btc`, height)],
      },
    ],
  },
]
const head = (version: number) => ({
  '@context': `https://w3id.org/chainpoint/v${version}`,
  type: 'Chainpoint',
  hash: chainpointDigest,
})
const third = {
  hash_id_node: '66a34bd0-f4e7-11e7-a52b-016a36a9d789',
  hash_submitted_node_at: '2018-01-09T02:47:15Z',
  hash_id_core: '66bd6380-f4e7-11e7-895d-0176dc2220aa',
  hash_submitted_core_at: '2018-01-09T02:47:15Z',
}
const fourth = { proof_id: '66a34bd0-f4e7-11e7-a52b-016a36a9d789', hash_received: '2018-01-09T02:47:15Z' }

export const chainpointHeight = 503_275
const height = String(chainpointHeight)
export const chainpointProofs = {
  'version 3': JSON.stringify({ ...head(3), ...third, branches: branches('', height) }),
  'version 3, test network': JSON.stringify({ ...head(3), ...third, branches: branches('t', height) }),
  'version 4': JSON.stringify({ ...head(4), ...fourth, branches: branches('', height) }),
} as const
