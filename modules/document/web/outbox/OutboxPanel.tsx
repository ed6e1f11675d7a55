import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { depositLink } from '../deposit/deposit-link.tsx'
import styles from '../deposit/panels.module.css'
import type { Deposited, Outbox } from './outbox.ts'
import type { WaitingBatch } from './outbox-store.ts'
import { onSent, useOutbox } from './use-outbox.ts'

/** What waits to be sent, what was refused, and what was just deposited: said plainly. */
export function OutboxPanel(): ReactNode {
  const text = useText()
  const client = useQueryClient()
  const { outbox, glance } = useOutbox()
  useEffect(() => onSent(() => void client.invalidateQueries({ queryKey: ['documents'] })), [client])
  const { waiting, sending, cutOff, lasting, deposited } = glance
  const unsent = waiting.filter(({ refused }) => refused === null)
  const refused = waiting.filter((batch) => batch.refused !== null)
  const count = unsent.reduce((sum, each) => sum + each.count, 0)
  return (
    <>
      <div role="status" className={styles['live']}>
        {count === 0 ? null : (
          <div className={styles['notice']} {...(cutOff ? { 'data-kind': 'caution' } : {})}>
            <p>
              <strong>{text(cutOff ? 'document.outbox.cut_off' : 'document.outbox.sending', { count })}</strong>
            </p>
            {cutOff ? <p>{text(lasting ? 'document.outbox.kept' : 'document.outbox.not_lasting')}</p> : null}
            {cutOff && outbox !== null ? (
              <Button variant="default" mih={44} loading={sending} onClick={() => void outbox.send()}>
                {text('document.outbox.now')}
              </Button>
            ) : null}
          </div>
        )}
      </div>
      {outbox === null ? null : refused.map((batch) => <Refused key={batch.id} batch={batch} outbox={outbox} />)}
      {deposited.length === 0 || outbox === null ? null : <Done deposited={deposited} onDismiss={() => outbox.dismiss()} />}
    </>
  )
}

function Refused(props: { batch: WaitingBatch; outbox: Outbox }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const { batch, outbox } = props
  const { code = '', data = {} } = batch.refused ?? {}
  const { count } = batch
  return (
    <div role="alert" className={styles['notice']} data-kind="bad">
      <p>
        <strong>{text('document.outbox.refused', { count })}</strong> {optionalText(code, data) ?? code}
      </p>
      <div className={styles['buttons']}>
        {batch.agree ? null : (
          <Button mih={44} onClick={() => void outbox.retry(batch.id, { agree: true })}>
            {text('document.deposit.agree', { count })}
          </Button>
        )}
        <Button variant="default" mih={44} onClick={() => void outbox.retry(batch.id, {})}>
          {text('ui.retry')}
        </Button>
        <Button variant="default" mih={44} onClick={() => void outbox.discard(batch.id)}>
          {text('document.outbox.discard')}
        </Button>
      </div>
    </div>
  )
}

/** So many of those that were deposited before are named; the rest are counted. */
const mostNamed = 20

function Done(props: { deposited: readonly Deposited[]; onDismiss: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { deposited } = props
  const waiting = deposited.filter(({ status }) => status === 'awaiting_payment')
  const [toPay] = waiting
  const again = deposited.filter(({ duplicate_of: earlier }) => earlier !== null)
  return (
    <div role="status" className={styles['notice']} data-kind="good">
      <p>
        <strong>{text('document.outbox.deposited', { count: deposited.length })}</strong>{' '}
        {text('document.outbox.deposited.where')}
      </p>
      {toPay === undefined ? null : (
        <p>
          {text('document.outbox.to_pay', { count: waiting.length })}{' '}
          <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: toPay.id }} onClick={props.onDismiss}>
            {text('document.outbox.to_pay.link')}
          </Link>
        </p>
      )}
      {again.length === 0 ? null : (
        <>
          <p>{text('document.outbox.duplicates', { count: again.length })}</p>
          <ul>
            {again.slice(0, mostNamed).map(({ id, name, sha256, duplicate_of: earlier }) => (
              <li key={id}>
                <bdi>{visible(name === '' ? sha256.slice(0, 16) : name)}</bdi>
                {earlier === null ? null : (
                  <>
                    {' · '}
                    <Message
                      id={earlier.sealed_at === null ? 'document.outbox.duplicate_unsealed' : 'document.outbox.duplicate'}
                      values={{
                        date: earlier.sealed_at === null ? '' : formatInstant(earlier.sealed_at, locale),
                        a: depositLink(locale, earlier.id),
                      }}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
          {again.length > mostNamed ? <p>{text('document.outbox.more', { count: again.length - mostNamed })}</p> : null}
        </>
      )}
      <Button variant="default" mih={44} onClick={props.onDismiss}>
        {text('ui.close')}
      </Button>
    </div>
  )
}
