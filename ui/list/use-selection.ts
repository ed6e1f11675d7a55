import { useRef, useState } from 'react'
import { useText } from '../intl/text.tsx'
import { notify } from '../shell/notify.ts'

type Identified = { readonly id: string }

export type Selection<Row extends Identified> = {
  readonly rows: ReadonlyMap<string, Row>
  /** As many as may be selected. */
  readonly most: number
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
 * @param most selected at once; who wants more is told
 */
export function useSelection<Row extends Identified>(listed: string, shown: readonly Row[], most: number): Selection<Row> {
  const text = useText()
  const [kept, setKept] = useState<{ readonly of: string; readonly rows: ReadonlyMap<string, Row> }>({
    of: listed,
    rows: new Map(),
  })
  const last = useRef<string | null>(null)
  const rows = kept.of === listed ? kept.rows : new Map<string, Row>()
  const keep = (next: ReadonlyMap<string, Row>) => setKept({ of: listed, rows: next })
  const add = (added: readonly Row[]) => {
    const next = new Map([...rows, ...added.map((each) => [each.id, each] as const)])
    if (next.size > most) notify('info', text('ui.list.select.most', { most }), text('ui.notice.dismiss'), 'list-selection')
    keep(new Map([...next].slice(0, most)))
  }
  const remove = (removed: readonly Row[]) => {
    const ids = new Set(removed.map(({ id }) => id))
    keep(new Map([...rows].filter(([id]) => !ids.has(id))))
  }
  return {
    rows,
    most,
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
