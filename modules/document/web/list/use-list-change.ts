import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { call } from '../../../../ui/api/call.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeDocuments } from '../../contract/endpoints.ts'
import { callOf, type Change } from './row-changes.ts'

type Asked = { readonly change: Change; readonly ids: readonly string[] }
type Results = readonly { readonly id: string; readonly code: string | null }[]

const undoOf = { trash: 'restore', restore: 'trash' } as const

/** Changes rows of a list: says what was done and what was not, with the way back where there is one. `onDone` comes before the list is read anew. */
export function useListChange(onDone: () => void): UseMutationResult<Results, Error, Asked> {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const dismiss = text('ui.notice.dismiss')
  const change = async ({ change: wanted, ids }: Asked): Promise<Results> =>
    (await call(changeDocuments, { body: { action: callOf[wanted], ids: [...ids] } })).results
  const readAnew = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['documents'] }),
      client.invalidateQueries({ queryKey: ['document'] }),
    ])
  }
  const failed = (error: Error) => notify('error', errorText(error), dismiss)
  const tell = (results: Results, wanted: Change, undo: ((ids: readonly string[]) => void) | null) => {
    const done = results.filter(({ code }) => code === null).map(({ id }) => id)
    const [first, ...more] = results.filter(({ code }) => code !== null)
    if (done.length > 0)
      notify(
        'success',
        text(`document.done.${wanted}`, { count: done.length }),
        dismiss,
        'list-change',
        undo === null ? undefined : { label: text('document.undo'), act: () => undo(done) },
      )
    if (first !== undefined) {
      const reason = optionalText(first.code ?? '') ?? text('ui.error.unknown')
      notify('error', text('document.not_done', { count: more.length + 1, reason }), dismiss)
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
