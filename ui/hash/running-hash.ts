import { createSHA256, createSHA384, createSHA512, type IHasher } from 'hash-wasm'
import type { RunningHash } from './hasher.ts'
import { sha2, type Sha2Name } from './sha2.ts'

const libraries = { sha256: createSHA256, sha384: createSHA384, sha512: createSHA512 } as const satisfies Record<
  Sha2Name,
  unknown
>

/** The quickest that this browser can run: ours, or where it has no vectors, a library's. Undefined where it has no WebAssembly. */
export async function runningHash(name: Sha2Name): Promise<(() => RunningHash) | undefined> {
  return (await sha2(name)) ?? (await runningHashOf(libraries[name]))
}

type Holder = { state: Uint8Array }

/**
 * Many hashes that go on side by side in one WebAssembly instance: whichever is fed has its state loaded, and the one before has
 * its own saved. Undefined where WebAssembly is absent or forbidden.
 */
export async function runningHashOf(create: () => Promise<IHasher>): Promise<(() => RunningHash) | undefined> {
  let engine: IHasher
  try {
    engine = (await create()).init()
  } catch {
    return undefined
  }
  const fresh = engine.save()
  let active: Holder | undefined
  const enter = (holder: Holder): void => {
    if (active === holder) return
    if (active !== undefined) active.state = engine.save()
    engine.load(holder.state)
    active = holder
  }
  const start = (state: Uint8Array): RunningHash => {
    const holder: Holder = { state }
    return {
      update(bytes) {
        enter(holder)
        engine.update(bytes)
      },
      digest() {
        enter(holder)
        active = undefined
        return engine.digest('binary')
      },
      copy() {
        enter(holder)
        return start(engine.save())
      },
    }
  }
  return () => start(fresh)
}
