import { Readable } from 'node:stream'
import type { Clock } from '../../../../kernel/clock.ts'
import { route } from '../../../../platform/http/route.ts'
import type { Route } from '../../../../platform/http/route.ts'
import { sendStream } from '../../../../platform/http/answer/stream.ts'
import { getCompactTrustedLists, getTrustedLists } from '../../contract/trusted-lists.ts'
import type { TrustedListsState } from '../../contract/trusted-lists.ts'
import { journalSigners } from '../../domain/trusted-list/journal-signers.ts'
import type { ListFacts } from '../../domain/known/trusted-lists.ts'
import type { CurrentLists } from './current-lists.ts'

export type TrustedListRoutesDeps = { readonly clock: Clock; readonly lists: () => Promise<CurrentLists> }

export function trustedListRoutes({ clock, lists }: TrustedListRoutesDeps): Route[] {
  return [
    route(getTrustedLists, async () => describeTrustedLists(await lists(), clock.now())),
    route(getCompactTrustedLists, async ({ reply, request }) => {
      const { text, sha256 } = await lists()
      const bytes = Buffer.from(text)
      return await sendStream(reply, request, {
        totalBytes: bytes.length,
        mediaType: 'application/json',
        disposition: 'inline',
        etag: sha256,
        captured: false,
        open: ({ start, end }) => Promise.resolve(Readable.from([bytes.subarray(start, end + 1)])),
      })
    }),
  ]
}

const dayMs = 86_400_000

/** What stands of every list, and what the last reading said. */
export function describeTrustedLists(current: CurrentLists, now: Date): TrustedListsState {
  const { lists, source, checkedAt, outcomes, sha256 } = current
  const stateOf = (
    pointer: { territory: string; url: string },
    list: ListFacts | undefined,
    services: number,
  ): TrustedListsState['lists'][number] => {
    const outcome = outcomes.find(({ territory }) => territory === pointer.territory)
    const unread = outcome === undefined ? (list === undefined ? 'missing' : 'unread') : undefined
    return {
      territory: pointer.territory,
      operator: list?.operator ?? null,
      sequence_number: list?.sequence_number ?? null,
      issued_at: list?.issued_at ?? null,
      next_update: list?.next_update ?? null,
      sha256: list?.sha256 ?? null,
      url: pointer.url,
      services,
      expired: list !== undefined && list.next_update !== null && Date.parse(list.next_update) < now.getTime(),
      state: unread ?? outcome?.state ?? 'missing',
      flaw: outcome?.flaw ?? null,
    }
  }
  return {
    source,
    made_at: lists.made_at,
    age_days: Math.max(0, Math.floor((now.getTime() - Date.parse(lists.lotl.issued_at)) / dayMs)),
    checked_at: checkedAt?.toISOString() ?? null,
    journal: lists.lotl.journal,
    journal_url: journalSigners.url,
    compact_sha256: sha256,
    lists: [
      stateOf(lists.lotl, lists.lotl, 0),
      ...lists.pointers.map((pointer) => {
        const list = lists.lists.find(({ territory }) => territory === pointer.territory)
        return stateOf(pointer, list, list?.services.length ?? 0)
      }),
    ],
  }
}
