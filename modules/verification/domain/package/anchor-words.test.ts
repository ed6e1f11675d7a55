import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { digest, file, header as hello, height, proof } from '../../../../testing/proof-vectors/anchored-file.ts'
import { chainpointProofs } from '../../../../testing/proof-vectors/chainpoint-proofs.ts'
import { chainpointReceipts } from '../../../../testing/proof-vectors/chainpoint-receipts.ts'
import english from '../../messages/en.json' with { type: 'json' }
import french from '../../messages/fr.json' with { type: 'json' }
import { proofWords as proofEnglish } from '../../messages/proof-words.en.ts'
import { proofWords as proofFrench } from '../../messages/proof-words.fr.ts'
import { verifyChainpoint } from '../chainpoint/verify-chainpoint.ts'
import { describeCheck } from '../describe/describe-check.ts'
import type { Words } from '../describe/describe-check.ts'
import { describeFact, describeProofCheck, describeStep } from '../describe/describe-proof.ts'
import { verifyOpenTimestamps } from '../opentimestamps/verify-opentimestamps.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import type { KnownHeader, VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import type { Check } from '../report/package-report.ts'
import { anchorChecks, anchorFiles } from './check-anchor.ts'

/** Every value that a sentence asks for must be there: a missing one throws. */
function wordsOf(locale: 'en' | 'fr', messages: Readonly<Record<string, string>>): Words {
  return {
    has: (id) => Object.hasOwn(messages, id),
    format: (id, values) => String(new IntlMessageFormat(messages[id] ?? '', locale).format(values)),
    instant: (iso) => iso,
  }
}
const languages = [wordsOf('en', { ...english, ...proofEnglish }), wordsOf('fr', { ...french, ...proofFrench })] as const

const now = () => new Date('2026-06-01T00:00:00Z')
const knowing = (...known: readonly Omit<KnownHeader, 'height'>[]): VerifyDeps => ({
  now,
  headers: (height) => Promise.resolve(known.map((each) => ({ height, ...each }))),
})
const given = { header: hello, source: 'given' }
const root = new Uint8Array(32).fill(1)
const own = mineHeader(root)
const regtest: VerifyDeps = {
  ...knowing({ header: own, source: 'a.example' }, { header: own, source: 'node' }),
  network: 'regtest',
}
const inBlock = buildOts({ digest: root, operations: [], end: [{ kind: 'bitcoin', height: 9 }] })
const elsewhere = buildOts({ digest, operations: [{ op: 'sha256' }], end: [{ kind: 'bitcoin', height }] })
const chains = buildOts({
  digest,
  operations: [],
  end: [
    { kind: 'bitcoin', height },
    { kind: 'litecoin', height: 9 },
  ],
})
const ethereum = JSON.stringify({
  '@context': 'https://w3id.org/chainpoint/v3',
  type: 'Chainpoint',
  hash: 'ab'.repeat(32),
  branches: [{ ops: [{ op: 'sha-256' }, { anchors: [{ type: 'eth', anchor_id: 'cd'.repeat(32) }] }] }],
})

const reports: readonly (() => Promise<ProofReport>)[] = [
  () => verifyOpenTimestamps({ proof, data: file }, knowing(given)),
  () => verifyOpenTimestamps({ proof, data: utf8('other') }, knowing({ header: hello, source: 'a.example' }, given)),
  () => verifyOpenTimestamps({ proof }, { now }),
  () => verifyOpenTimestamps({ proof }, knowing(given, { header: own, source: 'b.example' })),
  () => verifyOpenTimestamps({ proof, digest: 'ab' }, knowing({ header: own, source: 'node' })),
  () => verifyOpenTimestamps({ proof: elsewhere }, knowing(given)),
  () => verifyOpenTimestamps({ proof: chains }, { now }),
  () => verifyOpenTimestamps({ proof: inBlock }, regtest),
  () => verifyOpenTimestamps({ proof: utf8('x') }, { now }),
  () => verifyChainpoint({ proof: ethereum }, { now }),
  () => verifyChainpoint({ proof: chainpointProofs['version 3, test network'], digest: 'ab' }, { now }),
  () => verifyChainpoint({ proof: chainpointProofs['version 4'] }, knowing(given)),
  () => verifyChainpoint({ proof: '{"header":{"chainpoint_version":"1.1"}}' }, { now }),
  ...chainpointReceipts.map(
    ({ receipt }) =>
      () =>
        verifyChainpoint({ proof: JSON.stringify(receipt) }, { now }),
  ),
]

test('every sentence on a proof is whole in both languages, without a word of the machine', async () => {
  const sentences = new Set<string>()
  for (const report of await Promise.all(reports.map((make) => make()))) {
    for (const words of languages) {
      for (const check of report.checks) {
        const { title, sentence } = describeProofCheck(report.kind, check, words)
        sentences.add(title).add(sentence)
        for (const step of check.steps ?? []) expect(words.has(`verification.proof.step.${step.operation}`)).toBe(true)
      }
      for (const fact of report.facts) sentences.add(describeFact(report.kind, fact, words).name)
      expect(describeStep('sha256', words)).toBe('SHA-256')
    }
  }
  expect(sentences.size).toBeGreaterThan(60)
  for (const sentence of sentences) expect(sentence).not.toMatch(/\{|\}|[a-z]_[a-z]|undefined|package, |node, /)
})

test('every sentence on a package’s anchor is whole in both languages', async () => {
  const header = utf8('{}')
  const made: Check[] = [
    ...(await anchorChecks(new Map([[anchorFiles.ots, inBlock]]), root, regtest)),
    ...(await anchorChecks(
      new Map([
        [anchorFiles.ots, inBlock],
        [anchorFiles.header, header],
      ]),
      root,
      { now },
    )),
    ...(await anchorChecks(new Map([[anchorFiles.ots, inBlock]]), new Uint8Array(32), { now })),
  ]
  const blocks: readonly Check[] = (['passed', 'indeterminate', 'failed'] as const).map((status) => ({
    id: 'anchor_header',
    status,
    data: { ...made[0]?.data, reason: 'anchor_only_package' },
  }))
  for (const words of languages) {
    for (const check of [...made, ...blocks]) {
      const { title, sentence } = describeCheck(check, words)
      expect(`${title} ${sentence}`).not.toMatch(/\{|\}|[a-z]_[a-z]|undefined/)
    }
  }
})
