import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { knownKeys, periodChecks, publishedCheck } from '../message/compare-signer.ts'
import { boundOfMessage, formsOf, isExact, longestMessage } from '../message/message-forms.ts'
import type { FormedMessage } from '../message/message-forms.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Fact, ProofCheck, ProofReport, Step } from '../report/proof-report.ts'
import type { VerifyDeps, PublishedKey } from '../known/verify-deps.ts'
import { hash160, readAddress } from './address.ts'
import type { Address } from './address.ts'
import { readGeneric, satisfies, shownAddress } from './generic-signature.ts'
import type { GenericSignature, Satisfaction } from './generic-signature.ts'
import { readArmoured, readSignature } from './read-signature.ts'
import { doubleSha256, magicMessage, magicText, matchAddress, namedAddress, recoverKey } from './recover-key.ts'
import type { Recovered } from './recover-key.ts'
import { compactSize } from './transaction.ts'

export const bitcoinMessageChecks = [
  'format',
  'address',
  'recovery',
  'script',
  'named_address',
  'given_address',
  'published_signer',
  'period',
  'text',
] as const
export type BitcoinMessageCheck = (typeof bitcoinMessageChecks)[number]

export type BitcoinMessageInput = {
  /** The text, or the armoured block that holds text, address and signature (then `signature` is empty). */
  readonly message: string
  /** Base64, BIP-137 or BIP-322. */
  readonly signature: string
  /** Address that the reader expects. */
  readonly address?: string
  /** ISO 8601: an instant at which the signature is known to have existed. */
  readonly at?: string
}

type Candidate = { readonly address: Address; readonly from: 'given' | 'named' | 'published'; readonly key?: PublishedKey }
type Found = {
  readonly checks: readonly ProofCheck[]
  readonly form: FormedMessage
  readonly address: Address | undefined
  readonly facts: readonly Fact[]
}

/**
 * Verifies a Bitcoin message signature: recoverable (BIP-137, with Electrum's habit), or generic (BIP-322 simple and full).
 * A message and a signature always lead to *some* address: without a published or a given one the answer is INDETERMINATE.
 */
export async function verifyBitcoinMessage(input: BitcoinMessageInput, deps: VerifyDeps): Promise<ProofReport> {
  await deps.pause?.()
  const armoured = input.signature.trim() === '' ? readArmoured(input.message) : undefined
  const message = armoured?.message ?? input.message
  const report = (checks: readonly ProofCheck[], more: Partial<ProofReport> = {}) =>
    proofReport('bitcoin_message', deps, { checks, ...more })
  const format = (reason: string, unusable: boolean) =>
    report([{ id: 'format', status: 'failed', data: { reason } }], { unusable, bound: boundOfMessage(message) })
  if (message.length > longestMessage) return format('message_too_long', false)
  const signature = readSignature(armoured?.signature ?? input.signature)
  if (typeof signature === 'string') return format(signature, true)
  if (signature.form === 'proof_of_funds') {
    const check: ProofCheck = { id: 'format', status: 'indeterminate', data: { reason: 'proof_of_funds' } }
    return report([check], { bound: boundOfMessage(message) })
  }
  const asked = input.address?.trim() ?? ''
  const given = asked === '' ? undefined : readAddress(asked)
  if (asked !== '' && given === undefined)
    return report([{ id: 'address', status: 'failed', data: { reason: 'unreadable', signer: asked } }], {
      bound: boundOfMessage(message),
    })
  const named = armoured?.address === undefined ? undefined : readAddress(armoured.address)
  if (armoured?.address !== undefined && named === undefined) {
    const check: ProofCheck = { id: 'address', status: 'failed', data: { reason: 'unreadable', signer: armoured.address } }
    return report([check], { bound: boundOfMessage(message) })
  }
  const candidates: Candidate[] = [
    ...(given === undefined ? [] : [{ address: given, from: 'given' as const }]),
    ...(named === undefined ? [] : [{ address: named, from: 'named' as const }]),
    ...knownKeys(deps.keys?.bitcoin).flatMap((key) => {
      const address = readAddress(key.id)
      return address === undefined ? [] : [{ address, from: 'published' as const, key }]
    }),
  ]
  const forms = formsOf(message)
  let found: Found | string
  if (signature.form === 'recoverable') found = await recoverable(signature.bytes, forms, candidates, deps)
  else {
    const generic = readGeneric(signature.form, signature.bytes)
    if (generic === undefined) return format('variant', signature.form === 'unprefixed')
    found = await satisfied(generic, forms, candidates, deps)
  }
  if (typeof found === 'string') return format(found, false)
  return report([passedFormat(signature.form), ...found.checks, ...signerChecks(found, input, candidates, deps)], {
    facts: [...found.facts, ...(found.form.form === 'as_given' ? [] : [word('text_form', found.form.form)])],
    bound: boundOfMessage(message),
  })
}

