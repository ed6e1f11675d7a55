import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { leaveGroup } from '../../contract/endpoints.ts'
import type { Group } from '../../contract/sharing.ts'
import styles from '../account-pages.module.css'

/** H-23: what was made within the group stays there. */
export function LeaveGroup(props: { group: Group }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const leaving = useMutation({
    mutationFn: () => call(leaveGroup, {}),
    onSuccess: async () => {
      notify('success', text('account.page.users.left'), text('ui.notice.dismiss'))
      // Lists of evidences are others now, too.
      await client.resetQueries()
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => setAsking(false),
  })
  return (
    <section className={styles['section']}>
      <div className={styles['actions']}>
        <Button size="md" variant="default" onClick={() => setAsking(true)}>
          {text('account.page.users.leave')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={text('account.page.users.leave')}
        text={text('account.page.users.leave.text', { group: visible(props.group.name) })}
        confirm={text('account.page.users.leave')}
        cancel={text('account.page.cancel')}
        destructive
        busy={leaving.isPending}
        onConfirm={() => leaving.mutate()}
        onClose={() => setAsking(false)}
      />
    </section>
  )
}
