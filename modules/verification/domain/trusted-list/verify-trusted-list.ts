import { proofReport } from '../report/proof-report.ts'
import type { Fact, ProofCheck, ProofReport } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { journalSigners } from './journal-signers.ts'
import { openList } from './open-list.ts'
import type { OpenedList } from './open-list.ts'
import { listTypes } from './read-list.ts'
import { signatureFlaws } from './verify-list-signature.ts'
import type { TrustedLists } from '../known/trusted-lists.ts'

export const trustedListCheckIds = ['form', 'signature', 'signer', 'current', 'known'] as const
export const trustedListFactIds = [
  'territory',
  'operator',
  'number',
  'issued_at',
  'next_update',
  'signed_at',
  'services',
] as const
/** Besides the flaws of `open-list.ts`. */
export const trustedListReasons = ['other_signer', 'not_named', 'no_list', 'expired', 'newer', 'older', 'differs'] as const

/**
 * Verifies a European trusted list, or the list of those lists, that somebody has at hand: its signature, whether its signer may sign
 * it by the Official Journal or by the list of lists that is known here, and how it stands to what is known. Never throws.
 */
export async function verifyTrustedList(input: { readonly list: Uint8Array }, deps: VerifyDeps): Promise<ProofReport> {
  const opened = openList(input.list, {})
  const repeat_command = 'sha256sum list.xml'
  if (typeof opened === 'string') {
    const isSignature = signatureFlaws.some((each) => each === opened)
    const checks: ProofCheck[] = isSignature
      ? [
          { id: 'form', status: 'passed', data: {} },
          { id: 'signature', status: 'failed', data: { reason: opened } },
        ]
      : [{ id: 'form', status: 'failed', data: { reason: opened } }]
    return proofReport('trusted_list', deps, { checks, unusable: opened === 'malformed' })
  }
  const { list, signer } = opened
  const signed = { name: signer.name, sha256: signer.sha256 }
  return proofReport('trusted_list', deps, {
    checks: [
      { id: 'form', status: 'passed', data: {}, repeat_command },
      { id: 'signature', status: 'passed', data: signed },
      { id: 'signer', ...signerVerdict(opened, deps.trustedLists) },
      currentCheck(list.next_update, deps.now()),
      knownCheck(opened, deps.trustedLists),
    ],
    facts: factsOf(opened),
    bound: [{ algorithm: 'sha256', hex: opened.sha256, of: 'file' }],
  })
}

function signerVerdict(
  { list, signer }: OpenedList,
  lists: TrustedLists | undefined,
): Pick<ProofCheck, 'status' | 'data' | 'rests_on'> {
  const data = { name: signer.name, sha256: signer.sha256, journal: journalSigners.journal }
  const isLotl = list.type === listTypes.lotl
  if (!isLotl && lists === undefined) return { status: 'indeterminate', data: { ...data, reason: 'no_list' } }
  const pointer = lists?.pointers.find(({ territory }) => territory === list.territory)
  const named = isLotl
    ? [...journalSigners.signers, ...(lists === undefined ? [] : [lists.lotl.signer_sha256])]
    : pointer?.signers
  if (named === undefined) return { status: 'indeterminate', data: { ...data, reason: 'not_named' } }
  // One that is not named now may have been when the list was issued.
  return named.includes(signer.sha256)
    ? { status: 'passed', data, rests_on: ['trusted_list'] }
    : { status: 'indeterminate', data: { ...data, reason: 'other_signer' } }
}

function currentCheck(next: string | null, now: Date): ProofCheck {
  const isPast = next !== null && Date.parse(next) < now.getTime()
  return isPast
    ? { id: 'current', status: 'indeterminate', supplementary: true, data: { reason: 'expired', at: next } }
    : { id: 'current', status: 'passed', data: { at: next ?? '' } }
}

/** Whether it is the very list that qualified status is concluded from here. */
function knownCheck({ list, sha256 }: OpenedList, lists: TrustedLists | undefined): ProofCheck {
  const known = list.type === listTypes.lotl ? lists?.lotl : lists?.lists.find(({ territory }) => territory === list.territory)
  const data = { number: known?.sequence_number ?? 0 }
  if (known?.sha256 === sha256) return { id: 'known', status: 'passed', data }
  const reason =
    known === undefined
      ? 'no_list'
      : list.sequence_number === known.sequence_number
        ? 'differs'
        : list.sequence_number > known.sequence_number
          ? 'newer'
          : 'older'
  return { id: 'known', status: 'indeterminate', supplementary: true, data: { ...data, reason } }
}

function factsOf({ list, signedAt }: OpenedList): Fact[] {
  return [
    { id: 'territory', value: list.territory, form: 'text' },
    { id: 'operator', value: list.operator, form: 'text' },
    { id: 'number', value: list.sequence_number, form: 'count' },
    { id: 'issued_at', value: list.issued_at, form: 'instant' },
    ...(list.next_update === null ? [] : [{ id: 'next_update', value: list.next_update, form: 'instant' } as const]),
    ...(signedAt === null ? [] : [{ id: 'signed_at', value: signedAt, form: 'instant' } as const]),
    { id: 'services', value: list.services.length, form: 'count' },
  ]
}
