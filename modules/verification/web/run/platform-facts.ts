import { apiAddress } from '../../../../ui/api/api-address.ts'
import { noteServerDate } from '../../../../ui/api/server-clock.ts'
import { compactListsAddress } from '../../contract/list-addresses.ts'

/**
 * What this platform publishes and the verifier compares with: the European trusted lists, and the platform's own keys. Read when the
 * page opens, before there is anything to verify; one that cannot be had is absent, and the checks that need it say so.
 */
export type PlatformFacts = { readonly lists?: string; readonly keys?: string }

const publishedKeysAddress = '/.well-known/probant-keys.json'
const largest = 4 << 20

export async function loadPlatformFacts(): Promise<PlatformFacts> {
  const [lists, keys] = await Promise.all([textOf(compactListsAddress), textOf(publishedKeysAddress)])
  return { ...(lists === undefined ? {} : { lists }), ...(keys === undefined ? {} : { keys }) }
}

async function textOf(address: string): Promise<string | undefined> {
  try {
    // Asked for anew each time: an answer that the browser kept has the date of when it was kept, and no other.
    const answer = await fetch(apiAddress(address), { credentials: 'omit', cache: 'no-cache' })
    noteServerDate(answer.headers.get('date'))
    const text = answer.ok ? await answer.text() : ''
    return text !== '' && text.length <= largest ? text : undefined
  } catch {
    return undefined
  }
}
