import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes } from '../../../../kernel/bytes.ts'
import { addressOfKey, addressOfProgram, hash160 } from './address.ts'
import type { Address, Network } from './address.ts'
import { runScript } from './run-script.ts'
import type { ScriptRules } from './run-script.ts'
import { readPushes } from './script.ts'
import { legacyDigest, taprootDigest, witnessDigest } from './signature-digest.ts'
import { leadsToKey, tagged, tapLeafHash } from './taproot.ts'
import { readTransaction, readWitness, transactionId } from './transaction.ts'
import type { Transaction } from './transaction.ts'

/** BIP-322: a message is signed by satisfying the script of an address in a transaction that can never be mined. */
export type GenericSignature = { readonly variant: 'simple' | 'full'; readonly toSign: Transaction }

/** `false…`: wrong. `unknown…`: the verifier has no full script interpreter, which BIP-322 answers with "inconclusive". */
export type Satisfaction =
  | { readonly holds: true; readonly publicKeys: readonly Uint8Array[] }
  | { readonly holds: false; readonly reason: GenericFlaw }
  | { readonly holds: 'unknown'; readonly reason: GenericDoubt }
export const genericFlaws = [
  'witness',
  'other_message',
  'transaction',
  'script',
  'simple_p2sh',
  'signature_form',
  'signature',
] as const
export type GenericFlaw = (typeof genericFlaws)[number]
export const genericDoubts = ['script_unknown', 'version', 'witness_version'] as const
export type GenericDoubt = (typeof genericDoubts)[number]

export const messageHash = (message: Uint8Array): Uint8Array => tagged('BIP0322-signed-message', message)

export function toSpend(message: Uint8Array, script: Uint8Array): Transaction {
  return {
    version: 0,
    inputs: [
      {
        hash: new Uint8Array(32),
        index: 0xffff_ffff,
        script: concatBytes(Uint8Array.of(0, 32), messageHash(message)),
        sequence: 0,
        witness: [],
      },
    ],
    outputs: [{ value: 0n, script }],
    lockTime: 0,
  }
}

const nothingOut = { value: 0n, script: Uint8Array.of(0x6a) }

/** The transaction of the simple form; its first input is completed with what it spends once the address is known. */
export function toSign(spent: Uint8Array, witness: readonly Uint8Array[]): Transaction {
  return {
    version: 0,
    inputs: [{ hash: spent, index: 0, script: new Uint8Array(), sequence: 0, witness }],
    outputs: [nothingOut],
    lockTime: 0,
  }
}

/** Reads the bytes after the prefix; without one, the simple form first, as BIP-322 allows. Undefined when they are neither. */
export function readGeneric(form: 'simple' | 'full' | 'unprefixed', bytes: Uint8Array): GenericSignature | undefined {
  const witness = form === 'full' ? undefined : readWitness(bytes)
  if (witness !== undefined) return { variant: 'simple', toSign: toSign(new Uint8Array(32), witness) }
  const transaction = form === 'simple' ? undefined : readTransaction(bytes)
  return transaction === undefined ? undefined : { variant: 'full', toSign: transaction }
}

/** The address that the signature itself shows: its key's or its script's. P2TR shows none. */
export function shownAddress({ toSign: { inputs } }: GenericSignature, network: Network): Address | undefined {
  const [input] = inputs
  const last = input?.witness.at(-1)
  if (input === undefined) return undefined
  if (input.script.length > 0) {
    const key = readPushes(input.script)?.at(-1)
    return last === undefined && key !== undefined && isKey(key) ? addressOfKey(key, 'p2pkh', network) : undefined
  }
  if (last === undefined || input.witness.length < 2) return undefined
  return input.witness.length === 2 && last.length === 33
    ? addressOfKey(last, 'p2wpkh', network)
    : last[0] === 0x50 || (last[0] ?? 0) >= 0xc0
      ? undefined
      : addressOfProgram(sha256(last), network)
}

