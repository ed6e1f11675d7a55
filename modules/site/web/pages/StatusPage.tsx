import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PageStatus } from '../../../../kernel/page-status.ts'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { Loaded, ReferencePage } from '../../../../ui/controls/ReferencePage.tsx'
import { readHead } from '../../../../ui/shell/head-data.ts'
import styles from './status.module.css'

/** What works, in the server's own words: they stand in the page as it is sent, too. */
export function StatusPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const address = apiAddress(`/service_status/?language=${locale}`)
  const sent = readHead('status') as PageStatus | null
  const query = useQuery({
    queryKey: ['status', locale],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { signal, credentials: 'omit' })
      if (!response.ok) throw Object.assign(new Error('status'), { status: response.status })
      return (await response.json()) as PageStatus
    },
    ...(sent === null ? {} : { initialData: sent, initialDataUpdatedAt: Date.parse(sent.looked_at) || 0 }),
  })
  return (
    <ReferencePage title={text('ui.page.status')} lead={[text('site.status.lead')]}>
      <Loaded query={query} loading={text('ui.loading')} failed={text('site.status.failed')}>
        {({ parts, text: lookedAt }) => (
          <section className={styles['status']} aria-label={text('site.status.parts')}>
            <p role="status" className={styles['when']}>
              {lookedAt}
            </p>
            <dl className={styles['parts']}>
              {parts.map(({ part, state, word, measured }) => (
                <div key={part}>
                  <dt>{text(`site.status.${part}`)}</dt>
                  <dd className={styles['word']} data-state={state}>
                    {word}
                  </dd>
                  <dd className={styles['measured']}>{measured}</dd>
                </div>
              ))}
            </dl>
            <div className={styles['ways']}>
              <Button variant="default" size="md" loading={query.isFetching} onClick={() => void query.refetch()}>
                {text('site.status.again')}
              </Button>
              <a href={address}>{text('site.status.machines')}</a>
            </div>
          </section>
        )}
      </Loaded>
    </ReferencePage>
  )
}
