/** Names of messages by the next part of their id; `0` where an id ends. */
export type Names = { readonly [name: string]: Names | 0 }

/** Ids in the order in which their texts follow. */
export function idsOf(names: Names, under: string): string[] {
  return Object.entries(names).flatMap(([name, below]) => {
    const id = name === '' ? under : `${under}.${name}`
    return below === 0 ? [id] : idsOf(below, id)
  })
}
