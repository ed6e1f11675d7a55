import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { usableMandate } from '../pay/Means.tsx'
import { methodsQuery } from '../components/queries.ts'

/**
 * D-09, S-46: whoever changes his bank account is told first that his mandate ends with it. Whether there is one is
 * asked as he presses, and nothing goes on before it is known.
 */
export function ChangeAccountButton(props: { onClick: () => void; children: string }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [warned, setWarned] = useState(false)
  const asking = useMutation({
    mutationFn: () => client.fetchQuery({ ...methodsQuery, staleTime: 0 }),
    onSuccess: ({ mandate }) => {
      if (usableMandate(mandate)) setWarned(true)
      else props.onClick()
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <>
      <Button size="md" variant="default" loading={asking.isPending} onClick={() => asking.mutate()}>
        {props.children}
      </Button>
      <ConfirmDialog
        open={warned}
        title={text('billing.mandate.ends')}
        text={text(asking.data?.renewals?.by === 'mandate' ? 'billing.mandate.ends.renewals' : 'billing.mandate.ends.text')}
        confirm={text('billing.mandate.ends.action')}
        cancel={text('billing.cancel')}
        destructive
        busy={false}
        onConfirm={() => {
          setWarned(false)
          props.onClick()
        }}
        onClose={() => setWarned(false)}
      />
    </>
  )
}
