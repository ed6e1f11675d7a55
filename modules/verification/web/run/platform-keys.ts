import { utf8 } from '../../../../kernel/bytes.ts'
import { platformKeysOf, readPublishedKeys } from '../../domain/known/published-keys.ts'
import type { PlatformKeys } from '../../domain/known/verify-deps.ts'
import { loadPlatformFacts } from './platform-facts.ts'

/** Keys that this platform publishes; null: they cannot be had, or read. */
export async function loadPlatformKeys(): Promise<PlatformKeys | null> {
  const { keys } = await loadPlatformFacts()
  try {
    return keys === undefined ? null : platformKeysOf(readPublishedKeys(utf8(keys)))
  } catch {
    return null
  }
}
