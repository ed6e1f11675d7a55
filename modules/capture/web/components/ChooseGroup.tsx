import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import type { AssignedServer } from '../../contract/administration.ts'
import { groupsQuery, groupsShown } from '../queries.ts'
import styles from '../servers.module.css'

type Group = NonNullable<AssignedServer['group']>
type Props = { server: AssignedServer; busy: boolean; onChoose: (group: Group) => void; onClose: () => void }

/** Names of groups are not unique: who owns each, and how many are in it, tell one from another. */
export function ChooseGroup(props: Props & { open: boolean }): ReactNode {
  const text = useText()
  const name = visible(props.server.name)
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('capture.servers.assign.title', { server: name })}>
      <Choice {...props} />
    </Dialog>
  )
}

function Choice({ server, busy, onChoose, onClose }: Props): ReactNode {
  const text = useText()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Group | null>(null)
  const groups = useQuery({ ...groupsQuery(search), placeholderData: keepPreviousData })
  return (
    <>
      <SearchField label={text('capture.servers.group.search')} search={search} onSearch={setSearch} />
      <form
        className={styles['choice']}
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== null) onChoose(chosen)
        }}
      >
        <Loaded query={groups} loading={text('ui.loading')} failed={text('capture.servers.group.failed')}>
          {({ count, results }) => (
            <>
              <p className={styles['soft']} role="status">
                {count > groupsShown
                  ? text('capture.servers.group.more', { shown: results.length, count })
                  : text('capture.servers.group.count', { count })}
              </p>
              {results.length === 0 ? null : (
                <fieldset className={styles['groups']} aria-busy={groups.isPlaceholderData}>
                  <legend>{text('capture.servers.group')}</legend>
                  {results.map((group) => (
                    <label key={group.id}>
                      <input
                        type="radio"
                        name="group"
                        checked={chosen?.id === group.id}
                        disabled={group.id === server.group?.id}
                        onChange={() => setChosen({ id: group.id, name: group.name })}
                      />
                      <strong>{visible(group.name)}</strong>
                      <span className={styles['soft']}>
                        {group.id === server.group?.id
                          ? text('capture.servers.group.present')
                          : text('capture.servers.group.of', {
                              owner: visible(group.owner.name),
                              email: visible(group.owner.email),
                              members: group.members,
                            })}
                      </span>
                    </label>
                  ))}
                </fieldset>
              )}
            </>
          )}
        </Loaded>
        {server.waiting === 0 ? null : (
          <p className={styles['caution']}>{text('capture.servers.assign.waiting', { count: server.waiting })}</p>
        )}
        <div className={styles['dialogActions']}>
          <Button variant="default" size="md" onClick={onClose}>
            {text('capture.servers.cancel')}
          </Button>
          <Button type="submit" size="md" loading={busy} disabled={chosen === null}>
            {chosen === null
              ? text('capture.servers.assign.choose')
              : text('capture.servers.assign.confirm', { group: visible(chosen.name) })}
          </Button>
        </div>
      </form>
    </>
  )
}
