/** What goes wrong with calls, as tests ask for it. `after`: the call had its effect, and the caller is not told. */
export type FaultKind = 'error-before' | 'error-after' | 'cut-before' | 'cut-after' | 'slow' | 'down'

export const faultKinds: readonly FaultKind[] = ['error-before', 'error-after', 'cut-before', 'cut-after', 'slow', 'down']

export type Fault = {
  readonly kind: FaultKind
  readonly method?: string | undefined
  /** A part of the path. */
  readonly path?: string | undefined
  /** Of slow answers. */
  readonly milliseconds?: number | undefined
  /** How many calls it still strikes; without, all until it is lifted. */
  times?: number | undefined
}

export class Faults {
  #faults: Fault[] = []

  add(fault: Fault): void {
    this.#faults.push(fault)
  }

  lift(): void {
    this.#faults = []
  }

  /** The first that strikes this call; being down strikes every call, that for a token too. */
  strike(method: string, path: string): Fault | undefined {
    const found = this.#faults.find(
      (one) =>
        (one.times === undefined || one.times > 0) &&
        (one.method === undefined || one.method === method) &&
        (one.path === undefined ? one.kind === 'down' || !path.endsWith('/oauth/token') : path.includes(one.path)),
    )
    if (found?.times !== undefined) found.times -= 1
    return found
  }
}
