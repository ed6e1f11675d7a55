import { request } from '../../../../ui/api/call.ts'
import { getCompactTrustedLists } from '../../contract/trusted-lists.ts'

/**
 * What this platform publishes and the verifier compares with: the European trusted lists, and the platform's own keys. Read when the
 * page opens, before there is anything to verify; one that cannot be had is absent, and the checks that need it say so.
 */
export type PlatformFacts = { readonly lists?: string; readonly keys?: string }

const publishedKeysAddress = '/.well-known/probant-keys.json'
const largest = 4 << 20

export async function loadPlatformFacts(): Promise<PlatformFacts> {
  const [lists, keys] = await Promise.all([
    textOf(async () => await request(getCompactTrustedLists, {}, 'application/json')),
    textOf(async () => await fetch(publishedKeysAddress, { credentials: 'omit' })),
  ])
  return { ...(lists === undefined ? {} : { lists }), ...(keys === undefined ? {} : { keys }) }
}

async function textOf(ask: () => Promise<Response>): Promise<string | undefined> {
  try {
    const answer = await ask()
    const text = answer.ok ? await answer.text() : ''
    return text !== '' && text.length <= largest ? text : undefined
  } catch {
    return undefined
  }
}
