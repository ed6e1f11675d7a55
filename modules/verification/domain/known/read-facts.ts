import { utf8 } from '../../../../kernel/bytes.ts'
import { platformKeysOf, readPublishedKeys } from './published-keys.ts'
import type { VerifyDeps } from './verify-deps.ts'
import { readTrustedLists } from './trusted-lists.ts'

/** Trusted lists and published keys as text, for the verifiers. What cannot be read is absent: nothing is concluded from it. */
export function readFacts(facts: { readonly lists?: string; readonly keys?: string }): Pick<VerifyDeps, 'trustedLists' | 'keys'> {
  const trustedLists = orNone(facts.lists, (text) => readTrustedLists(JSON.parse(text)))
  const keys = orNone(facts.keys, (text) => platformKeysOf(readPublishedKeys(utf8(text))))
  return { ...(trustedLists === undefined ? {} : { trustedLists }), ...(keys === undefined ? {} : { keys }) }
}

function orNone<T>(text: string | undefined, read: (text: string) => T | undefined): T | undefined {
  try {
    return text === undefined ? undefined : read(text)
  } catch {
    return undefined
  }
}
