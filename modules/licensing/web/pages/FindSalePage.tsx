import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useLightForm } from '../../../../ui/forms/use-light-form.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { useFieldText } from '../components/field-text.ts'
import { tokenIn } from '../components/token-in.ts'
import styles from '../components/licensing.module.css'

/** what a licence is, and the way to a sale for whoever was given its address. Sales are listed nowhere. */
export function FindSalePage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const session = useSession()
  const fieldText = useFieldText()
  const form = useLightForm<{ address: string }>(
    ({ address }) => (tokenIn(address, 'sale') === null ? { address: 'sale_address' } : {}),
    { address: '' },
    () => undefined,
  )
  const open = () => {
    const token = tokenIn(form.values().address, 'sale')
    if (token !== null) void navigate({ to: '/$locale/sale/$token/', params: { locale, token } })
  }
  return (
    <div className={`${styles['page']} ${styles['measure']}`}>
      <div className={styles['section']}>
        <h1>{text('licensing.find.title')}</h1>
        <p>{text('licensing.find.lead')}</p>
        <ul>
          {(['proof', 'named', 'package', 'verify'] as const).map((each) => (
            <li key={each}>{text(`licensing.find.point.${each}`)}</li>
          ))}
        </ul>
      </div>
      <form className={styles['section']} noValidate onSubmit={form.submit(open)}>
        <Field
          field={form.register('address')}
          label={text('licensing.find.address')}
          hint={text('licensing.find.address.hint')}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          error={fieldText(form.faults.address === undefined ? undefined : { message: form.faults.address })}
        />
        <div>
          <Button type="submit" size="md">
            {text('licensing.find.open')}
          </Button>
        </div>
      </form>
      <div className={styles['section']}>
        <h2>{text('licensing.find.sell')}</h2>
        <p>{text('licensing.find.sell.text')}</p>
        <p>
          {session === null ? (
            <Link to="/$locale/evidences/completed/" params={{ locale }}>
              {text('licensing.find.reports')}
            </Link>
          ) : (
            <Link to="/$locale/account/$/" params={{ locale, _splat: 'licenses' }}>
              {text('licensing.find.offers')}
            </Link>
          )}
        </p>
      </div>
    </div>
  )
}
