import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../ui/api/api-error.ts'
import { call } from '../../../ui/api/call.ts'
import { keepAnswer } from '../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useText } from '../../../ui/intl/text.tsx'
import { notify } from '../../../ui/shell/notify.ts'
import { claimUser, listUsers } from '../contract/endpoints.ts'
import type { AdminUser, AdminUserEntry } from '../contract/review.ts'
import { claimable } from './decision.ts'
import { currentUserQuery } from '../../account/web/index.ts'
import { userQuery } from './queries.ts'
import { askedOf, useGoToFile, useGoToQueue, useQueueSearch } from './queue-search.ts'

/** Opens files: one that waits is taken first, so that nobody else decides on it meanwhile. */
export function useOpenFile() {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const search = useQueueSearch()
  const goToFile = useGoToFile()
  const goToQueue = useGoToQueue()
  const [busy, setBusy] = useState<string | null>(null)
  const me = () => client.fetchQuery({ ...currentUserQuery, staleTime: Infinity })
  const claim = async (id: string): Promise<AdminUser> => {
    const user = await call(claimUser, { params: { id } })
    keepAnswer(client, userQuery(id).queryKey, user)
    return user
  }
  const open = async (entry: AdminUserEntry): Promise<void> => {
    if (busy !== null) return
    setBusy(entry.id)
    try {
      const { id, roles } = await me()
      const reviews = roles.some((role) => role !== 'support')
      if (reviews && claimable([entry], { reviewer: id, except: '' }).length > 0) await claim(entry.id)
    } catch (error) {
      // It can still be read; who holds it stands there.
      notify('error', errorText(error), text('ui.notice.dismiss'))
    } finally {
      setBusy(null)
    }
    await goToFile(entry.id, search)
  }
  /** The longest waiting of those that are looked at; where none is left, the queue. @param except the file that one comes from */
  const openNext = async (except: string): Promise<void> => {
    const { id: reviewer } = await me()
    const query = { ...askedOf({ ...search, state: 'pending', page: 1 }), page_size: 100 }
    const { results } = await call(listUsers, { query })
    for (const { id } of claimable(results, { reviewer, except })) {
      try {
        // One after the other: the first that nobody took in this moment.
        // oxlint-disable-next-line no-await-in-loop
        await claim(id)
        // oxlint-disable-next-line no-await-in-loop
        await goToFile(id, search)
        return
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500 || error.status === 0) throw error
      }
    }
    notify('info', text('review.page.queue.none_waits'), text('ui.notice.dismiss'))
    goToQueue({ ...search, page: 1 })
  }
  return { open, openNext, claim, busy }
}
