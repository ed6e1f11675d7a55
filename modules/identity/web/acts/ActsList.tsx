import { Button } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { request } from '../../../../ui/api/call.ts'
import { saveBlob } from '../../../../ui/api/save-file.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { exportActs, exportOwnActs } from '../../contract/endpoints.ts'
import {
  actsPerPage,
  addressOfActs,
  filtersOfActs,
  isNarrowed,
  ownView,
  plainActs,
  readActsView,
  type ActsView,
} from '../acts-view.ts'
import { actsQuery } from '../queries.ts'
import account from '../account.module.css'
import styles from './acts.module.css'
import { ActFilters } from './ActFilters.tsx'
import { ActRow, OwnActRow } from './ActRow.tsx'

/** A record of acts, filtered, page by page, and as a file. */
export function ActsList(props: { whole: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { whole } = props
  const readerId = useSession()?.userId ?? null
  const asked = readActsView(useSearch({ strict: false }))
  const view = whole ? asked : ownView(asked)
  const acts = useQuery({ ...actsQuery(whole, view), placeholderData: keepPreviousData })
  const setView = (next: ActsView) => {
    const search = addressOfActs(next)
    void (whole
      ? navigate({ to: '/$locale/admin/$/', params: { locale, _splat: 'acts' }, search, resetScroll: false })
      : navigate({ to: '/$locale/account/$/', params: { locale, _splat: 'activity' }, search, resetScroll: false }))
  }
  return (
    <>
      <ActFilters view={view} whole={whole} onView={setView} />
      <Loaded query={acts} loading={text('ui.loading')} failed={text('identity.acts.failed')}>
        {({ count, results }) => {
          const pages = Math.max(1, Math.ceil(count / actsPerPage))
          return (
            <>
              <div className={styles['head']}>
                <p role="status">{text('identity.acts.count', { count })}</p>
                {count === 0 ? null : <ExportButton whole={whole} view={view} />}
              </div>
              {count === 0 ? (
                <div className={styles['none']}>
                  <p>{text(isNarrowed(view) ? 'identity.acts.none_found' : 'identity.acts.none')}</p>
                  {isNarrowed(view) ? (
                    <Button variant="default" onClick={() => setView(plainActs)}>
                      {text('identity.acts.clear')}
                    </Button>
                  ) : null}
                </div>
              ) : (
                <ul className={account['list']} aria-busy={acts.isPlaceholderData}>
                  {results.map((act) =>
                    whole ? (
                      <ActRow
                        key={act.number}
                        act={act}
                        onPerson={(person) => setView({ ...plainActs, person })}
                        onSubject={(subject) => setView({ ...plainActs, subject })}
                      />
                    ) : (
                      <OwnActRow key={act.number} act={act} readerId={readerId} />
                    ),
                  )}
                </ul>
              )}
              <Pager
                page={view.page}
                pages={pages}
                words={{
                  label: text('identity.acts.pages'),
                  previous: text('identity.acts.newer'),
                  next: text('identity.acts.older'),
                  place: text('identity.acts.page', { page: view.page, pages }),
                }}
                onPage={(page) => setView({ ...view, page })}
              />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function ExportButton(props: { whole: boolean; view: ActsView }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const exporting = useMutation({
    mutationFn: async () => {
      const query = { ...filtersOfActs(props.view), language: locale }
      const answer = await (props.whole
        ? request(exportActs, { query }, 'text/csv')
        : request(exportOwnActs, { query }, 'text/csv'))
      const day = new Date(serverNow()).toISOString().slice(0, 10)
      saveBlob(await answer.blob(), `${props.whole ? 'acts' : 'activity'}-${day}.csv`)
    },
    onSuccess: () => notify('success', text('identity.acts.exported'), text('ui.notice.dismiss')),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
      {text('identity.acts.export')}
    </Button>
  )
}
