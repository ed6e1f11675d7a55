import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { firstReceipts } from '../../../../testing/proof-vectors/chainpoint-receipts.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'

const now = (): Date => new Date('2026-11-21T12:00:00Z')

/** What does not pass of a document that is given alone, as it is recognised. */
async function found(document: object): Promise<unknown> {
  const { items } = await verifyDossier([fileOfBytes('given.json', Buffer.from(JSON.stringify(document, null, 2)))], { now })
  const [item] = items
  if (item?.result.form !== 'proof') return [item?.kind, item?.result.form]
  const { checks, verdict } = item.result.report
  return [
    item.kind,
    verdict,
    ...checks.filter(({ status }) => status !== 'passed').map(({ id, status, data }) => `${id} ${status} ${data['reason']}`),
  ]
}

const sha256 = (...parts: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const [target, sibling] = [sha256(Buffer.from('certificate')), sha256(Buffer.from('sibling'))]
const transaction = '3b'.repeat(32)
const receipt = (anchor: object, root = sha256(target, sibling)) => ({
  type: ['MerkleProof2017', 'Extension'],
  merkleRoot: root.toString('hex'),
  targetHash: target.toString('hex'),
  proof: [{ right: sibling.toString('hex') }],
  anchors: [anchor],
})
const bitcoin = { sourceId: transaction, type: 'BTCOpReturn', chain: 'bitcoinMainnet' }
const blockcerts = (signature: object) => ({
  '@context': ['https://w3id.org/openbadges/v2', 'https://w3id.org/blockcerts/v2'],
  type: 'Assertion',
  // A picture before the proof, as certificates have them.
  badge: { image: `data:image/png;base64,${'A'.repeat(80_000)}` },
  signature,
})
const unhashed = 'digest indeterminate blockcerts'

test.each(firstReceipts)('a receipt of Chainpoint 1 is recognised and said to be one', async (first) => {
  expect(await found(first)).toEqual(['chainpoint', 'INDETERMINATE', 'format indeterminate version_1'])
})

test('a whole Blockcerts document is recognised, and what its proof says is followed', async () => {
  expect(await found(blockcerts(receipt(bitcoin)))).toEqual([
    'chainpoint',
    'INDETERMINATE',
    unhashed,
    'attestation indeterminate no_transaction',
  ])
  expect(await found(blockcerts(receipt(bitcoin, target)))).toEqual([
    'chainpoint', 'TOTAL-FAILED', unhashed, 'path failed other_root', 'attestation indeterminate no_transaction',
  ]) // prettier-ignore
  const third = { '@context': ['https://w3id.org/blockcerts/v3'], proof: { type: 'MerkleProof2019', proofValue: 'z7veGu1qoKR' } }
  expect(await found(third)).toEqual(['chainpoint', 'INDETERMINATE', 'format indeterminate version'])
})

test('another chain is said not to be followed, however it writes its identifiers', async () => {
  const ethereum = { sourceId: `0x${transaction}`, type: 'ETHData', chain: 'ethereumMainnet' }
  for (const [anchor, reason] of [
    [ethereum, 'eth'],
    [{ ...bitcoin, chain: 'bitcoinTestnet' }, 'tbtc'],
    [{ ...bitcoin, chain: 'mockchain', sourceId: 'Not set' }, 'unknown'],
  ] as const)
    expect(await found(blockcerts(receipt(anchor)))).toEqual([
      'chainpoint',
      'INDETERMINATE',
      unhashed,
      `attestation indeterminate ${reason}`,
    ])
  const { type: _, ...tree } = receipt(ethereum)
  expect(await found({ '@context': 'https://w3id.org/chainpoint/v2', type: 'ChainpointSHA256v2', ...tree })).toEqual([
    'chainpoint', 'INDETERMINATE', 'digest indeterminate nothing_given', 'attestation indeterminate eth',
  ]) // prettier-ignore
})

test('a document that only names Blockcerts is a document', async () => {
  expect(await found({ see: 'https://www.blockcerts.org/' })).toEqual(['document', 'document'])
})
