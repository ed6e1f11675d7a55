/** Random access to bytes on disk or in the browser. `read` answers exactly `length` octets, or throws. */
export type Readable = {
  readonly size: number
  read(offset: number, length: number): Promise<Uint8Array>
}

/** Stopped by the person who asked; the only thing that verification throws. */
export class VerificationStopped extends Error {
  override readonly name = 'VerificationStopped'
}

/** The slices of a part, each asked for while the one before is worked on: the disk and the processor do not wait for each other. */
export async function* slicesOf(
  file: Readable,
  { offset, length }: { readonly offset: number; readonly length: number },
  size: number,
): AsyncGenerator<Uint8Array> {
  const ask = (at: number): Promise<Uint8Array> => {
    const asked = file.read(offset + at, Math.min(size, length - at))
    // Whoever waits for it is told; nobody does when the work was stopped before.
    asked.catch(() => undefined)
    return asked
  }
  let next = length > 0 ? ask(0) : undefined
  for (let at = 0; next !== undefined; at += size) {
    const bytes = await next
    next = at + size < length ? ask(at + size) : undefined
    yield bytes
  }
}
