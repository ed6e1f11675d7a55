import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { endDelegation } from '../../contract/endpoints.ts'
import type { AccessDelegation } from '../../contract/sharing.ts'
import { switchAccount } from '../switch-account.ts'
import styles from '../account-pages.module.css'

export function DelegationRow(props: {
  delegation: AccessDelegation
  Spending: ComponentType<{ id: string }> | undefined
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { delegation, Spending } = props
  const { direction, grantor } = delegation
  const received = direction === 'received'
  const who = visible(received ? grantor.name : delegation.email)
  const ending = useMutation({
    mutationFn: () => call(endDelegation, { params: { id: delegation.id } }),
    //
    onSuccess: () => notify('success', text('account.page.delegations.ended'), text('ui.notice.dismiss')),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: async () => {
      setAsking(false)
      await client.invalidateQueries({ queryKey: ['delegations'] })
    },
  })
  const end = text(received ? 'account.page.delegations.give_back' : 'account.page.delegations.end')
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{who}</strong>
        {received ? ` – ${visible(grantor.email)}` : null}
        <br />
        {text(`account.page.scope.${delegation.scope}`)}
        <br />
        {text('account.page.until', { date: formatInstant(delegation.expires_at, locale) })}
      </div>
      <div className={styles['actions']}>
        {received ? (
          <Button onClick={() => switchAccount(delegation.id, locale)}>{text('account.page.act_for', { name: who })}</Button>
        ) : null}
        <Button variant="default" aria-label={`${end} – ${who}`} onClick={() => setAsking(true)}>
          {end}
        </Button>
      </div>
      {Spending === undefined ? null : <Spending id={delegation.id} />}
      <ConfirmDialog
        open={asking}
        title={`${end} – ${who}`}
        text={text(`account.page.delegations.end.${direction}`, { name: who })}
        confirm={end}
        cancel={text('account.page.cancel')}
        destructive
        busy={ending.isPending}
        onConfirm={() => ending.mutate()}
        onClose={() => setAsking(false)}
      />
    </li>
  )
}
