import type { RunningHash } from './hasher.ts'
import { beginnings, blocksAt, sha256Family, sha2Module, sha512Family } from './sha2-module.ts'

export type Sha2Name = keyof typeof beginnings

/** As much as stays in the processor's nearer memory. */
const takenAtOnce = 64 * 1024

type Engine = { readonly memory: Uint8Array; readonly run: (from: number, to: number) => void }

/** One of each for all hashes of this page or worker: between two calls it holds nothing of any. */
const engines = new Map<typeof sha256Family, Promise<Engine | undefined>>()

async function startEngine(family: typeof sha256Family): Promise<Engine | undefined> {
  try {
    const { instance } = await WebAssembly.instantiate(sha2Module(family))
    const { memory, run } = instance.exports as { memory: WebAssembly.Memory; run: Engine['run'] }
    return { memory: new Uint8Array(memory.buffer), run }
  } catch {
    return undefined
  }
}

/** Hashes that go on side by side. Undefined where WebAssembly or its vectors are absent or forbidden. */
export async function sha2(name: Sha2Name): Promise<(() => RunningHash) | undefined> {
  const family = name === 'sha256' ? sha256Family : sha512Family
  const started = engines.get(family) ?? startEngine(family)
  engines.set(family, started)
  const engine = await started
  if (engine === undefined) return undefined
  const octets = family.bits / 8
  const shape = { engine, octets, block: 16 * octets, bytes: name === 'sha384' ? 48 : 8 * octets }
  return () => goOn(shape, { state: beginnings[name].slice(), rest: new Uint8Array(shape.block), left: 0, length: 0 })
}

type Shape = {
  readonly engine: Engine
  readonly octets: number
  readonly block: number
  /** Of the digest. */
  readonly bytes: number
}
/** What was fed and is no whole block yet is the first `left` octets of `rest`. */
type At = { readonly state: Uint8Array; readonly rest: Uint8Array; left: number; length: number }

function goOn({ engine: { memory, run }, octets, block, bytes }: Shape, at: At): RunningHash {
  const { state, rest } = at
  const take = (given: Uint8Array): void => {
    memory.set(state)
    for (let i = 0; i < given.length; i += takenAtOnce) {
      const part = given.subarray(i, i + takenAtOnce)
      memory.set(part, blocksAt)
      run(blocksAt, blocksAt + part.length)
    }
    state.set(memory.subarray(0, state.length))
  }
  const update = (given: Uint8Array): void => {
    at.length += given.length
    let from = 0
    if (at.left > 0) {
      from = Math.min(given.length, block - at.left)
      rest.set(given.subarray(0, from), at.left)
      at.left += from
      if (at.left < block) return
      take(rest)
      at.left = 0
    }
    const to = given.length - ((given.length - from) % block)
    if (to > from) take(given.subarray(from, to))
    rest.set(given.subarray(to))
    at.left = given.length - to
  }
  return {
    update,
    digest() {
      // A one, nothing, and how many bits there were (§5.1).
      const end = new Uint8Array(at.left + 1 + 2 * octets <= block ? block : 2 * block)
      end.set(rest.subarray(0, at.left))
      end[at.left] = 0x80
      new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(at.length) * 8n)
      take(end)
      const words = state.slice()
      for (let word = 0; word < words.length; word += octets) words.subarray(word, word + octets).reverse()
      return words.slice(0, bytes)
    },
    copy: () => goOn({ engine: { memory, run }, octets, block, bytes }, { ...at, state: state.slice(), rest: rest.slice() }),
  }
}
