import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { RowMenu } from '../../../../ui/list/RowMenu.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeMember, handOverGroup, removeMember } from '../../contract/endpoints.ts'
import type { Group, GroupMember } from '../../contract/sharing.ts'
import { mayRemove } from '../../domain/group.ts'
import { currentUserQuery } from '../current-user.ts'
import { groupQuery, membersPage, membersQuery } from '../queries.ts'
import { inviteId } from './Invitations.tsx'
import { Pages } from './Pages.tsx'
import styles from '../account-pages.module.css'

/** What a member may spend, where something is paid for. */
type Spending = ComponentType<{ id: string }> | undefined
type Change = 'remove' | 'hand_over' | 'role'

/** From so many on, the form below them is out of sight. */
const many = 4

export function GroupMembers(props: { group: Group; Spending: Spending }): ReactNode {
  const text = useText()
  const [page, setPage] = useState(1)
  const members = useQuery(membersQuery(page))
  return (
    <section className={styles['section']}>
      <h3>{text('account.page.members')}</h3>
      <Loaded query={members} loading={text('ui.loading')} failed={text('account.page.users.failed')}>
        {({ count, results }) => (
          <>
            <p className={styles['soft']}>{text('account.page.members.count', { count })}</p>
            {count < many ? null : (
              <div className={styles['actions']}>
                <Button variant="default" onClick={() => document.getElementById(inviteId)?.querySelector('input')?.focus()}>
                  {text('account.page.members.invite')}
                </Button>
              </div>
            )}
            <ul className={styles['list']}>
              {results.map((member) => (
                <Row key={member.id} member={member} group={props.group} Spending={props.Spending} />
              ))}
            </ul>
            <Pages count={count} size={membersPage} page={page} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Row(props: { member: GroupMember; group: Group; Spending: Spending }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { member, group, Spending } = props
  const { data: user } = useQuery(currentUserQuery)
  const [asking, setAsking] = useState<Change | null>(null)
  const name = visible(`${member.first_name} ${member.last_name}`)
  const other = member.role === 'manager' ? 'member' : 'manager'
  const changing = useMutation({
    mutationFn: async (change: Change): Promise<void> => {
      if (change === 'remove') await call(removeMember, { params: { id: member.id } })
      else if (change === 'hand_over') await call(handOverGroup, { body: { member_id: member.id } })
      else await call(changeMember, { params: { id: member.id }, body: { role: other } })
    },
    onSuccess: (_, change) => notify('success', text(`account.page.members.done.${change}`, { name }), text('ui.notice.dismiss')),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: async () => {
      setAsking(null)
      await Promise.all(
        [groupQuery.queryKey, ['group-members'], currentUserQuery.queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
  const own = user?.id === member.id
  const owning = group.role === 'owner' && member.role !== 'owner'
  const changes: readonly Change[] = [
    ...(owning ? (['role', 'hand_over'] as const) : []),
    ...(mayRemove(group.role, member.role) && !own ? (['remove'] as const) : []),
  ]
  const wordsOf = (change: Change) =>
    change === 'role' ? text(`account.page.members.make_${other}`) : text(`account.page.members.${change}`)
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{name}</strong> {own ? `${text('account.page.members.you')} ` : ''}– {text(`account.page.role.${member.role}`)}
        <br />
        {member.email}
      </div>
      {changes.length === 0 ? null : (
        <RowMenu name={name}>
          {(close) => (
            <>
              {changes.map((change) => (
                <button
                  key={change}
                  type="button"
                  aria-label={`${wordsOf(change)} – ${name}`}
                  disabled={changing.isPending}
                  data-danger={change === 'remove' ? '' : undefined}
                  onClick={() => {
                    if (change !== 'role') setAsking(change)
                    else {
                      close()
                      changing.mutate(change)
                    }
                  }}
                >
                  {wordsOf(change)}
                </button>
              ))}
              <ConfirmDialog
                open={asking !== null}
                title={asking === null ? '' : `${wordsOf(asking)} – ${name}`}
                text={asking === null || asking === 'role' ? '' : text(`account.page.members.${asking}.text`, { name })}
                confirm={asking === null ? '' : wordsOf(asking)}
                cancel={text('account.page.cancel')}
                destructive
                busy={changing.isPending}
                onConfirm={() => {
                  if (asking !== null) changing.mutate(asking, { onSettled: close })
                }}
                onClose={() => setAsking(null)}
              />
            </>
          )}
        </RowMenu>
      )}
      {Spending === undefined || group.role !== 'owner' || own ? null : <Spending id={member.id} />}
    </li>
  )
}
