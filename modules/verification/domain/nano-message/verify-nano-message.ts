import { ed25519 } from '@noble/curves/ed25519.js'
import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { knownKeys, periodChecks, publishedCheck } from '../message/compare-signer.ts'
import { boundOfMessage, formsOf, isExact, longestMessage } from '../message/message-forms.ts'
import type { FormedMessage } from '../message/message-forms.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Fact, ProofCheck, ProofReport, Step } from '../report/proof-report.ts'
import type { VerifyDeps, PublishedKey } from '../known/verify-deps.ts'
import { isUnusableKey, nanoAccount, readNanoAccount } from './nano-account.ts'
import { nanoEd25519 } from './nano-ed25519.ts'
import { nanoPayload, nanoSchemes, nanoSignedBytes } from './nano-schemes.ts'
import type { NanoScheme } from './nano-schemes.ts'

export const nanoMessageChecks = [
  'format',
  'canonical',
  'account',
  'signature',
  'given_account',
  'published_signer',
  'period',
  'text',
] as const
export type NanoMessageCheck = (typeof nanoMessageChecks)[number]

export type NanoMessageInput = {
  readonly message: string
  /** 128 hexadecimal digits. */
  readonly signature: string
  /** `nano_…` or `xrb_…`: the account that the reader expects. */
  readonly account?: string
  /** ISO 8601: an instant at which the signature is known to have existed. */
  readonly at?: string
}

type Candidate = { readonly publicKey: Uint8Array; readonly account: string; readonly key?: PublishedKey }
type Match = {
  readonly candidate: Candidate
  readonly form: FormedMessage
  readonly scheme: NanoScheme
  readonly signed: Uint8Array
}

/**
 * Verifies a message signed with a Nano account: Ed25519 with BLAKE2b-512. The key cannot be computed from the signature: it is
 * compared with the account given, else with those that the platform published; without either the answer is INDETERMINATE.
 */
