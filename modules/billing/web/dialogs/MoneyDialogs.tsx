import { Button } from '@mantine/core'
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { SubscriptionOnTheWire } from '../../contract/subscriptions.ts'
import { subscriptionQuery } from '../components/queries.ts'
import { dialogFor, dueDialog, noteClosed, type MoneyDialog } from './money-dialog.ts'
import controls from '../../../../ui/controls/controls.module.css'

const slugOf = { suspended: 'invoice', upgrade: 'subscription', seats: 'subscription' } as const

/**
 * D-01, D-02: that nothing new can be made before an invoice is paid, or that the plan's maximum is reached, of reports or of people. Opened by what the subscription
 * says, once, and by each call that is refused for it, whichever page made it.
 * @param props.onGo to a page of the account
 */
export function MoneyDialogs(props: { onGo: (slug: 'invoice' | 'subscription') => void }): ReactNode {
  const text = useText()
  const client = useQueryClient()
  // Read as soon as he is signed in; what it says is heard below.
  useQuery(subscriptionQuery)
  const [open, setOpen] = useState<MoneyDialog | null>(null)
  const [shown, setShown] = useState<MoneyDialog>('suspended')
  useEffect(() => {
    const show = (dialog: MoneyDialog | null) => {
      if (dialog === null) return
      setShown(dialog)
      setOpen(dialog)
    }
    const ofSubscription = hashKey(subscriptionQuery.queryKey)
    const hear = () => {
      const held = client.getQueryData<SubscriptionOnTheWire | null>(subscriptionQuery.queryKey) ?? null
      if (held !== null) show(dueDialog(held, location.pathname))
    }
    // The page may have read it before this was there.
    hear()
    const deaf = [
      client.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success' && event.query.queryHash === ofSubscription) hear()
      }),
      client.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const { error } = event.action
        show(error instanceof ApiError ? dialogFor(error.code) : null)
      }),
    ]
    return () => {
      for (const stop of deaf) stop()
    }
  }, [client])
  const close = () => {
    setOpen(null)
    const held = client.getQueryData<SubscriptionOnTheWire | null>(subscriptionQuery.queryKey) ?? null
    if (held !== null) noteClosed(shown, held)
  }
  return (
    <Dialog open={open !== null} title={text(`billing.${shown === 'seats' ? 'upgrade' : shown}.title`)} onClose={close}>
      <p>{text(`billing.${shown}.text`)}</p>
      <div className={controls['dialogActions']}>
        <Button variant="default" size="md" onClick={close}>
          {text('billing.cancel')}
        </Button>
        <Button
          size="md"
          onClick={() => {
            close()
            props.onGo(slugOf[shown])
          }}
        >
          {text(`billing.${shown === 'seats' ? 'upgrade' : shown}.action`)}
        </Button>
      </div>
    </Dialog>
  )
}
