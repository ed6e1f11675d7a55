/**
 * In which order waiting captures are taken (decision 0335). The database follows the same rules: `evidence_take_turn` of migration
 * 0043 gives the turns, `claimNext` takes the lines.
 */
export type Lane = 'account' | 'stranger'

/** After so many captures of accounts in a row, a server takes one of a stranger, if one waits: strangers have a fifth at least. */
export const accountsBeforeStranger = 4

/** What a turn is made of. */
export type TurnFacts = {
  /** Turn of the one in that line that has waited longest. */
  readonly oldest: number | null
  /** Highest turn of those of that line that are under way. */
  readonly underWay: number | null
  /** Highest turn that waits in that line of the same asker. */
  readonly ownLast: number | null
}

/** Start-time fair queueing: within one line, rounds in which each asker has one. */
export function turnOf({ oldest, underWay, ownLast }: TurnFacts): number {
  return Math.max(0, oldest ?? 0, underWay ?? 0, ownLast === null ? 0 : ownLast + 1)
}

/** A server has two lines in each lane: those that asked for it by name, and those that asked for none. */
export type Line = { readonly lane: Lane; readonly named: boolean }

/** What a server took lately. */
export type Taken = {
  /** Captures of accounts since the last of a stranger; more than `accountsBeforeStranger` need not be counted. */
  readonly accountsInARow: number
  /** Whether the last one of that lane had asked for it by name; of a lane that it took none of, it counts as one that had. */
  readonly lastWasNamed: Readonly<Record<Lane, boolean>>
}

export const nothingTaken: Taken = { accountsInARow: 0, lastWasNamed: { account: true, stranger: true } }

/** The lines of a server, in the order in which it looks for the next capture. */
export function linesInOrder({ accountsInARow, lastWasNamed }: Taken): readonly Line[] {
  const inOrder: readonly Lane[] = accountsInARow >= accountsBeforeStranger ? ['stranger', 'account'] : ['account', 'stranger']
  return inOrder.flatMap((lane) => {
    const named = !lastWasNamed[lane]
    return [
      { lane, named },
      { lane, named: !named },
    ]
  })
}

export function afterTaking(taken: Taken, { lane, named }: Line): Taken {
  return {
    accountsInARow: lane === 'stranger' ? 0 : taken.accountsInARow + 1,
    lastWasNamed: { ...taken.lastWasNamed, [lane]: named },
  }
}

/** How many wait in each line. */
export type Waiting = Readonly<Record<Lane, { readonly named: number; readonly automatic: number }>>

/**
 * Place in the queue of one that waits: how many are taken before it if nobody else asks, plus one.
 * @param before how many wait before it in its own line
 */
export function placeOf(mine: Line, before: number, waiting: Waiting, taken: Taken): number {
  const left = {
    account: { ...waiting.account },
    stranger: { ...waiting.stranger },
  }
  let [place, ahead, state] = [1, before, taken]
  for (;;) {
    const next = linesInOrder(state).find(({ lane, named }) => left[lane][named ? 'named' : 'automatic'] > 0)
    // What is counted apart may have been taken meanwhile.
    if (next === undefined) return place
    if (next.lane === mine.lane && next.named === mine.named) {
      if (ahead === 0) return place
      ahead -= 1
    }
    left[next.lane][next.named ? 'named' : 'automatic'] -= 1
    state = afterTaking(state, next)
    place += 1
  }
}