const passedFormat = (form: string): ProofCheck => ({
  id: 'format',
  status: 'passed',
  data: { reason: form === 'recoverable' ? 'recoverable' : 'generic' },
})
const word = (id: string, value: string): Fact => ({ id, value, form: 'word' })
const hex = (id: string, bytes: Uint8Array): Fact => ({ id, value: toHex(bytes), form: 'hex' })

/** Whose it is, when, and of which text: the questions that come after the mathematics. */
function signerChecks(
  found: Found,
  input: BitcoinMessageInput,
  candidates: readonly Candidate[],
  deps: VerifyDeps,
): ProofCheck[] {
  const { address, form } = found
  const checks: ProofCheck[] = []
  if (address === undefined) return checks
  const at = (from: Candidate['from']) => candidates.find((each) => each.from === from)
  const key = candidates.find((each) => each.key !== undefined && each.address.text === address.text)?.key
  const [given, named] = [at('given'), at('named')]
  if (named !== undefined) checks.push(comparison('named_address', named.address, address))
  if (given !== undefined) checks.push(comparison('given_address', given.address, address))
  const known = (deps.keys?.bitcoin.length ?? 0) > 0
  checks.push(publishedCheck(address.text, known, { published: key, given: given !== undefined }))
  checks.push(...periodChecks(address.text, key, deps.now(), input.at))
  if (form.form !== 'as_given')
    checks.push({ id: 'text', status: isExact(form.form) ? 'passed' : 'indeterminate', data: { reason: form.form } })
  return checks
}

/** The same program within P2SH (BIP-141): the simple form of BIP-322 has no place for it. */
function isNested({ kind, script }: Address, within: Address): boolean {
  return kind === 'p2sh' && equalBytes(script.subarray(2, 22), hash160(within.script))
}

function comparison(id: 'named_address' | 'given_address', wanted: Address, address: Address): ProofCheck {
  const data = { expected: wanted.text, signer: address.text }
  const rests_on = id === 'given_address' ? (['given'] as const) : undefined
  return wanted.text === address.text
    ? { id, status: 'passed', data, ...(rests_on === undefined ? {} : { rests_on }) }
    : { id, status: 'failed', data: { ...data, reason: isNested(wanted, address) ? 'simple_p2sh' : 'other_address' } }
}

/** BIP-137. The key is recovered for each form of the text until it is that of an address that somebody named. */
async function recoverable(
  signature: Uint8Array,
  forms: readonly FormedMessage[],
  candidates: readonly Candidate[],
  deps: VerifyDeps,
): Promise<Found | string> {
  let first: { recovered: Recovered; form: FormedMessage } | undefined
  for (const form of forms) {
    await deps.pause?.()
    const recovered = recoverKey(signature, doubleSha256(magicMessage(form.bytes)))
    if (typeof recovered === 'string') {
      // Which octet is wrong does not depend on the text; only a point that is not on the curve might.
      if (form.form === 'as_given') return recovered
      continue
    }
    first ??= { recovered, form }
    for (const { address } of candidates) {
      const match = matchAddress(recovered, address)
      if (match !== undefined) return recoveredFound(recovered, form, address, match)
    }
  }
  if (first === undefined) return 'no_key'
  const network = candidates[0]?.address.network ?? 'mainnet'
  return recoveredFound(first.recovered, first.form, namedAddress(first.recovered, network), 'named')
}

