import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { deleteBankAccount } from '../../contract/endpoints.ts'
import type { BankAccountSummary, CurrentUser } from '../../contract/profile.ts'
import { BankAccountForm } from '../components/BankAccountForm.tsx'
import { currentUserQuery } from '../current-user.ts'
import styles from '../account-pages.module.css'

/** Asks, of whoever it concerns, before the account is changed. */
type Guard = ComponentType<{ children: (guard: (change: () => void) => void) => ReactNode }>

const noGuard: Guard = ({ children }) => children((change) => change())

/** E-14…E-19. @param props.Guard what hangs on the account, where something does (D-09) */
export function BankPage(props: { Guard?: Guard }): ReactNode {
  const text = useText()
  const user = useQuery(currentUserQuery)
  return (
    <section className={styles['section']}>
      <p className={styles['soft']}>{text('account.page.bank.lead')}</p>
      <Loaded query={user} loading={text('ui.loading')} failed={text('account.page.profile.failed')}>
        {(loaded) => <Bank user={loaded} Guard={props.Guard ?? noGuard} />}
      </Loaded>
    </section>
  )
}

function Bank(props: { user: CurrentUser; Guard: Guard }): ReactNode {
  const text = useText()
  const { user, Guard } = props
  const [replacing, setReplacing] = useState(false)
  const account = user.bank_account
  if (account === null || replacing)
    return (
      <BankAccountForm
        user={user}
        onSaved={() => setReplacing(false)}
        {...(account === null ? {} : { onBack: () => setReplacing(false) })}
      />
    )
  return (
    <>
      <Summary account={account} />
      <Guard>
        {(guard) => (
          <div className={styles['actions']}>
            <Button size="md" variant="default" onClick={() => guard(() => setReplacing(true))}>
              {text('account.page.bank.replace')}
            </Button>
            <Deletion user={user} guard={guard} />
          </div>
        )}
      </Guard>
    </>
  )
}

function Summary(props: { account: BankAccountSummary }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { account } = props
  return (
    <dl className={styles['facts']}>
      <dt>{text('account.page.bank.type')}</dt>
      <dd>{text(`account.page.bank.type.${account.type}`)}</dd>
      <dt>{text('account.page.bank.number')}</dt>
      <dd>{text('account.page.bank.ending', { ending: account.ending })}</dd>
      <dt>{text('account.page.bank.owner_name')}</dt>
      <dd>{visible(account.owner_name)}</dd>
      <dt>{text('account.page.bank.owner_address')}</dt>
      <dd>{visible(account.owner_address)}</dd>
      <dt>{text('account.page.bank.saved_at')}</dt>
      <dd>{formatInstant(account.updated_at, locale)}</dd>
    </dl>
  )
}

function Deletion(props: { user: CurrentUser; guard: (change: () => void) => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const deletion = useMutation({
    mutationFn: () => call(deleteBankAccount, { params: { id: props.user.id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
      notify('success', text('account.page.bank.deleted'), text('ui.notice.dismiss'))
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button size="md" variant="default" onClick={() => props.guard(() => setAsking(true))}>
        {text('account.page.bank.delete')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={text('account.page.bank.delete')}
        text={text('account.page.bank.delete.text')}
        confirm={text('account.page.bank.delete.action')}
        cancel={text('account.page.cancel')}
        destructive
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
