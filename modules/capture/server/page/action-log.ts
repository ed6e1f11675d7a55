import type { Clock } from '../../../../kernel/clock.ts'

/** What the robot did, in order, each with its instant: the piece `capture/actions.jsonl`. */
export type ActionLog = {
  /** `action` is a verb of ours; `data` holds measured facts only. */
  add(action: string, data?: Readonly<Record<string, unknown>>): string
  text(): string
}

export function createActionLog(clock: Clock): ActionLog {
  const lines: string[] = []
  return {
    add: (action, data = {}) => {
      const at = clock.now().toISOString()
      lines.push(JSON.stringify({ at, action, ...data }))
      return at
    },
    text: () => lines.map((line) => `${line}\n`).join(''),
  }
}
