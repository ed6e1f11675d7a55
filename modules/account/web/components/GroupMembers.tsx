import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeMember, handOverGroup, removeMember } from '../../contract/endpoints.ts'
import type { Group, GroupMember } from '../../contract/sharing.ts'
import { mayRemove } from '../../domain/group.ts'
import { currentUserQuery } from '../current-user.ts'
import { groupQuery, membersQuery } from '../queries.ts'
import { Pages } from './Pages.tsx'
import styles from '../account-pages.module.css'

/** What a member may spend, where something is paid for. */
type Spending = ComponentType<{ id: string }> | undefined
type Change = 'remove' | 'hand_over' | 'role'

export function GroupMembers(props: { group: Group; Spending: Spending }): ReactNode {
  const text = useText()
  const [page, setPage] = useState(1)
  const members = useQuery(membersQuery(page))
  return (
    <section className={styles['section']}>
      <h3>{text('account.page.members')}</h3>
      <Loaded query={members} loading={text('ui.loading')} failed={text('account.page.users.failed')}>
        {({ results, next, previous }) => (
          <>
            <ul className={styles['list']}>
              {results.map((member) => (
                <Row key={member.id} member={member} group={props.group} Spending={props.Spending} />
              ))}
            </ul>
            <Pages previous={previous} next={next} page={page} onPage={setPage} />
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
        <strong>{name}</strong> – {text(`account.page.role.${member.role}`)}
        <br />
        {member.email}
      </div>
      {changes.length === 0 ? null : (
        <div className={styles['actions']}>
          {changes.map((change) => (
            <Button
              key={change}
              variant="default"
              aria-label={`${wordsOf(change)} – ${name}`}
              loading={changing.isPending && changing.variables === change}
              onClick={() => (change === 'role' ? changing.mutate(change) : setAsking(change))}
            >
              {wordsOf(change)}
            </Button>
          ))}
        </div>
      )}
      {Spending === undefined || group.role !== 'owner' || own ? null : <Spending id={member.id} />}
      <ConfirmDialog
        open={asking !== null}
        title={asking === null ? '' : `${wordsOf(asking)} – ${name}`}
        text={asking === null || asking === 'role' ? '' : text(`account.page.members.${asking}.text`, { name })}
        confirm={asking === null ? '' : wordsOf(asking)}
        cancel={text('account.page.cancel')}
        destructive
        busy={changing.isPending}
        onConfirm={() => {
          if (asking !== null) changing.mutate(asking)
        }}
        onClose={() => setAsking(null)}
      />
    </li>
  )
}
