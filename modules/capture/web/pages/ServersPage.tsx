import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { captureServerKinds, captureServerStatuses } from '../../contract/servers.ts'
import { AddMachine } from '../components/AddMachine.tsx'
import { ProcessList } from '../components/ProcessList.tsx'
import { ServerCard } from '../components/ServerCard.tsx'
import { serversQuery } from '../queries.ts'
import { pageSize, useGoToServers, useServersSearch } from '../servers-search.ts'
import styles from '../servers.module.css'

/** H-17: every capture server, and to whom administrators dedicate it (decision 0338). */
export function ServersPage(): ReactNode {
  const text = useText()
  const search = useServersSearch()
  const go = useGoToServers()
  const list = useQuery({ ...serversQuery(search), placeholderData: keepPreviousData })
  if (list.error instanceof ApiError && list.error.status === 404) return <NotFoundPage />
  const choose = (name: 'kind' | 'status') => (value: string) => go({ [name]: value, page: 1 })
  const any = ['', text('capture.servers.any')] as const
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{text('ui.page.servers')}</h1>
        <p className={styles['soft']}>{text('capture.servers.lead')}</p>
        <AddMachine />
      </header>
      <div className={styles['filters']}>
        <SearchField
          label={text('capture.servers.search')}
          search={search.search}
          onSearch={(next, on) => go({ search: next, page: 1 }, on)}
        />
        <LabelledSelect
          label={text('capture.servers.kind')}
          value={search.kind ?? ''}
          options={[any, ...captureServerKinds.map((each) => [each, text(`capture.servers.kind.${each}`)] as const)]}
          onChoose={choose('kind')}
        />
        <LabelledSelect
          label={text('capture.servers.status')}
          value={search.status ?? ''}
          options={[any, ...captureServerStatuses.map((each) => [each, text(`capture.servers.status.${each}`)] as const)]}
          onChoose={choose('status')}
        />
      </div>
      <Loaded query={list} loading={text('ui.loading')} failed={text('capture.servers.failed')}>
        {({ count, results }) => {
          const pages = Math.max(1, Math.ceil(count / pageSize))
          return (
            <>
              <p className={styles['soft']} role="status">
                {text('capture.servers.count', { count })}
              </p>
              <ul className={styles['cards']} aria-busy={list.isPlaceholderData} aria-label={text('ui.page.servers')}>
                {results.map((server) => (
                  <ServerCard key={server.id} server={server} />
                ))}
              </ul>
              <Pager
                page={search.page}
                pages={pages}
                words={{
                  label: text('capture.servers.pages'),
                  previous: text('capture.servers.previous'),
                  next: text('capture.servers.next'),
                  place: text('capture.servers.page', { page: search.page, pages }),
                }}
                onPage={(page) => go({ page })}
              />
            </>
          )
        }}
      </Loaded>
      <ProcessList />
    </div>
  )
}
