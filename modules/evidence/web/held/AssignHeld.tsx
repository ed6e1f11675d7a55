import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { assignHeld } from './assign-held.ts'

/** Whenever somebody is signed in: what this browser holds becomes his, and he is told. */
export function AssignHeld(): ReactNode {
  const text = useText()
  const client = useQueryClient()
  const session = useSession()
  // While he acts for somebody else, nothing of his becomes theirs.
  const user = session?.delegation === null ? session.userId : undefined
  const assign = useEffectEvent(async () => {
    const { assigned, elsewhere } = await assignHeld()
    if (assigned > 0) notify('success', text('evidence.account.assigned', { count: assigned }), text('ui.notice.dismiss'))
    if (elsewhere > 0) notify('info', text('evidence.account.elsewhere', { count: elsewhere }), text('ui.notice.dismiss'))
    if (assigned + elsewhere === 0) return
    await client.invalidateQueries({ queryKey: ['evidences'] })
    await client.invalidateQueries({ queryKey: ['evidence'] })
  })
  useEffect(() => {
    if (user !== undefined) void assign()
  }, [user])
  return null
}
