import type { IHasher } from 'hash-wasm'

/** A hash that is fed piece by piece. */
export type RunningHash = {
  update(bytes: Uint8Array): void
  /** Of what was fed; nothing is fed after it. */
  digest(): Uint8Array
  copy(): RunningHash
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
