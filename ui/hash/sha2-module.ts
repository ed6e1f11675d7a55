/**
 * SHA-256 and SHA-512 (FIPS 180-4) as WebAssembly, written out for the compilers of browsers: every round in a row, the words of the
 * message scheduled in vectors beside the rounds. `run(from, to)` takes whole blocks of its memory into the state that lies at 0.
 */

/** Where the memory has the constants of the rounds, and where blocks may lie. */
const constantsAt = 1024
export const blocksAt = 4096

type Family = {
  readonly bits: 32 | 64
  readonly rounds: number
  /** Turns of Σ0 and Σ1; of σ0 and σ1 two turns and a shift. */
  readonly sums: readonly [Turns, Turns]
  readonly schedule: readonly [Turns, Turns]
  readonly op: Operations
}
type Turns = readonly [number, number, number]

/** Numbers of instructions (WebAssembly Core §5.4); those of vectors follow a prefix. */
type Operations = {
  readonly type: number
  readonly constant: number
  readonly add: number
  readonly and: number
  readonly xor: number
  readonly turn: number
  readonly load: number
  readonly store: number
  /** Octets as a power of two. */
  readonly align: number
  readonly lane: number
  readonly lanesAdd: number
  readonly lanesLeft: number
  readonly lanesRight: number
}

export const sha256Family: Family = {
  bits: 32,
  rounds: 64,
  sums: [
    [2, 13, 22],
    [6, 11, 25],
  ],
  schedule: [
    [7, 18, 3],
    [17, 19, 10],
  ],
  op: {
    type: 0x7f,
    constant: 0x41,
    add: 0x6a,
    and: 0x71,
    xor: 0x73,
    turn: 0x78,
    load: 0x28,
    store: 0x36,
    align: 2,
    lane: 27,
    lanesAdd: 174,
    lanesLeft: 171,
    lanesRight: 173,
  },
}

export const sha512Family: Family = {
  bits: 64,
  rounds: 80,
  sums: [
    [28, 34, 39],
    [14, 18, 41],
  ],
  schedule: [
    [1, 8, 7],
    [19, 61, 6],
  ],
  op: {
    type: 0x7e,
    constant: 0x42,
    add: 0x7c,
    and: 0x83,
    xor: 0x85,
    turn: 0x8a,
    load: 0x29,
    store: 0x37,
    align: 3,
    lane: 29,
    lanesAdd: 206,
    lanesLeft: 203,
    lanesRight: 205,
  },
}

function primes(count: number): readonly bigint[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found.map(BigInt)
}

/** The whole part of a root, by Newton's way from above. */
function root(value: bigint, degree: bigint): bigint {
  let at = 1n << (BigInt(value.toString(2).length) / degree + 1n)
  for (;;) {
    const next = ((degree - 1n) * at + value / at ** (degree - 1n)) / degree
    if (next >= at) return at
    at = next
  }
}

/** The first bits of the fractional parts of roots of the first primes, as words of the processor (§4.2.2, §5.3). */
function fractions(bits: number, degree: bigint, of: readonly bigint[]): Uint8Array {
  const words = of.map((prime) => BigInt.asUintN(bits, root(prime << (BigInt(bits) * degree), degree)))
  return Uint8Array.from(
    words.flatMap((word) => Array.from({ length: bits / 8 }, (_, i) => Number((word >> BigInt(8 * i)) & 255n))),
  )
}

/** Where each hash begins; SHA-384 is SHA-512 from another place, cut. */
export const beginnings = {
  sha256: fractions(32, 2n, primes(8)),
  sha384: fractions(64, 2n, primes(16).slice(8)),
  sha512: fractions(64, 2n, primes(8)),
} as const

/** Numbers without sign and with one (LEB128). */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}
function signed(value: number): number[] {
  const rest = value >> 7
  return rest === (value & 64 ? -1 : 0) ? [value & 127] : [(value & 127) | 128, ...signed(rest)]
}
const section = (id: number, body: readonly number[]): number[] => [id, ...unsigned(body.length), ...body]

