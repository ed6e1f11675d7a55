import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { actBytes, emptyChain } from './record-act.ts'
import { findActHash, listActsAfter, type ActLine } from './store.ts'

export type ChainOfActs = {
  readonly lines: number
  /** Hash of the last line that holds, in hex: noted elsewhere, it shows later whether the end of the record was cut off. */
  readonly head: string
  /** The first line that does not follow from those before it. */
  readonly broken: { readonly number: number; readonly fault: 'number' | 'previous_hash' | 'hash' } | null
}

export const emptyRecord: ChainOfActs = { lines: 0, head: emptyChain.toString('hex'), broken: null }

/** Goes on with the lines that follow, in their order; stops at the first that breaks the chain. */
export function followChain(from: ChainOfActs, lines: Iterable<ActLine>): ChainOfActs {
  let [count, head] = [from.lines, from.head]
  for (const line of lines) {
    const broken = (fault: 'number' | 'previous_hash' | 'hash') => ({ lines: count, head, broken: { number: count + 1, fault } })
    if (line.number !== count + 1) return broken('number')
    if (line.previousHash.toString('hex') !== head) return broken('previous_hash')
    if (!createHash('sha256').update(actBytes(line)).digest().equals(line.hash)) return broken('hash')
    count = line.number
    head = line.hash.toString('hex')
  }
  return { lines: count, head, broken: null }
}

const batch = 1000

/** Recomputes the whole record of acts, a thousand lines at a time. */
export async function verifyActs(db: Db): Promise<ChainOfActs> {
  let state = emptyRecord
  for (;;) {
    const lines = await listActsAfter(db, state.lines, batch)
    state = followChain(state, lines)
    if (state.broken !== null || lines.length < batch) return state
  }
}

/**
 * Recomputes a part of the record: whether its lines follow from each other, and the first from the one before it, which is taken
 * as it is.
 * @param range numbers of the first and last line, both included
 */
export async function verifyActsWithin(db: Db, range: { readonly from: number; readonly to: number }): Promise<ChainOfActs> {
  const before = range.from === 1 ? emptyChain : await findActHash(db, range.from - 1)
  let state: ChainOfActs = { lines: range.from - 1, head: (before ?? emptyChain).toString('hex'), broken: null }
  if (before === null) return { ...state, broken: { number: range.from - 1, fault: 'number' } }
  while (state.broken === null && state.lines < range.to) {
    const lines = await listActsAfter(db, state.lines, Math.min(batch, range.to - state.lines))
    if (lines.length === 0) break
    state = followChain(state, lines)
  }
  return state
}
