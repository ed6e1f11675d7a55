import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/api/call.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useText } from '../../../ui/intl/text.tsx'
import { visible } from '../../../ui/intl/visible.ts'
import { notify } from '../../../ui/shell/notify.ts'
import { assignServer, unassignServer, type AssignedServer, type Assignment } from '../contract/administration.ts'

type Group = NonNullable<AssignedServer['group']>
export type Change = {
  readonly server: Pick<AssignedServer, 'id' | 'name'>
  readonly from: Group | null
  readonly to: Group | null
  /** Whether it takes back a change before. */
  readonly back?: boolean
}

async function send({ server, from, to }: Change): Promise<Assignment> {
  const params = { id: server.id }
  if (to !== null) return await call(assignServer, { params, body: { group_id: to.id, instead_of: from?.id ?? null } })
  if (from === null) throw new Error('what is nobody’s is taken from nobody')
  return await call(unassignServer, { params, body: { group_id: from.id } })
}

/** Dedicates a server, or takes it from its group, and offers the way back. What it ended on the way does not come back. */
export function useAssign(onDone: () => void): { readonly busy: boolean; readonly change: (change: Change) => void } {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: send,
    onSuccess: ({ ended }, { server, from, to, back }) => {
      onDone()
      const names = { server: visible(server.name), group: visible((to ?? from)?.name ?? '') }
      const done = text(to === null ? 'capture.servers.taken' : 'capture.servers.assigned', names)
      notify(
        'success',
        ended === 0 ? done : `${done} ${text('capture.servers.ended', { count: ended })}`,
        text('ui.notice.dismiss'),
        'server-assignment',
        back === true
          ? undefined
          : { label: text('capture.servers.undo'), act: () => sending.mutate({ server, from: to, to: from, back: true }) },
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