/** Whether the signature satisfies the script of `address` for exactly `message`. */
export function satisfies(signature: GenericSignature, address: Address, message: Uint8Array): Satisfaction {
  const spent = transactionId(toSpend(message, address.script))
  const [input, ...more] = signature.toSign.inputs
  if (input === undefined) return flaw('transaction')
  // The simple form is the witness alone; P2SH is satisfied by a script beside it.
  if (signature.variant === 'simple' && address.kind === 'p2sh') return flaw('simple_p2sh')
  const transaction = signature.variant === 'simple' ? toSign(spent, input.witness) : signature.toSign
  if (signature.variant === 'full') {
    if (!equalBytes(input.hash, spent) || input.index !== 0) return flaw('other_message')
    // What further inputs spend is not in this form, so that nothing could be said of them.
    if (more.length > 0) return flaw('transaction')
    const [output, ...others] = transaction.outputs
    if (output === undefined || others.length > 0 || output.value !== 0n || !equalBytes(output.script, nothingOut.script))
      return flaw('transaction')
  }
  const outcome = satisfiesScript(transaction, address)
  if (outcome.holds === true && transaction.version !== 0 && transaction.version !== 2) return doubt('version')
  return outcome
}

function satisfiesScript(transaction: Transaction, { kind, script }: Address): Satisfaction {
  const [input] = transaction.inputs
  if (input === undefined) return flaw('transaction')
  const { witness, script: unlocking } = input
  const program = script.subarray(2)
  switch (kind) {
    case 'p2wpkh':
      return unlocking.length > 0 ? flaw('script') : keyHash(transaction, program, witness)
    case 'p2wsh':
      return unlocking.length > 0 ? flaw('script') : scriptHash(transaction, program, witness)
    case 'p2tr':
      return unlocking.length > 0 ? flaw('script') : taproot(transaction, program, witness)
    case 'p2pkh': {
      const [signature, key, ...more] = readPushes(unlocking) ?? []
      if (witness.length > 0 || signature === undefined || key === undefined || more.length > 0) return flaw('script')
      if (!isKey(key) || !equalBytes(hash160(key), script.subarray(3, 23))) return flaw('script')
      return ecdsa(signature, key, legacyDigest(transaction, script))
    }
    case 'p2sh':
      return nested(transaction, script.subarray(2, 22), witness, unlocking)
    default:
      return doubt('witness_version')
  }
}

/** BIP-16, and BIP-141's programs within it. */
function nested(transaction: Transaction, hash: Uint8Array, witness: readonly Uint8Array[], unlocking: Uint8Array): Satisfaction {
  const pushes = readPushes(unlocking)
  const redeem = pushes?.at(-1)
  if (pushes === undefined || redeem === undefined || !equalBytes(hash160(redeem), hash)) return flaw('script')
  const isProgram = redeem[0] === 0 && redeem[1] === redeem.length - 2 && (redeem.length === 22 || redeem.length === 34)
  if (isProgram) {
    if (pushes.length !== 1) return flaw('script')
    const program = redeem.subarray(2)
    return program.length === 20 ? keyHash(transaction, program, witness) : scriptHash(transaction, program, witness)
  }
  if (witness.length > 0) return flaw('script')
  return scripted(transaction, 'legacy', redeem, pushes.slice(0, -1), legacyDigest(transaction, redeem))
}

function keyHash(transaction: Transaction, hash: Uint8Array, witness: readonly Uint8Array[]): Satisfaction {
  const [signature, key, ...more] = witness
  if (signature === undefined || key === undefined || more.length > 0) return flaw('witness')
  // BIP-141: keys of witnesses are compressed.
  if (key.length !== 33 || !equalBytes(hash160(key), hash)) return flaw('script')
  const scriptCode = concatBytes(Uint8Array.of(0x76, 0xa9, 0x14), hash, Uint8Array.of(0x88, 0xac))
  return ecdsa(signature, key, witnessDigest(transaction, scriptCode))
}

function scriptHash(transaction: Transaction, hash: Uint8Array, witness: readonly Uint8Array[]): Satisfaction {
  const script = witness.at(-1)
  if (script === undefined) return flaw('witness')
  if (!equalBytes(sha256(script), hash)) return flaw('script')
  return scripted(transaction, 'witness', script, witness.slice(0, -1), witnessDigest(transaction, script))
}

