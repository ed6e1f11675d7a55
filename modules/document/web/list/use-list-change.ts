import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { request } from '../../../../ui/api/call.ts'
import { call } from '../../../../ui/api/call.ts'
import { saveBlob } from '../../../../ui/api/save-file.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { useBulkChange } from '../../../../ui/list/use-list-change.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeDocuments, downloadManyProofs } from '../../contract/endpoints.ts'
import { callOf, type Change } from './row-changes.ts'

/** Of one call. */
const atOnce = 1000

/** `onDone` comes before the list is read anew. */
export function useListChange(onDone: () => void) {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const client = useQueryClient()
  return useBulkChange<Change>({
    atOnce,
    call: async (change, ids) => (await call(changeDocuments, { body: { action: callOf[change], ids } })).results,
    words: {
      // What was to be paid, and is included by now, goes on as what was agreed to.
      done: (change, count) => text(`document.done.${change === 'pay' ? 'agree' : change}`, { count }),
      notDone: (count, reason) => text('document.not_done', { count, reason }),
    },
    toPay: (change, ids) => {
      const [id = ''] = ids
      const pay = () => void navigate({ to: '/$locale/documents/deposit/$id/', params: { locale, id } })
      if (change === 'pay') pay()
      else
        notify('info', text('document.done.to_pay', { count: ids.length }), text('ui.notice.dismiss'), 'list-to-pay', {
          label: text('document.do.pay'),
          act: pay,
        })
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
