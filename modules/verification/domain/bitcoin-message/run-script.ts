import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../../../../kernel/bytes.ts'
import { hash160 } from './address.ts'

/**
 * Bitcoin's scripts, as far as those that hold keys, several keys, hash locks and time locks go; any other instruction, anywhere in a
 * script, ends in `unknown`, which BIP-322 provides for. Under BIP-322's rules: MINIMALDATA, MINIMALIF, NULLFAIL, NULLDUMMY, CLEANSTACK.
 */
export type ScriptRules = {
  /** `tapscript`: BIP-342. */
  readonly kind: 'legacy' | 'witness' | 'tapscript'
  /** `form`: not encoded as the rules ask. */
  readonly check: (signature: Uint8Array, key: Uint8Array) => 'holds' | 'fails' | 'form'
  readonly version: number
  readonly lockTime: number
  readonly sequence: number
}
export type ScriptOutcome =
  | { readonly result: 'holds'; readonly keys: readonly Uint8Array[] }
  | { readonly result: 'fails' | 'form' | 'unknown' }

/** Longest script that is run: each of its octets is at most one instruction. */
const longestScript = 3600
const longestItem = 520

class Ended extends Error {
  readonly result: 'fails' | 'form' | 'unknown'
  constructor(result: 'fails' | 'form' | 'unknown') {
    super(result)
    this.result = result
  }
}
const fail = (): never => {
  throw new Ended('fails')
}
const unknown = (): never => {
  throw new Ended('unknown')
}

export function runScript(script: Uint8Array, initial: readonly Uint8Array[], rules: ScriptRules): ScriptOutcome {
  if (script.length > longestScript || initial.length > 100) return { result: 'unknown' }
  try {
    if (initial.some((item) => item.length > longestItem)) fail()
    return { result: 'holds', keys: run(script, [...initial], rules) }
  } catch (error) {
    if (error instanceof Ended) return { result: error.result }
    throw error
  }
}

type Instruction = { readonly code: number; readonly data: Uint8Array | undefined }

/** Minimally encoded (BIP-62 rule 3): a longer spelling would be another signature of the same. */
function* instructions(script: Uint8Array): Generator<Instruction> {
  for (let at = 0; at < script.length;) {
    const code = script[at] ?? 0
    at += 1
    if (code === 0) yield { code, data: new Uint8Array() }
    else if (code <= 0x4d) {
      const octets = code < 0x4c ? 0 : code - 0x4b
      const length = octets === 0 ? code : (script[at] ?? 0) + (octets === 2 ? (script[at + 1] ?? 0) * 256 : 0)
      at += octets
      if (at + length > script.length) fail()
      if (octets > 0 && length < (octets === 1 ? 0x4c : 0x100)) fail()
      const data = script.subarray(at, at + length)
      const [first = 0] = data
      if (length === 1 && ((first >= 1 && first <= 16) || first === 0x81)) fail()
      yield { code, data }
      at += length
    } else if (code >= 0x51 && code <= 0x60) yield { code, data: Uint8Array.of(code - 0x50) }
    else yield { code, data: undefined }
  }
}

