/** Bytes that came in pieces and are taken in others. Throws when it would hold more than `bound`. */
export type ByteQueue = {
  push(bytes: Uint8Array): void
  readonly length: number
  /** The next `length` bytes without taking them; null when there are fewer. */
  peek(length: number): Uint8Array | null
  /** Takes them; the result is not written to again. */
  take(length: number): Uint8Array | null
}

export function createByteQueue(bound: number): ByteQueue {
  let parts: Uint8Array[] = []
  let held = 0
  const join = (): Uint8Array => {
    const [first] = parts
    if (parts.length === 1 && first !== undefined) return first
    const all = new Uint8Array(held)
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    parts = [all]
    return all
  }
  return {
    push: (bytes) => {
      if (held + bytes.length > bound) throw new RangeError(`more than ${String(bound)} bytes wait`)
      parts.push(bytes)
      held += bytes.length
    },
    get length() {
      return held
    },
    peek: (length) => (held < length ? null : join().subarray(0, length)),
    take: (length) => {
      if (held < length) return null
      const all = join()
      held -= length
      parts = held === 0 ? [] : [all.subarray(length)]
      return all.subarray(0, length)
    },
  }
}