function recoveredFound(
  recovered: Recovered,
  form: FormedMessage,
  wanted: Address,
  match: 'named' | 'by_habit' | 'other_kind',
): Found {
  // Another kind of address than the header says is another address: the comparison says so.
  const address = match === 'other_kind' ? namedAddress(recovered, wanted.network) : wanted
  const digest = doubleSha256(magicMessage(form.bytes))
  const quoted = (text: string) => `'${text.replaceAll("'", '')}'`
  const check: ProofCheck = {
    id: 'recovery',
    status: 'passed',
    data: { signer: address.text, reason: match },
    steps: stepsOf(form, digest),
    ...(address.kind === 'p2pkh' && form.form === 'as_given'
      ? { repeat_command: `bitcoin-cli verifymessage ${quoted(address.text)} SIGNATURE "$(cat message.txt)"` }
      : {}),
  }
  const facts: Fact[] = [
    word('variant', `recoverable_${recovered.header}`),
    { id: 'address', value: address.text, form: 'text' },
    hex('public_key', recovered.publicKey),
    hex('digest', digest),
    ...(match === 'named' ? [] : [word('header', match)]),
    ...(recovered.highS ? [word('form_of_s', 'high')] : []),
    ...(address.network === 'mainnet' ? [] : [word('network', address.network)]),
  ]
  return { checks: [check], form, address, facts }
}

function stepsOf({ bytes }: FormedMessage, digest: Uint8Array): readonly Step[] {
  const prefix = concatBytes(Uint8Array.of(magicText.length), utf8(magicText), compactSize(bytes.length))
  const whole = concatBytes(prefix, bytes)
  const once = sha256(whole)
  const step = (operation: string, from: Uint8Array, to: Uint8Array): Step => ({
    operation,
    input: toHex(from.subarray(0, 256)),
    input_bytes: from.length,
    output: toHex(to.subarray(0, 256)),
  })
  return [step('prepend', prefix, whole), step('sha256', whole, once), step('sha256', once, digest)]
}

/** BIP-322: the address named is tried, then the one that the signature shows, then the published ones. */
async function satisfied(
  generic: GenericSignature,
  forms: readonly FormedMessage[],
  candidates: readonly Candidate[],
  deps: VerifyDeps,
): Promise<Found> {
  const network = candidates[0]?.address.network ?? 'mainnet'
  const shown = shownAddress(generic, network)
  const [wanted] = candidates.filter(({ from }) => from !== 'published')
  const tried = wanted === undefined ? [shown, ...candidates.map(({ address }) => address)] : [wanted.address, shown]
  const addresses = [...new Map(tried.flatMap((each) => (each === undefined ? [] : [[each.text, each] as const]))).values()]
  let first: { outcome: Satisfaction; form: FormedMessage; address: Address } | undefined
  for (const address of addresses) {
    for (const form of forms) {
      await deps.pause?.()
      const outcome = satisfies(generic, address, form.bytes)
      // What cannot be concluded of another address than the one asked about is no answer.
      const asked = wanted === undefined || wanted.address === address
      if (outcome.holds === true || (outcome.holds === 'unknown' && asked && form.form === 'as_given'))
        return genericFound(generic, outcome, form, address)
      first ??= { outcome, form, address }
    }
  }
  if (first === undefined) {
    const check: ProofCheck = { id: 'script', status: 'indeterminate', data: { reason: 'no_address', signer: '' } }
    return { checks: [check], form: forms[0] as FormedMessage, address: undefined, facts: [word('variant', generic.variant)] }
  }
  // Nobody named an address: what a published one does not satisfy may be another's.
  if (wanted === undefined && shown === undefined) {
    const check: ProofCheck = { id: 'script', status: 'indeterminate', data: { reason: 'no_address', signer: '' } }
    return { checks: [check], form: first.form, address: undefined, facts: [word('variant', generic.variant)] }
  }
  return genericFound(generic, first.outcome, first.form, first.address)
}

function genericFound(generic: GenericSignature, outcome: Satisfaction, form: FormedMessage, address: Address): Found {
  const { variant, toSign } = generic
  const facts: Fact[] = [word('variant', variant), { id: 'address', value: address.text, form: 'text' }]
  if (address.network !== 'mainnet') facts.push(word('network', address.network))
  const data = { signer: address.text }
  if (outcome.holds !== true) {
    const status = outcome.holds === false ? 'failed' : 'indeterminate'
    const check: ProofCheck = { id: 'script', status, data: { ...data, reason: outcome.reason } }
    return { checks: [check], form, address: undefined, facts }
  }
  facts.push(...outcome.publicKeys.map((key) => hex('public_key', key)))
  const sequence = toSign.inputs[0]?.sequence ?? 0
  if (toSign.lockTime !== 0) facts.push({ id: 'lock_time', value: toSign.lockTime, form: 'count' })
  if (sequence !== 0) facts.push({ id: 'sequence', value: sequence, form: 'count' })
  return { checks: [{ id: 'script', status: 'passed', data }], form, address, facts }
}
