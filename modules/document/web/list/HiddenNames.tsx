import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import rowStyles from '../../../../ui/list/rows.module.css'
import { outboxStore } from '../outbox/use-outbox.ts'

/** Where names are shown that this browser alone knows: that it does, and the way to have it forget them, as on a machine that others use. */
export function HiddenNames(props: { user: string }): ReactNode {
  const text = useText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const forgetting = useMutation({
    networkMode: 'always',
    mutationFn: async () => await (await outboxStore()).forgetNames(props.user),
    onSettled: async () => {
      setAsking(false)
      await client.invalidateQueries({ queryKey: ['documents', 'hidden-names'] })
    },
  })
  return (
    <div className={rowStyles['soft']}>
      {text('document.hidden_names')}{' '}
      <Button variant="subtle" size="compact-sm" mih={44} onClick={() => setAsking(true)}>
        {text('document.hidden_names.forget')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={text('document.hidden_names.ask')}
        text={text('document.hidden_names.ask.text')}
        confirm={text('document.hidden_names.forget')}
        cancel={text('document.described.cancel')}
        destructive
        busy={forgetting.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => forgetting.mutate()}
      />
    </div>
  )
}
