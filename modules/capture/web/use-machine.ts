import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/api/call.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useText } from '../../../ui/intl/text.tsx'
import { visible } from '../../../ui/intl/visible.ts'
import { notify } from '../../../ui/shell/notify.ts'
import { drainServer, removeServer, resumeServer, type AssignedServer } from '../contract/administration.ts'

type Machine = Pick<AssignedServer, 'id' | 'name'>
type Change = { readonly server: Machine; readonly to: 'drain' | 'resume' | 'remove' }

/** Drains a server, undoes that, or removes it. @returns the words for what was done */
async function send({ server, to }: Change, text: ReturnType<typeof useText>): Promise<string> {
  const params = { id: server.id }
  const name = visible(server.name)
  if (to === 'remove') return text('capture.servers.removed', { server: name, ...(await call(removeServer, { params })) })
  await call(to === 'drain' ? drainServer : resumeServer, { params })
  return text(to === 'drain' ? 'capture.servers.drained' : 'capture.servers.resumed', { server: name })
}

export function useMachine(onDone: () => void): { readonly busy: boolean; readonly change: (change: Change) => void } {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: async (change: Change) => await send(change, text),
    onSuccess: (done, { server, to }) => {
      onDone()
      const back = to === 'drain' ? 'resume' : 'drain'
      notify(
        'success',
        done.trim(),
        text('ui.notice.dismiss'),
        'server-machine',
        // What was removed comes back by an invitation alone.
        to === 'remove' ? undefined : { label: text('capture.servers.undo'), act: () => sending.mutate({ server, to: back }) },
      )
    },
    onError: (error) => {
      onDone()
      notify('error', errorText(error), text('ui.notice.dismiss'))
    },
    onSettled: async () => await client.invalidateQueries({ queryKey: ['admin-servers'] }),
  })
  return { busy: sending.isPending, change: (change) => sending.mutate(change) }
}
