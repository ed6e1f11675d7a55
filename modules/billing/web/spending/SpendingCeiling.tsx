import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { listSpendingLimits, setSpendingLimit, type SpendingLimitOnTheWire } from '../../contract/spending.ts'
import { moneyKey } from '../components/queries.ts'
import { readCents } from '../components/read-cents.ts'
import { useMoney } from '../components/use-money.ts'
import account from '../components/billing.module.css'
import gauge from '../../../../ui/controls/gauge.module.css'
import styles from './spending.module.css'

type Kind = SpendingLimitOnTheWire['kind']

const limitsQuery = {
  queryKey: [...moneyKey, 'limits'] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(listSpendingLimits, { signal }),
  // Whoever was just let in is among them, and what was spent meanwhile is counted.
  staleTime: 0,
}

/** What somebody, or a program, may spend in the owner’s name, beside where the owner manages him; nothing of who spends nothing. */
export function SpendingCeiling(props: { kind: Kind; id: string }): ReactNode {
  const text = useText()
  const { data, error, refetch } = useQuery(limitsQuery)
  if (error !== null)
    return (
      <p className={account['soft']} role="alert">
        {text('billing.ceiling.failed')}{' '}
        <Button variant="default" onClick={() => void refetch()}>
          {text('ui.retry')}
        </Button>
      </p>
    )
  const limit = data?.limits.find(({ kind, id }) => kind === props.kind && id === props.id)
  return limit === undefined ? null : <Ceiling limit={limit} />
}

/** What the call takes. */
const ceilingTyped = z.object({
  amount: z.string().refine((typed) => {
    const cents = readCents(typed)
    return cents !== null && cents > 0 && cents <= 100_000_000
  }),
})

function Ceiling(props: { limit: SpendingLimitOnTheWire }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { money } = useMoney()
  const id = useId()
  const [changing, setChanging] = useState(false)
  const { limit } = props
  const { kind, ceiling_cents: ceiling, spent_cents: spent } = limit
  const name = visible(limit.name)
  const setting = useMutation({
    mutationFn: ({ cents }: { cents: number; undoes?: true }) =>
      call(setSpendingLimit, { params: { kind, id: limit.id }, body: { ceiling_cents: cents } }),
    onSuccess: (set, { undoes }) => {
      setChanging(false)
      keepAnswer(client, limitsQuery.queryKey, (before: { limits: SpendingLimitOnTheWire[] } | undefined) => ({
        limits: (before?.limits ?? []).map((each) => (each.kind === kind && each.id === set.id ? set : each)),
      }))
      if (undoes === true) return
      const said = set.ceiling_cents === 0 ? 'billing.ceiling.removed' : 'billing.ceiling.set'
      notify('success', text(said, { name, ceiling: money(set.ceiling_cents) }), text('ui.notice.dismiss'), `${id}-set`, {
        label: text('billing.ceiling.undo'),
        act: () => setting.mutate({ cents: ceiling, undoes: true }),
      })
    },
    onError: (error) => {
      if (!changing) notify('error', errorText(error), text('ui.notice.dismiss'))
    },
    onSettled: async () => await client.invalidateQueries({ queryKey: limitsQuery.queryKey }),
  })
  const left = Math.max(0, ceiling - spent)
  const reached = ceiling > 0 && left === 0
  return (
    <div className={styles['ceiling']} role="group" aria-label={text('billing.ceiling.of', { name })}>
      <p>
        {ceiling === 0 ? text('billing.ceiling.none') : text('billing.ceiling.is', { ceiling: money(ceiling) })}
        {reached ? <Badge tone="caution">{text('billing.ceiling.reached')}</Badge> : null}
      </p>
      {ceiling === 0 && spent === 0 ? null : (
        <p className={account['soft']}>{text('billing.ceiling.spent', { spent: money(spent), left: money(left) })}</p>
      )}
      {ceiling === 0 ? null : (
        <progress
          className={gauge['gauge']}
          aria-label={text('billing.ceiling.spent_of', { name })}
          value={Math.min(spent, ceiling)}
          max={ceiling}
        />
      )}
      {changing ? (
        <SetCeiling
          ceiling={ceiling}
          name={name}
          error={setting.error}
          busy={setting.isPending}
          onSet={(cents) => setting.mutate({ cents })}
          onClose={() => {
            setChanging(false)
            setting.reset()
          }}
        />
      ) : (
        <div className={account['actions']}>
          <Button
            variant="default"
            aria-label={`${text(ceiling === 0 ? 'billing.ceiling.add' : 'billing.ceiling.change')} – ${name}`}
            onClick={() => setChanging(true)}
          >
            {text(ceiling === 0 ? 'billing.ceiling.add' : 'billing.ceiling.change')}
          </Button>
          {ceiling === 0 ? null : (
            <Button
              variant="default"
              aria-label={`${text('billing.ceiling.remove')} – ${name}`}
              loading={setting.isPending}
              onClick={() => setting.mutate({ cents: 0 })}
            >
              {text('billing.ceiling.remove')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function SetCeiling(props: {
  ceiling: number
  name: string
  error: Error | null
  busy: boolean
  onSet: (cents: number) => void
  onClose: () => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { ceiling, error } = props
  const form = useZodForm<{ amount: string }>((values) => ceilingTyped.safeParse(values), {
    amount:
      ceiling === 0 ? '' : new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false }).format(ceiling / 100),
  })
  const { setFocus } = form
  // What was just asked for goes on here.
  useEffect(() => setFocus('amount'), [setFocus])
  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={text('billing.ceiling.of', { name: props.name })}
      onSubmit={(event) => void form.handleSubmit(() => props.onSet(readCents(form.getValues().amount) ?? 0))(event)}
    >
      <Field
        field={form.register('amount')}
        label={text('billing.ceiling.amount')}
        hint={text('billing.ceiling.amount.hint')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={14}
        error={form.formState.errors.amount === undefined ? undefined : text('billing.ceiling.amount.wrong')}
      />
      <p role="alert">{error === null ? null : errorText(error)}</p>
      <div className={account['actions']}>
        <Button type="submit" loading={props.busy}>
          {text('billing.ceiling.save')}
        </Button>
        <Button variant="default" onClick={props.onClose}>
          {text('billing.cancel')}
        </Button>
      </div>
    </form>
  )
}
