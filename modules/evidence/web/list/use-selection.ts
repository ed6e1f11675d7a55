import { useRef, useState } from 'react'
import type { Evidence } from '../../contract/evidence.ts'

/** As many as one call changes. */
export const mostSelected = 100

export type Selection = {
  readonly rows: ReadonlyMap<string, Evidence>
  /** @param range with all between this one and the last that was clicked, as file managers do */
  readonly toggle: (evidence: Evidence, on: boolean, range: boolean) => void
  readonly add: (rows: readonly Evidence[]) => void
  readonly remove: (rows: readonly Evidence[]) => void
  readonly clear: () => void
}

/**
 * What is selected in a list; it stays through its pages, and ends with what is listed.
 * @param listed what the list is of: another text, another list
 * @param shown the rows of the page that may be selected
 * @param onFull when there is no room for all that was to be added
 */
export function useSelection(listed: string, shown: readonly Evidence[], onFull: () => void): Selection {
  const [kept, setKept] = useState<{ readonly of: string; readonly rows: ReadonlyMap<string, Evidence> }>({
    of: listed,
    rows: new Map(),
  })
  const last = useRef<string | null>(null)
  const rows = kept.of === listed ? kept.rows : new Map<string, Evidence>()
  const keep = (next: ReadonlyMap<string, Evidence>) => setKept({ of: listed, rows: next })
  const add = (added: readonly Evidence[]) => {
    const next = new Map([...rows, ...added.map((each) => [each.id, each] as const)])
    if (next.size > mostSelected) onFull()
    keep(new Map([...next].slice(0, mostSelected)))
  }
  const remove = (removed: readonly Evidence[]) => {
    const ids = new Set(removed.map(({ id }) => id))
    keep(new Map([...rows].filter(([id]) => !ids.has(id))))
  }
  return {
    rows,
    toggle: (evidence, on, range) => {
      const [from, to] = [shown.findIndex(({ id }) => id === last.current), shown.findIndex(({ id }) => id === evidence.id)]
      const meant = range && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [evidence]
      last.current = evidence.id
      if (on) add(meant)
      else remove(meant)
    },
    add,
    remove,
    clear: () => keep(new Map()),
  }
}
