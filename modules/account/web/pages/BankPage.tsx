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

/** By which the account is changed. */
type ChangeButton = ComponentType<{ onClick: () => void; children: string }>

const PlainButton: ChangeButton = ({ onClick, children }) => (
  <Button size="md" variant="default" onClick={onClick}>
    {children}
  </Button>
)

/** E-14…E-19. @param props.ChangeButton says first what hangs on the account, where something does (D-09) */
export function BankPage(props: { ChangeButton?: ChangeButton }): ReactNode {
  const text = useText()
  const user = useQuery(currentUserQuery)
  return (
    <section className={styles['section']}>
      <p className={styles['soft']}>{text('account.page.bank.lead')}</p>
      <Loaded query={user} loading={text('ui.loading')} failed={text('account.page.profile.failed')}>
        {(loaded) => <Bank user={loaded} ChangeButton={props.ChangeButton ?? PlainButton} />}
      </Loaded>
    </section>
  )
}

function Bank(props: { user: CurrentUser; ChangeButton: ChangeButton }): ReactNode {
  const text = useText()
  const { user, ChangeButton } = props
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
      <div className={styles['actions']}>
        <ChangeButton onClick={() => setReplacing(true)}>{text('account.page.bank.replace')}</ChangeButton>
        <Deletion user={user} ChangeButton={ChangeButton} />
      </div>
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

function Deletion(props: { user: CurrentUser; ChangeButton: ChangeButton }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { ChangeButton } = props
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
      <ChangeButton onClick={() => setAsking(true)}>{text('account.page.bank.delete')}</ChangeButton>
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