export async function verifyNanoMessage(input: NanoMessageInput, deps: VerifyDeps): Promise<ProofReport> {
  await deps.pause?.()
  const { message } = input
  const bound = boundOfMessage(message)
  const report = (checks: readonly ProofCheck[], more: Partial<ProofReport> = {}) =>
    proofReport('nano_message', deps, { checks, bound, ...more })
  const failed = (id: NanoMessageCheck, reason: string, data: ProofCheck['data'] = {}): ProofCheck => ({
    id,
    status: 'failed',
    data: { ...data, reason },
  })
  if (message.length > longestMessage) return report([failed('format', 'message_too_long')])
  const text = input.signature.length > 4096 ? '' : input.signature.replace(/[ \t\r\n]+/g, '')
  if (text === '') return report([failed('format', input.signature.length > 4096 ? 'length' : 'empty')], { unusable: true })
  if (!/^[0-9a-fA-F]*$/.test(text)) return report([failed('format', 'not_hex')], { unusable: true })
  if (text.length !== 128) return report([failed('format', 'length')], { unusable: true })
  const signature = fromHex(text)
  const checks: ProofCheck[] = [{ id: 'format', status: 'passed', data: {} }]
  const flaw = formOf(signature)
  if (flaw !== undefined) return report([...checks, failed('canonical', flaw)])
  checks.push({ id: 'canonical', status: 'passed', data: {} })

  const asked = input.account?.trim() ?? ''
  const given = asked === '' ? undefined : readNanoAccount(asked)
  if (asked !== '') {
    if (given === undefined) return report([...checks, failed('account', 'unreadable', { signer: asked })])
    if (isUnusableKey(given)) return report([...checks, failed('account', 'weak_key', { signer: asked })])
    checks.push({ id: 'account', status: 'passed', data: { signer: nanoAccount(given) } })
  }
  const published = knownKeys(deps.keys?.nano).flatMap((key): Candidate[] => {
    const publicKey = readNanoAccount(key.id)
    return publicKey === undefined || isUnusableKey(publicKey) ? [] : [{ publicKey, account: nanoAccount(publicKey), key }]
  })
  const account = given === undefined ? undefined : nanoAccount(given)
  const candidates: Candidate[] = [
    ...(given === undefined || account === undefined ? [] : [{ publicKey: given, account }]),
    ...published.filter((each) => each.account !== account),
  ]
  const match = await findMatch(signature, formsOf(message), candidates, deps)
  if (match === undefined) {
    if (account !== undefined) return report([...checks, failed('signature', 'does_not_fit', { signer: account })])
    // Another's signature and an altered text look alike: nothing in the signature says whose it is.
    const reason = published.length > 0 ? 'unknown_signer' : 'no_account'
    return report([...checks, { id: 'signature', status: 'indeterminate', data: { signer: '', reason } }])
  }
  const { candidate, form, scheme, signed } = match
  const key = published.find((each) => each.account === candidate.account)?.key
  checks.push({ id: 'signature', status: 'passed', data: { signer: candidate.account, reason: scheme }, steps: stepsOf(match) })
  if (account !== undefined) {
    const data = { expected: account, signer: candidate.account }
    checks.push(
      candidate.account === account
        ? { id: 'given_account', status: 'passed', data, rests_on: ['given'] }
        : failed('given_account', 'other_account', data),
    )
  }
  checks.push(publishedCheck(candidate.account, published.length > 0, { published: key, given: account !== undefined }))
  checks.push(...periodChecks(candidate.account, key, deps.now(), input.at))
  if (form.form !== 'as_given')
    checks.push({ id: 'text', status: isExact(form.form) ? 'passed' : 'indeterminate', data: { reason: form.form } })
  const facts: Fact[] = [
    { id: 'account', value: candidate.account, form: 'text' },
    { id: 'public_key', value: toHex(candidate.publicKey), form: 'hex' },
    { id: 'scheme', value: scheme, form: 'word' },
    { id: 'signed', value: toHex(signed.subarray(0, 256)), form: 'hex' },
    ...(form.form === 'as_given' ? [] : [{ id: 'text_form', value: form.form, form: 'word' as const }]),
  ]
  return report(checks, { facts })
}

/** S below the order and R a point in its one encoding (RFC 8032 §5.1.7): else one signature would have several forms. */
function formOf(signature: Uint8Array): 'high_s' | 'no_point' | undefined {
  const s = BigInt(`0x${toHex(signature.slice(32).toReversed())}`)
  if (s >= ed25519.Point.Fn.ORDER) return 'high_s'
  try {
    ed25519.Point.fromBytes(signature.subarray(0, 32))
    return undefined
  } catch {
    return 'no_point'
  }
}

/** The given account with every scheme and form of the text; other forms than the text itself with the two schemes that name themselves. */
async function findMatch(
  signature: Uint8Array,
  forms: readonly FormedMessage[],
  candidates: readonly Candidate[],
  deps: VerifyDeps,
): Promise<Match | undefined> {
  for (const form of forms) {
    const schemes = form.form === 'as_given' ? nanoSchemes : nanoSchemes.slice(0, 2)
    for (const scheme of schemes) {
      const signed = nanoSignedBytes(scheme, form.text, form.bytes)
      if (signed === undefined) continue
      for (const candidate of candidates) {
        await deps.pause?.()
        if (nanoEd25519.verify(signature, signed, candidate.publicKey)) return { candidate, form, scheme, signed }
      }
    }
  }
  return undefined
}

function stepsOf({ scheme, form, signed }: Match): readonly Step[] {
  const payload = nanoPayload(scheme, form.bytes)
  if (payload === undefined) return []
  const step = (operation: string, from: Uint8Array, to: Uint8Array): Step => ({
    operation,
    input: toHex(from.subarray(0, 256)),
    input_bytes: from.length,
    output: toHex(to.subarray(0, 256)),
  })
  const prefix = payload.subarray(0, payload.length - form.bytes.length)
  return [...(prefix.length === 0 ? [] : [step('prepend', prefix, payload)]), step('blake2b', payload, signed)]
}
