import { expect, test } from 'vitest'
import { fetchFlaws } from '../../server/trusted-lists/fetch-list.ts'
import en from '../../messages/en.json' with { type: 'json' }
import fr from '../../messages/fr.json' with { type: 'json' }
import enPage from '../../messages/page.en.json' with { type: 'json' }
import frPage from '../../messages/page.fr.json' with { type: 'json' }
import { proofWords as enProof } from '../../messages/proof-words.en.ts'
import { proofWords as frProof } from '../../messages/proof-words.fr.ts'
import { listFlaws } from './open-list.ts'
import { qualifiedReasons } from './qualified-status.ts'
import { trustedListCheckIds, trustedListFactIds, trustedListReasons } from './verify-trusted-list.ts'

const kind = 'verification.proof.trusted_list'
const wanted = [
  ...trustedListCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((each) => `${kind}.${id}.${each}`)),
  ...[...listFlaws, ...trustedListReasons].map((reason) => `${kind}.reason.${reason}`),
  ...trustedListFactIds.map((fact) => `${kind}.fact.${fact}`),
]
const inPackage = qualifiedReasons
  .filter((reason) => reason !== 'granted')
  .map((reason) => `verification.reason.qualified_${reason}`)
const onThePage = [...listFlaws, ...fetchFlaws, 'rollback', 'expired', 'pivots'].map(
  (flaw) => `verification.trusted_list.flaw.${flaw}`,
)

test.each([
  ['English', enProof, en, enPage],
  ['French', frProof, fr, frPage],
] as const)('every check, reason, fact and flaw has words: %s', (_language, proof, own, page) => {
  expect(wanted.filter((id) => !Object.hasOwn(proof, id))).toEqual([])
  expect(inPackage.filter((id) => !Object.hasOwn(own, id))).toEqual([])
  expect(onThePage.filter((id) => !Object.hasOwn(page, id))).toEqual([])
})
