import type { Expected } from './outcomes.ts'
import type { Person, Role, World } from './people.ts'

export type Sent = {
  /** Of the path; those of a query stand in `path`. */
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Instead of `body`, to a call that takes a file. */
  readonly bytes?: Buffer
  /** Instead of the path of the call, with its query. */
  readonly path?: string
}

/** One way to make a call, and what each role is answered with. */
export type Case = {
  /** Of several cases of a call. */
  readonly as?: string
  readonly expect: Expected
  /** @param own who calls; for a delegate in the account that he acts in, for who has none `other` */
  readonly send?: (world: World, role: Role, own: Person) => Sent
  /** Held of what was answered to whoever was admitted. */
  readonly check?: (body: Readonly<Record<string, unknown>>, world: World, role: Role) => boolean
}
