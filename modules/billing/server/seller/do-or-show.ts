import type { Tx } from '../../../../platform/db/database.ts'
import type { BillingDeps } from './deps.ts'

export class Shown<T> extends Error {
  readonly answer: T
  constructor(answer: T) {
    super('what was to be shown is shown')
    this.answer = answer
  }
}

/** Does it, or does it and takes it back to show what it would bring. */
export async function doOrShow<T>(deps: Pick<BillingDeps, 'db'>, run: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await deps.db.transaction().execute(run)
  } catch (error) {
    if (error instanceof Shown) return error.answer as T
    throw error
  }
}
