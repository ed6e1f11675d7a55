import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { call } from '../../../../ui/api/call.ts'
import { saveFile } from '../../../../ui/api/save-file.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeEvidences } from '../../contract/account-endpoints.ts'
import { useErrorText } from '../error-text.ts'
import { packageLink } from '../queries.ts'
import { callOf, type Change } from './row-changes.ts'

type Asked = { readonly change: Change; readonly ids: readonly string[] }
type Results = readonly { readonly id: string; readonly code: string | null }[]

const undoOf = { trash: 'restore', restore: 'trash' } as const
/** Of one call. */
const atOnce = 100

/** Changes rows of a list: says what was done and what was not, with the way back where there is one. `onDone` comes before the list is read anew. */
export function useListChange(onDone: () => void): UseMutationResult<Results, Error, Asked> {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const dismiss = text('ui.notice.dismiss')
  const change = async ({ change: wanted, ids }: Asked): Promise<Results> => {
    const results = []
    for (let at = 0; at < ids.length; at += atOnce) {
      const body = { action: callOf[wanted], ids: ids.slice(at, at + atOnce) }
      results.push(...(await call(changeEvidences, { body })).results)
    }
    return results
  }
  const readAnew = async () => await client.invalidateQueries({ queryKey: ['evidences'] })
  const failed = (error: Error) => notify('error', errorText(error), dismiss)
  const tell = (results: Results, wanted: Change, undo: ((ids: readonly string[]) => void) | null) => {
    const done = results.filter(({ code }) => code === null).map(({ id }) => id)
    const [first, ...more] = results.filter(({ code }) => code !== null)
    if (done.length > 0)
      notify(
        'success',
        text(`evidence.account.done.${wanted}`, { count: done.length }),
        dismiss,
        'list-change',
        undo === null ? undefined : { label: text('evidence.account.undo'), act: () => undo(done) },
      )
    if (first !== undefined) {
      const reason = optionalText(first.code ?? '') ?? text('ui.error.unknown')
      notify('error', text('evidence.account.not_done', { count: more.length + 1, reason }), dismiss)
    }
  }
  const takeBack = (wanted: 'trash' | 'restore') => (ids: readonly string[]) => {
    const back = undoOf[wanted]
    void change({ change: back, ids })
      .then(async (results) => {
        tell(results, back, null)
        await readAnew()
      })
      .catch(failed)
  }
  return useMutation({
    mutationFn: change,
    onSuccess: async (results, { change: wanted }) => {
      tell(results, wanted, wanted === 'trash' || wanted === 'restore' ? takeBack(wanted) : null)
      onDone()
      await readAnew()
    },
    onError: failed,
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
