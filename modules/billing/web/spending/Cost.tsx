import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { PriceOf } from '../../../../ui/shell/PriceOf.tsx'
import { prices } from '../../../../ui/shell/prices.ts'
import { CompleteProfile } from '../../../account/web/index.ts'
import type { SpendingOutlook } from '../../contract/spending.ts'
import { moneyKey } from '../components/queries.ts'
import { useMoney } from '../components/use-money.ts'
import { WhatToDo } from '../components/WhatToDo.tsx'
import styles from '../components/billing.module.css'
import { PaidByOwner } from './PaidByOwner.tsx'
import { outlookQuery } from './outlook-query.ts'

type What = { readonly category: 'evidence' | 'document'; readonly quantity?: number }

/** What it costs, before anybody agrees to it; nothing where nothing is paid for. */
export function Cost(props: What): ReactNode {
  const session = useSession()
  if (prices === null) return null
  return session === null ? <PriceOf what={props.category} /> : <OwnCost {...props} />
}

/** Of whoever is signed in: by what his plan includes, and what is left of it. */
function OwnCost({ category, quantity = 1 }: What): ReactNode {
  const errorText = useErrorText()
  const client = useQueryClient()
  const whole = useRef<HTMLDivElement>(null)
  const { data, error } = useQuery(outlookQuery(category, quantity))
  const completed = () => {
    // The fields go: whoever was among them hears what it costs now.
    whole.current?.focus()
    void client.invalidateQueries({ queryKey: moneyKey })
  }
  if (error !== null)
    return (
      <div role="alert">
        <p>{errorText(error)}</p>
        <WhatToDo error={error} />
      </div>
    )
  if (data === undefined) return <p aria-busy="true">&nbsp;</p>
  return (
    <div ref={whole} tabIndex={-1} className={styles['cost']}>
      <Amount outlook={data} category={category} />
      {data.quantity > 0 && data.missing.length > 0 ? <Missing outlook={data} onSaved={completed} /> : null}
      {data.paid_by === 'account' || data.quantity === 0 ? null : <PaidByOwner outlook={data} />}
      {data.ceiling === null || data.quantity === 0 ? null : <Ceiling outlook={data} />}
    </div>
  )
}

function Amount({ outlook, category }: { outlook: SpendingOutlook; category: What['category'] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { money, day } = useMoney()
  const { quota, quantity, covered } = outlook
  const left = quota === null || quota.included === null ? null : quota.included - quota.used
  return (
    <>
      {covered === 0 ? null : (
        <p>
          {outlook.paid_by === 'group'
            ? text('billing.cost.covered_by_group', { count: covered, owner: visible(outlook.owner ?? '') })
            : text('billing.cost.covered', { count: covered, what: category })}{' '}
          {left === null ? null : text('billing.cost.left', { left, included: quota?.included ?? 0 })}
        </p>
      )}
      {quantity === 0 ? null : (
        <p>
          <strong>{money(outlook.gross_cents)}</strong>{' '}
          {text('billing.cost.incl_vat', { net: money(outlook.net_cents), count: quantity, unit: money(outlook.unit_cents) })}
          {outlook.vat_known
            ? null
            : ` ${outlook.owner === null ? text('billing.cost.vat_unknown') : text('billing.cost.vat_unknown_of_owner', { owner: visible(outlook.owner) })}`}
        </p>
      )}
      {outlook.extras === null || outlook.extras.limit_cents === null ? null : (
        <p>
          {text(outlook.extras.within ? 'billing.cost.on_invoice' : 'billing.cost.beyond_limit', {
            day: day(outlook.extras.on),
            limit: money(outlook.extras.limit_cents),
          })}
        </p>
      )}
      {quota === null || quantity === 0 ? null : (
        <p>
          {text(outlook.paid_by === 'group' ? 'billing.cost.used_up_of_group' : 'billing.cost.used_up', {
            included: quota.included ?? 0,
            what: category,
            day: day(quota.renewed_on),
          })}{' '}
          <Link to="/$locale/account/$/" params={{ locale, _splat: 'subscription' }}>
            {text('billing.cost.upgrade')}
          </Link>
        </p>
      )}
    </>
  )
}

/** H-33: each field is named. */
function Missing({ outlook, onSaved }: { outlook: SpendingOutlook; onSaved: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const fields = outlook.missing.map((field) => text('billing.cost.field', { field }))
  return (
    <div className={styles['notice']} data-tone="caution">
      <p>
        {text(outlook.may_pay ? 'billing.cost.missing' : 'billing.cost.missing_of_owner', {
          fields: new Intl.ListFormat(locale, { type: 'conjunction' }).format(fields),
        })}
      </p>
      {outlook.may_pay ? <CompleteProfile onSaved={onSaved} /> : null}
    </div>
  )
}

function Ceiling({ outlook }: { outlook: SpendingOutlook }): ReactNode {
  const text = useText()
  const { money } = useMoney()
  const { ceiling, owner } = outlook
  if (ceiling === null || owner === null) return null
  const left = Math.max(0, ceiling.ceiling_cents - ceiling.spent_cents)
  const reached = left < outlook.gross_cents
  return (
    <p className={reached ? styles['notice'] : styles['soft']} data-tone={reached ? 'caution' : undefined}>
      {ceiling.ceiling_cents === 0
        ? text('billing.cost.ceiling_none', { owner: visible(owner) })
        : text(reached ? 'billing.cost.ceiling_reached' : 'billing.cost.ceiling', {
            left: money(left),
            ceiling: money(ceiling.ceiling_cents),
            owner: visible(owner),
          })}
    </p>
  )
}
