/** What the installation is made of, as whoever uses it notices each. */
export const statusParts = ['web', 'queue', 'capture', 'authorities', 'log', 'anchoring', 'mail'] as const
export type StatusPart = (typeof statusParts)[number]

/** In words of one language, made by the server, read by the page. */
export type PageStatus = {
  /** When it was looked at: `text` for people. */
  readonly looked_at: string
  readonly text: string
  readonly parts: readonly {
    readonly part: StatusPart
    readonly state: string
    /** The state in a word, and what was measured. */
    readonly word: string
    readonly measured: string
  }[]
}

const mark = (name: string) => `__STATUS_${name.toUpperCase()}__`

/** Stands in the page that the build draws, for the server to put what it measured in its place. */
export const markedStatus: PageStatus = {
  looked_at: mark('at'),
  text: mark('text'),
  parts: statusParts.map((part) => ({
    part,
    state: mark(`${part}_state`),
    word: mark(`${part}_word`),
    measured: mark(`${part}_measured`),
  })),
}

/** What to put in the place of each mark. */
export const statusWords = (status: PageStatus): Readonly<Record<string, string>> =>
  Object.fromEntries([
    [mark('at'), status.looked_at],
    [mark('text'), status.text],
    ...status.parts.flatMap(({ part, state, word, measured }) => [
      [mark(`${part}_state`), state],
      [mark(`${part}_word`), word],
      [mark(`${part}_measured`), measured],
    ]),
  ])
