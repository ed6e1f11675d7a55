import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useErrorText } from '../intl/error-text.ts'
import { useOptionalText, useText } from '../intl/text.tsx'
import { notify } from '../shell/notify.ts'

type Asked<Change> = { readonly change: Change; readonly ids: readonly string[] }
/** `code`: of the error; null: done. `invoice_id`: that of what is to be paid before it goes on. */
export type Results = readonly { readonly id: string; readonly code: string | null; readonly invoice_id?: string | null }[]

const undoOf = { trash: 'restore', restore: 'trash' } as const
const isUndone = (change: string): change is keyof typeof undoOf => Object.hasOwn(undoOf, change)

/**
 * Changes rows of a list: says what was done and what was not, with the way back where there is one.
 * @param how.call one call, of at most `atOnce` ids; `onDone` comes before the list is read anew
 */
export function useBulkChange<Change extends string>(how: {
  readonly atOnce: number
  readonly call: (change: Change | 'trash' | 'restore', ids: string[]) => Promise<Results>
  readonly words: {
    readonly done: (change: Change | 'trash' | 'restore', count: number) => string
    readonly notDone: (count: number, reason: string) => string
  }
  /** Told of those that wait for their payment now, instead of that they were done. */
  readonly toPay?: (change: Change | 'trash' | 'restore', ids: readonly string[]) => void
  readonly readAnew: () => Promise<unknown>
  readonly onDone: () => void
}): UseMutationResult<Results, Error, Asked<Change>> {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const { words, readAnew } = how
  const dismiss = text('ui.notice.dismiss')
  const change = async (wanted: Change | 'trash' | 'restore', ids: readonly string[]): Promise<Results> => {
    const results = []
    for (let at = 0; at < ids.length; at += how.atOnce) results.push(...(await how.call(wanted, ids.slice(at, at + how.atOnce))))
    return results
  }
  const failed = (error: Error) => notify('error', errorText(error), dismiss)
  const tell = (results: Results, wanted: Change | 'trash' | 'restore', undo: ((ids: readonly string[]) => void) | null) => {
    const changed = results.filter(({ code }) => code === null)
    const waiting = changed.filter(({ invoice_id: invoice = null }) => invoice !== null).map(({ id }) => id)
    const done = changed.filter(({ invoice_id: invoice = null }) => invoice === null).map(({ id }) => id)
    if (waiting.length > 0) how.toPay?.(wanted, waiting)
    const [first, ...more] = results.filter(({ code }) => code !== null)
    if (done.length > 0)
      notify(
        'success',
        words.done(wanted, done.length),
        dismiss,
        'list-change',
        undo === null ? undefined : { label: text('ui.list.undo'), act: () => undo(done) },
      )
    if (first !== undefined) {
      const reason = optionalText(first.code ?? '') ?? text('ui.error.unknown')
      notify('error', words.notDone(more.length + 1, reason), dismiss)
    }
  }
  const takeBack = (wanted: 'trash' | 'restore') => (ids: readonly string[]) => {
    const back = undoOf[wanted]
    void change(back, ids)
      .then(async (results) => {
        tell(results, back, null)
        await readAnew()
      })
      .catch(failed)
  }
  return useMutation({
    mutationFn: async ({ change: wanted, ids }: Asked<Change>) => await change(wanted, ids),
    onSuccess: async (results, { change: wanted }) => {
      tell(results, wanted, isUndone(wanted) ? takeBack(wanted) : null)
      how.onDone()
      await readAnew()
    },
    onError: failed,
  })
}