function run(script: Uint8Array, stack: Uint8Array[], rules: ScriptRules): readonly Uint8Array[] {
  const used: Uint8Array[] = []
  const branches: boolean[] = []
  const pop = (): Uint8Array => stack.pop() ?? fail()
  const top = (): Uint8Array => stack.at(-1) ?? fail()
  const push = (value: boolean) => void stack.push(value ? Uint8Array.of(1) : new Uint8Array())
  const verified = (value: boolean) => (value ? undefined : fail())
  const signed = (signature: Uint8Array, key: Uint8Array): boolean => {
    if (signature.length === 0) return false
    const outcome = rules.check(signature, key)
    if (outcome === 'form') throw new Ended('form')
    // NULLFAIL: a signature that does not hold is an empty one.
    if (outcome === 'fails') fail()
    used.push(key)
    return true
  }
  for (const { code, data } of instructions(script)) {
    const executed = !branches.includes(false)
    if (data !== undefined) {
      if (executed) stack.push(data)
    } else if (code === 0x63 || code === 0x64) {
      const taken = executed ? condition(pop()) === (code === 0x63) : false
      branches.push(executed ? taken : false)
    } else if (code === 0x67) {
      const last = branches.pop()
      if (last === undefined) fail()
      // Within a branch that is not taken, neither side is: what surrounds it decides.
      branches.push(last !== true)
    } else if (code === 0x68) {
      if (branches.pop() === undefined) fail()
    } else if (!known.has(code)) unknown()
    else if (executed) step(code)
  }
  if (branches.length > 0 || stack.length !== 1 || !isTrue(top())) fail()
  // No signature asked for: anybody could satisfy it, and it says nothing about a signer.
  return used.length === 0 ? unknown() : used

  function step(code: number): void {
    switch (code) {
      case 0x69:
        return verified(isTrue(pop()))
      case 0x75:
        return void pop()
      case 0x76:
        return void stack.push(top())
      case 0x7c: {
        const [a, b] = [pop(), pop()]
        return void stack.push(a, b)
      }
      case 0x87:
        return push(equalBytes(pop(), pop()))
      case 0x88:
        return verified(equalBytes(pop(), pop()))
      case 0x9a: {
        const [a, b] = [isTrue(pop()), isTrue(pop())]
        return push(a && b)
      }
      case 0x9b: {
        const [a, b] = [isTrue(pop()), isTrue(pop())]
        return push(a || b)
      }
      case 0xa6:
        return void stack.push(ripemd160(pop()))
      case 0xa8:
        return void stack.push(sha256(pop()))
      case 0xa9:
        return void stack.push(hash160(pop()))
      case 0xaa:
        return void stack.push(sha256(sha256(pop())))
      case 0xac:
      case 0xad: {
        const [key, signature] = [pop(), pop()]
        const holds = signed(signature, key)
        return code === 0xac ? push(holds) : verified(holds)
      }
      case 0xae:
      case 0xaf: {
        const holds = multisig()
        return code === 0xae ? push(holds) : verified(holds)
      }
      case 0xb1:
        return verified(locksUntil(integer(top(), 5), rules))
      default:
        return verified(locksFor(integer(top(), 5), rules))
    }
  }

  function multisig(): boolean {
    if (rules.kind === 'tapscript') fail()
    const count = integer(pop(), 4)
    if (count < 0 || count > 20) fail()
    const keys = Array.from({ length: count }, pop)
    const needed = integer(pop(), 4)
    if (needed < 0 || needed > count) fail()
    const signatures = Array.from({ length: needed }, pop)
    // BIP-147: the item too many that the instruction takes is empty.
    if (pop().length > 0) fail()
    if (signatures.every((signature) => signature.length === 0)) return needed === 0
    let at = 0
    for (const signature of signatures) {
      let found = false
      while (!found && at < keys.length) {
        const key = keys[at] ?? fail()
        at += 1
        const outcome = signature.length === 0 ? 'fails' : rules.check(signature, key)
        if (outcome === 'form') throw new Ended('form')
        found = outcome === 'holds'
        if (found) used.push(key)
      }
      if (!found) fail()
    }
    return true
  }
}

const known = new Set([
  0x69, 0x75, 0x76, 0x7c, 0x87, 0x88, 0x9a, 0x9b, 0xa6, 0xa8, 0xa9, 0xaa, 0xac, 0xad, 0xae, 0xaf, 0xb1, 0xb2,
])

/** MINIMALIF. */
function condition(item: Uint8Array): boolean {
  if (item.length === 0) return false
  return item.length === 1 && item[0] === 1 ? true : fail()
}

/** Anything but zero; a negative zero is one. */
function isTrue(item: Uint8Array): boolean {
  return item.some((octet, i) => octet !== 0 && !(i === item.length - 1 && octet === 0x80))
}

/** Little-endian with a sign bit, minimally encoded. */
function integer(item: Uint8Array, longest: number): number {
  if (item.length > longest) fail()
  const last = item.at(-1)
  if (last === undefined) return 0
  if ((last & 0x7f) === 0 && ((item.at(-2) ?? 0) & 0x80) === 0) fail()
  const size = item.reduceRight((sum, octet, i) => sum * 256 + (i === item.length - 1 ? octet & 0x7f : octet), 0)
  return last & 0x80 ? -size : size
}

const timeThreshold = 500_000_000

/** BIP-65. */
function locksUntil(until: number, { lockTime, sequence }: ScriptRules): boolean {
  if (until < 0 || sequence === 0xffff_ffff) return false
  return until < timeThreshold === lockTime < timeThreshold && lockTime >= until
}

/** BIP-112. */
function locksFor(age: number, { version, sequence }: ScriptRules): boolean {
  if (age < 0) return false
  if (age >= 2 ** 31) return true
  if (version < 2 || sequence >= 2 ** 31) return false
  const [wanted, given] = [age & 0x40_ffff, sequence & 0x40_ffff]
  return wanted < 0x40_0000 === given < 0x40_0000 && given >= wanted
}