export function sha2Module({ bits, rounds, sums, schedule, op }: Family): Uint8Array<ArrayBuffer> {
  const octets = bits / 8
  const lanes = 16 / octets
  /** Vectors of the sixteen words in hand. */
  const vectors = 16 / lanes
  // Locals: the two parameters, the state, what two rounds share of it, what is at hand, then vectors.
  const [from, to, state, shared, hand, words] = [0, 1, 2, 10, 11, 12] as const
  const handVector = words + vectors
  /** Words with their constants; two, since one is made while the other is used. */
  const ready = handVector + 1
  const code: number[] = []
  const emit = (...all: readonly (number | readonly number[])[]): void => {
    for (const one of all) code.push(...(typeof one === 'number' ? [one] : one))
  }
  const get = (local: number) => [0x20, ...unsigned(local)]
  const set = (local: number) => [0x21, ...unsigned(local)]
  const keep = (local: number) => [0x22, ...unsigned(local)]
  const number = (value: number) => [0x41, ...signed(value)]
  const vector = (operation: number, ...rest: readonly number[]) => [0xfd, ...unsigned(operation), ...rest]
  const loadVector = (at: number, align: number) => vector(0, align, ...unsigned(at))
  const shuffle = (octetsOfBoth: readonly number[]) => vector(13, ...octetsOfBoth)
  const either = vector(81)
  const nothing = vector(12, ...Array.from({ length: 16 }, () => 0))
  const stateWord = (i: number, access: number) => [access, op.align, ...unsigned(i * octets)]
  const turned = (local: number, by: number) => [...get(local), op.constant, ...signed(by), op.turn]
  const sum = (local: number, [a, b, c]: Turns) => {
    emit(turned(local, a), turned(local, b), op.xor, turned(local, c), op.xor)
  }
  const shifted = (operation: number, by: number) => [...get(handVector), ...number(by), ...vector(operation)]
  /** σ of each lane at hand. */
  const mix = ([a, b, c]: Turns) => {
    emit(shifted(op.lanesRight, a), shifted(op.lanesLeft, bits - a), either)
    emit(shifted(op.lanesRight, b), either, shifted(op.lanesLeft, bits - b), either, shifted(op.lanesRight, c), either)
  }
  const added = vector(op.lanesAdd)
  const run = (start: number, length: number) => Array.from({ length }, (_, i) => start + i)
  /** The lanes from the second of one vector to the first of the next. */
  const across = shuffle(run(octets, 16))
  /** The next words take the place of the oldest: W[t-16] + σ0(W[t-15]) + W[t-7] + σ1(W[t-2]). */
  const advance = (group: number) => {
    const at = (i: number) => words + ((group + i) % vectors)
    const half = vectors / 2
    emit(get(at(0)), get(at(1)), across, set(handVector))
    mix(schedule[0])
    emit(get(at(0)), added, get(at(half)), get(at(half + 1)), across, added)
    if (lanes === 2) {
      emit(get(at(vectors - 1)), set(handVector))
      mix(schedule[1])
      emit(added, set(at(0)))
      return
    }
    // Of four words the last two need the first two; σ1 of nothing is nothing.
    emit(get(at(vectors - 1)), nothing, shuffle([...run(8, 8), ...run(16, 8)]), set(handVector))
    mix(schedule[1])
    emit(added, keep(at(0)), get(at(0)), nothing, shuffle([...run(16, 8), ...run(0, 8)]), set(handVector))
    mix(schedule[1])
    emit(added, set(at(0)))
  }
  const makeReady = (group: number) => {
    if (group >= vectors) advance(group)
    emit(get(words + (group % vectors)), number(0), loadVector(constantsAt + group * 16, 4), added, set(ready + (group % 2)))
  }
  const round = (i: number) => {
    // Not the words move but their names.
    const [a, b, , d, e, f, g, h] = run(0, 8).map((name) => state + ((((name - i) % 8) + 8) % 8)) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    emit(get(h), get(ready + (Math.floor(i / lanes) % 2)), vector(op.lane, i % lanes), op.add)
    emit(get(g), get(e), get(f), get(g), op.xor, op.and, op.xor, op.add)
    sum(e, sums[1])
    emit(op.add, keep(h), get(d), op.add, set(d))
    // The majority of three from what the round before had of two of them.
    emit(get(a), get(b), op.xor, keep(hand), get(shared), op.and, get(b), op.xor)
    sum(a, sums[0])
    emit(op.add, get(h), op.add, set(h), get(hand), set(shared))
  }

  for (const i of run(0, 8)) emit(number(0), stateWord(i, op.load), set(state + i))
  emit(0x03, 0x40)
  const reversed = shuffle(run(0, 16).map((i) => i - (i % octets) + (octets - 1 - (i % octets))))
  for (const i of run(0, vectors))
    emit(get(from), loadVector(i * 16, 0), keep(words + i), get(words + i), reversed, set(words + i))
  emit(get(state + 1), get(state + 2), op.xor, set(shared))
  makeReady(0)
  for (let group = 0; group < rounds / lanes; group += 1) {
    if (group + 1 < rounds / lanes) makeReady(group + 1)
    for (let i = 0; i < lanes; i += 1) round(group * lanes + i)
  }
  for (const i of run(0, 8)) emit(get(state + i), number(0), stateWord(i, op.load), op.add, set(state + i))
  for (const i of run(0, 8)) emit(number(0), get(state + i), stateWord(i, op.store))
  emit(get(from), number(16 * octets), 0x6a, keep(from), get(to), 0x49, 0x0d, 0, 0x0b, 0x0b)

  const locals = [2, hand + 1 - state, op.type, vectors + 3, 0x7b]
  const body = [...locals, ...code]
  const constants = fractions(bits, 3n, primes(rounds))
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  return Uint8Array.from([
    ...head,
    // (i32, i32) → (); one function; four pages of memory; both exported.
    ...section(1, [1, 0x60, 2, 0x7f, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 4]),
    ...section(7, [2, 3, ...new TextEncoder().encode('run'), 0, 0, 6, ...new TextEncoder().encode('memory'), 2, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
    ...section(11, [1, 0, ...number(constantsAt), 0x0b, ...unsigned(constants.length), ...constants]),
  ])
}