function scripted(
  transaction: Transaction,
  kind: 'legacy' | 'witness',
  script: Uint8Array,
  stack: readonly Uint8Array[],
  digest: Uint8Array,
): Satisfaction {
  return ranScript(transaction, kind, script, stack, (signature, key) => {
    const outcome = ecdsa(signature, key, digest)
    return outcome.holds === true ? 'holds' : outcome.reason === 'signature_form' ? 'form' : 'fails'
  })
}

function ranScript(
  { version, lockTime, inputs }: Transaction,
  kind: ScriptRules['kind'],
  script: Uint8Array,
  stack: readonly Uint8Array[],
  check: ScriptRules['check'],
): Satisfaction {
  const outcome = runScript(script, stack, { kind, check, version, lockTime, sequence: inputs[0]?.sequence ?? 0 })
  if (outcome.result === 'holds') return { holds: true, publicKeys: outcome.keys }
  if (outcome.result === 'unknown') return doubt('script_unknown')
  return flaw(outcome.result === 'form' ? 'signature_form' : 'signature')
}

/** BIP-341: by the key, or through a script of the tree (BIP-342). */
function taproot(transaction: Transaction, key: Uint8Array, witness: readonly Uint8Array[]): Satisfaction {
  const [signature] = witness
  if (signature === undefined) return flaw('witness')
  if (witness.length === 1) {
    const outcome = schnorrHolds(signature, key, (type) => taprootDigest(transaction, key, type))
    return outcome === 'holds' ? { holds: true, publicKeys: [key] } : flaw(outcome === 'form' ? 'signature_form' : 'signature')
  }
  const [control, script] = [witness.at(-1), witness.at(-2)]
  // An annex has no meaning yet (BIP-341).
  if (control === undefined || script === undefined || control[0] === 0x50) return doubt('script_unknown')
  const leads = leadsToKey(control, script, key)
  if (leads !== true) return leads === false ? flaw('script') : doubt('script_unknown')
  const leaf = tapLeafHash(script)
  // BIP-342 leaves keys of other lengths to later rules.
  let otherKeys = false
  const outcome = ranScript(transaction, 'tapscript', script, witness.slice(0, -2), (given, leafKey) => {
    if (leafKey.length !== 32) otherKeys = true
    return schnorrHolds(given, leafKey, (type) => taprootDigest(transaction, key, type, leaf))
  })
  return otherKeys ? doubt('script_unknown') : outcome
}

function schnorrHolds(signature: Uint8Array, key: Uint8Array, digest: (type: 0 | 1) => Uint8Array): 'holds' | 'fails' | 'form' {
  const type = signature.length === 64 ? 0 : signature.length === 65 && signature[64] === 1 ? 1 : undefined
  if (type === undefined) return 'form'
  try {
    return schnorr.verify(signature.subarray(0, 64), digest(type), key) ? 'holds' : 'fails'
  } catch {
    return 'fails'
  }
}

/** LOW_S, STRICTENC and SIGHASH_ALL alone: the required rules of BIP-322. */
function ecdsa(signature: Uint8Array, key: Uint8Array, digest: Uint8Array): Satisfaction {
  if (signature.at(-1) !== 1 || signature.length < 9 || signature.length > 73 || !isKey(key)) return flaw('signature_form')
  const encoded = signature.subarray(0, -1)
  try {
    if (secp256k1.Signature.fromBytes(encoded, 'der').hasHighS()) return flaw('signature_form')
  } catch {
    return flaw('signature_form')
  }
  try {
    const holds = secp256k1.verify(encoded, digest, key, { prehash: false, lowS: true, format: 'der' })
    return holds ? { holds: true, publicKeys: [key] } : flaw('signature')
  } catch {
    return flaw('signature')
  }
}

const isKey = (key: Uint8Array): boolean =>
  (key.length === 33 && (key[0] === 2 || key[0] === 3)) || (key.length === 65 && key[0] === 4)
const flaw = (reason: GenericFlaw): Satisfaction => ({ holds: false, reason })
const doubt = (reason: GenericDoubt): Satisfaction => ({ holds: 'unknown', reason })
