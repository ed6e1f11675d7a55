import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../intl/error-text.ts'
import { useText } from '../intl/text.tsx'
import { notify } from '../shell/notify.ts'

/**
 * An act of administration that is shown before it binds: asked for, it answers exactly what it would bring and, as `shown`, what that is known
 * by; sent again with that it is done, or refused where it would bring something else by now.
 */
export function useShownFirst<Input, Answer extends { readonly shown: string }>(act: {
  /** @param accepted what was shown; absent: nothing is done yet */
  send: (input: Input, accepted?: string) => Promise<Answer>
  /** What is said once it is done. */
  said: string
  /** All that is asked for again then. */
  changes: QueryKey
  onClose: () => void
}) {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [fault, setFault] = useState<string | null>(null)
  const fail = (error: Error) => setFault(errorText(error))
  const asking = useMutation({ mutationFn: async (input: Input) => await act.send(input), onError: fail })
  const doing = useMutation({
    mutationFn: async ({ input, accepted }: { input: Input; accepted: string }) => await act.send(input, accepted),
    onSuccess: async () => {
      notify('success', act.said, text('ui.notice.dismiss'))
      act.onClose()
      await client.invalidateQueries({ queryKey: act.changes })
    },
    onError: (error) => {
      fail(error)
      asking.reset()
    },
  })
  const { data, variables } = asking
  return {
    fault,
    /** What would come of it; null: not asked for yet. */
    shown: data ?? null,
    isAsking: asking.isPending,
    isDoing: doing.isPending,
    /** What was typed is wrong: nothing is asked. */
    refuse: (why: string) => setFault(why),
    /** Of what is typed anew nothing is said yet. */
    retype: () => setFault(null),
    ask: (input: Input): void => {
      setFault(null)
      asking.mutate(input)
    },
    back: () => asking.reset(),
    accept: (): void => {
      if (data !== undefined && variables !== undefined) doing.mutate({ input: variables, accepted: data.shown })
    },
  }
}
