import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { call } from '../../../../ui/api/call.ts'
import { saveFile } from '../../../../ui/api/save-file.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { useBulkChange } from '../../../../ui/list/use-list-change.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeEvidences } from '../../contract/account-endpoints.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { packageLink } from '../life/queries.ts'
import { callOf, type Change } from './row-changes.ts'

/** Of one call. */
const atOnce = 100

/** `onDone` comes before the list is read anew. */
export function useListChange(onDone: () => void) {
  const text = useText()
  const client = useQueryClient()
  return useBulkChange<Change>({
    atOnce,
    call: async (change, ids) => (await call(changeEvidences, { body: { action: callOf[change], ids } })).results,
    words: {
      done: (change, count) => text(`evidence.account.done.${change}`, { count }),
      notDone: (count, reason) => text('evidence.account.not_done', { count, reason }),
    },
    readAnew: async () => await client.invalidateQueries({ queryKey: ['evidences'] }),
    onDone,
  })
}

/** Packages one after the other, each by a link of its own; one that fails keeps no other back. */
export function useDownload(): UseMutationResult<void, Error, readonly string[]> {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const dismiss = text('ui.notice.dismiss')
  return useMutation({
    mutationFn: async (ids) => {
      const failures: unknown[] = []
      for (const [i, id] of ids.entries()) {
        if (ids.length > 1)
          notify('info', text('evidence.account.downloading', { at: i + 1, count: ids.length }), dismiss, 'list-download')
        try {
          const { zip_archive: url, file_name: name, bytes } = await packageLink(id, null, true, locale)
          await saveFile({ url, name, bytes })
        } catch (error) {
          failures.push(error)
        }
      }
      const saved = ids.length - failures.length
      if (saved > 0) notify('success', text('evidence.account.done.download', { count: saved }), dismiss, 'list-download')
      const [first] = failures
      if (first !== undefined)
        notify('error', text('evidence.account.not_downloaded', { count: failures.length, reason: errorText(first) }), dismiss)
    },
  })
}
