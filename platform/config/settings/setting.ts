/** One environment variable of the product. Its parser and its line in docs/CONFIGURATION.md are both made from this. */
export type Setting<T = unknown> = {
  readonly name: string
  /** What applies when the variable is absent, in words for the document. */
  readonly fallbackText: string
  /** `undefined` when the value depends on others or on the machine and config.ts works it out. */
  readonly fallback: T
  readonly meaning: string
  /** Accepted values, in words. */
  readonly accepts: string
  /** All accepted values, where there are few. */
  readonly choices?: readonly string[]
  /** Shown as set or not set, never by value. */
  readonly secret: boolean
  /** @throws RangeError that completes the sentence `NAME …` */
  readonly parse: (text: string) => T
}

export function setting<const T>(spec: Omit<Setting<T>, 'secret'> & { secret?: boolean }): Setting<T> {
  return { secret: false, ...spec }
}
