import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { fromHex, utf8 } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import english from '../../messages/en.json' with { type: 'json' }
import french from '../../messages/fr.json' with { type: 'json' }
import { proofWords as proofEnglish } from '../../messages/proof-words.en.ts'
import { proofWords as proofFrench } from '../../messages/proof-words.fr.ts'
import { verifyChainpoint } from '../chainpoint/verify-chainpoint.ts'
import { describeCheck } from '../describe-check.ts'
import type { Words } from '../describe-check.ts'
import { describeFact, describeProofCheck, describeStep } from '../describe-proof.ts'
import { verifyOpenTimestamps } from '../opentimestamps/verify-opentimestamps.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import type { KnownHeader, ProofDeps, ProofReport } from '../proof.ts'
import type { Check } from '../report.ts'
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

const vector = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../${path}`, import.meta.url)))
const hello = fromHex(
  '02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6',
)
const now = () => new Date('2026-06-01T00:00:00Z')
const knowing = (...known: readonly Omit<KnownHeader, 'height'>[]): ProofDeps => ({
  now,
  headers: (height) => Promise.resolve(known.map((each) => ({ height, ...each }))),
})
const given = { header: hello, source: 'given' }
const proof = vector('opentimestamps/vectors/hello-world.txt.ots')
const root = new Uint8Array(32).fill(1)
const own = mineHeader(root)
const regtest: ProofDeps = {
  ...knowing({ header: own, source: 'a.example' }, { header: own, source: 'node' }),
  network: 'regtest',
}
const inBlock = buildOts({ digest: root, operations: [], end: [{ kind: 'bitcoin', height: 9 }] })
const chainpoint = (name: string) => vector(`chainpoint/vectors/${name}.chp.json`)

const reports: readonly (() => Promise<ProofReport>)[] = [
  () => verifyOpenTimestamps({ proof, data: utf8('Hello World!\n') }, knowing(given)),
  () => verifyOpenTimestamps({ proof, data: utf8('other') }, knowing({ header: hello, source: 'a.example' }, given)),
  () => verifyOpenTimestamps({ proof }, { now }),
  () => verifyOpenTimestamps({ proof }, knowing(given, { header: own, source: 'b.example' })),
  () => verifyOpenTimestamps({ proof, digest: 'ab' }, knowing({ header: own, source: 'node' })),
  () => verifyOpenTimestamps({ proof: vector('opentimestamps/vectors/bad-stamp.txt.ots') }, knowing(given)),
  () => verifyOpenTimestamps({ proof: vector('opentimestamps/vectors/different-blockchains.txt.ots') }, { now }),
  () => verifyOpenTimestamps({ proof: inBlock }, regtest),
  () => verifyOpenTimestamps({ proof: utf8('x') }, { now }),
  () => verifyChainpoint({ proof: chainpoint('v3-ethereum') }, { now }),
  () => verifyChainpoint({ proof: chainpoint('v4-testnet'), digest: 'ab' }, { now }),
  () => verifyChainpoint({ proof: chainpoint('v4-625836') }, knowing(given)),
  () => verifyChainpoint({ proof: '{"header":{"chainpoint_version":"1.1"}}' }, { now }),
  ...(JSON.parse(new TextDecoder().decode(vector('chainpoint/vectors/receipts.json'))) as { receipt: unknown }[]).map(
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
