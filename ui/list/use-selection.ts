import { useRef, useState } from 'react'

/** As many as one call changes. */
export const mostSelected = 100

type Identified = { readonly id: string }

export type Selection<Row extends Identified> = {
  readonly rows: ReadonlyMap<string, Row>
  /** @param range with all between this one and the last that was clicked, as file managers do */
  readonly toggle: (row: Row, on: boolean, range: boolean) => void
  readonly add: (rows: readonly Row[]) => void
  readonly remove: (rows: readonly Row[]) => void
  readonly clear: () => void
}

/**
 * What is selected in a list; it stays through its pages, and ends with what is listed.
 * @param listed what the list is of: another text, another list
 * @param shown the rows of the page that may be selected
 * @param onFull when there is no room for all that was to be added
 */
export function useSelection<Row extends Identified>(listed: string, shown: readonly Row[], onFull: () => void): Selection<Row> {
  const [kept, setKept] = useState<{ readonly of: string; readonly rows: ReadonlyMap<string, Row> }>({
    of: listed,
    rows: new Map(),
  })
  const last = useRef<string | null>(null)
  const rows = kept.of === listed ? kept.rows : new Map<string, Row>()
  const keep = (next: ReadonlyMap<string, Row>) => setKept({ of: listed, rows: next })
  const add = (added: readonly Row[]) => {
    const next = new Map([...rows, ...added.map((each) => [each.id, each] as const)])
    if (next.size > mostSelected) onFull()
    keep(new Map([...next].slice(0, mostSelected)))
  }
  const remove = (removed: readonly Row[]) => {
    const ids = new Set(removed.map(({ id }) => id))
    keep(new Map([...rows].filter(([id]) => !ids.has(id))))
  }
  return {
    rows,
    toggle: (row, on, range) => {
      const [from, to] = [shown.findIndex(({ id }) => id === last.current), shown.findIndex(({ id }) => id === row.id)]
      const meant = range && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [row]
      last.current = row.id
      if (on) add(meant)
      else remove(meant)
    },
    add,
    remove,
    clear: () => keep(new Map()),
  }
}
