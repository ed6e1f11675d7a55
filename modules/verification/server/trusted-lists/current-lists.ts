import { createHash } from 'node:crypto'
import type { Db } from '../../../../platform/db/database.ts'
import { readTrustedLists } from '../../domain/known/trusted-lists.ts'
import type { TrustedLists } from '../../domain/known/trusted-lists.ts'
import { findReading, findReadingTimes } from './lists-store.ts'
import type { ListReading } from './lists-store.ts'
import type { ListOutcome } from './collect-trusted-lists.ts'
import { shippedLists } from './shipped-lists.ts'

export type CurrentLists = {
  readonly lists: TrustedLists
  /** Compact form, as served. */
  readonly text: string
  /** SHA-256 of that text. */
  readonly sha256: string
  /** `shipped`: the snapshot of the product. `read`: what this installation read from the sources. */
  readonly source: 'shipped' | 'read'
  readonly checkedAt: Date | null
  readonly outcomes: readonly ListOutcome[]
}

/** What of two sets is newer, by the number of the list of lists, then by when they were read. */
export function newerOf(a: TrustedLists, b: TrustedLists): TrustedLists {
  const byNumber = a.lotl.sequence_number - b.lotl.sequence_number
  return byNumber > 0 || (byNumber === 0 && Date.parse(a.made_at) >= Date.parse(b.made_at)) ? a : b
}

/**
 * The lists that stand: those read from their sources, or the shipped ones while they are newer. What was read is parsed once,
 * and again when the database says that it changed.
 */
export function openCurrentLists(db: Db): () => Promise<CurrentLists> {
  const shipped = shippedLists()
  let known: { readonly at: number; readonly current: CurrentLists } | undefined
  return async () => {
    const times = await findReadingTimes(db)
    const at = times?.checkedAt.getTime() ?? 0
    if (known?.at === at) return known.current
    const current = choose(shipped, times === undefined ? undefined : await findReading(db))
    known = { at, current }
    return current
  }
}

function choose(
  shipped: { readonly lists: TrustedLists; readonly text: string },
  reading: ListReading | undefined,
): CurrentLists {
  const read = reading === undefined || reading.lists === null ? undefined : readTrustedLists(JSON.parse(reading.lists))
  const isRead = read !== undefined && newerOf(read, shipped.lists) === read
  const text = isRead ? (reading?.lists ?? '') : shipped.text
  return {
    lists: isRead ? read : shipped.lists,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    source: isRead ? 'read' : 'shipped',
    checkedAt: reading?.checkedAt ?? null,
    outcomes: reading?.outcomes ?? [],
  }
}
