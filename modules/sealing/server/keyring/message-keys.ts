import { basename } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { makeMessageKey, readMessageKeys, type MessageKey, type MessageKeyKind } from './message-key-file.ts'

/** A key and the instant at which its successor took its place; null while it is in force. */
export type DatedKey = { readonly key: MessageKey; readonly until: Date | null }

export type MessageKeys = {
  /** The key in force, made at first need. Read from the folder each time: another process may have rotated it. */
  current(kind: MessageKeyKind): Promise<MessageKey>
  /** Every key of that kind, oldest first, the last in force. The first is made when there is none. */
  history(kind: MessageKeyKind): Promise<readonly DatedKey[]>
  /** Puts a new key in force from now on. */
  rotate(kind: MessageKeyKind): Promise<MessageKey>
}

/** @param deps.dir a folder that `prepareFolder` made. Every answer throws DomainError `sealing.keyring_…` on a file at fault. */
export function messageKeys({ dir, clock, log }: { dir: string; clock: Clock; log: Notes }): MessageKeys {
  const make = async (kind: MessageKeyKind, number: number): Promise<MessageKey> => {
    const key = await makeMessageKey(dir, kind, number, clock.now())
    log.info({ file: key.file, since: key.since.toISOString() }, `key in force: ${basename(key.file)}`)
    return key
  }
  const all = async (kind: MessageKeyKind): Promise<MessageKey[]> => {
    const keys = await readMessageKeys(dir, kind)
    if (keys.length === 0) keys.push(await make(kind, 1))
    return keys
  }
  const current = async (kind: MessageKeyKind): Promise<MessageKey> => (await all(kind)).at(-1) as MessageKey
  return {
    current,
    async history(kind) {
      const keys = await all(kind)
      return keys.map((key, i) => ({ key, until: keys[i + 1]?.since ?? null }))
    },
    async rotate(kind) {
      const last = await current(kind)
      // Two keys of one instant would have no order, and history would run backwards under a clock that is wrong.
      if (clock.now() <= last.since) {
        throw new DomainError('unavailable', 'sealing.clock_before_key', {
          path: last.file,
          not_before: last.since.toISOString(),
        })
      }
      return await make(kind, last.number + 1)
    },
  }
}
