import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { request } from '../../../../ui/api/call.ts'
import { call } from '../../../../ui/api/call.ts'
import { saveBlob } from '../../../../ui/api/save-file.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { useBulkChange } from '../../../../ui/list/use-list-change.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeDocuments, downloadManyProofs } from '../../contract/endpoints.ts'
import { callOf, type Change } from './row-changes.ts'

/** Of one call. */
const atOnce = 1000

/** `onDone` comes before the list is read anew. */
export function useListChange(onDone: () => void) {
  const text = useText()
  const client = useQueryClient()
  return useBulkChange<Change>({
    atOnce,
    call: async (change, ids) => (await call(changeDocuments, { body: { action: callOf[change], ids } })).results,
    words: {
      done: (change, count) => text(`document.done.${change}`, { count }),
      notDone: (count, reason) => text('document.not_done', { count, reason }),
    },
    readAnew: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['documents'] }),
        client.invalidateQueries({ queryKey: ['document'] }),
      ])
    },
    onDone,
  })
}

/** The proofs of all of them as one archive. One that broke off is an error, and nothing is saved. */
export function useProofsOfMany(): UseMutationResult<void, Error, readonly string[]> {
  const text = useText()
  const errorText = useErrorText()
  return useMutation({
    mutationFn: async (ids) => {
      const response = await request(downloadManyProofs, { body: { ids: [...ids] } }, 'application/zip')
      saveBlob(await response.blob(), text('document.proofs.file', { count: ids.length }))
    },
    onSuccess: (_, { length: count }) =>
      notify('success', text('document.done.proofs', { count }), text('ui.notice.dismiss'), 'list-download'),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss'), 'list-download'),
  })
}
