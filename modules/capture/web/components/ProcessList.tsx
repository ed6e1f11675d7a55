import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { RoleProcess } from '../../contract/administration.ts'
import { processesQuery } from '../queries.ts'
import styles from '../servers.module.css'

/** Every process of every role, where it runs, and whether it lives. */
export function ProcessList(): ReactNode {
  const text = useText()
  const id = useId()
  const list = useQuery(processesQuery)
  return (
    <section className={styles['page']} aria-labelledby={id}>
      <header className={styles['head']}>
        <h2 id={id}>{text('capture.servers.processes')}</h2>
        <p className={styles['soft']}>{text('capture.servers.processes.lead')}</p>
      </header>
      <Loaded query={list} loading={text('ui.loading')} failed={text('capture.servers.processes.failed')}>
        {({ count, results }) =>
          results.length === 0 ? (
            <p className={styles['soft']}>{text('capture.servers.processes.none')}</p>
          ) : (
            <>
              {count > results.length ? (
                <p className={styles['soft']}>{text('capture.servers.processes.more', { shown: results.length, count })}</p>
              ) : null}
              <ul className={styles['processes']} aria-labelledby={id}>
                {results.map((process) => (
                  <Process key={process.id} process={process} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Process({ process }: { process: RoleProcess }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const roles = process.roles.map((role) => text(`capture.servers.processes.role.${role}`)).join(', ')
  return (
    <li>
      <p className={styles['cardHead']}>
        <strong>{roles}</strong>
        <Badge tone={process.alive ? 'good' : 'bad'}>
          {text(process.alive ? 'capture.servers.processes.alive' : 'capture.servers.processes.silent')}
        </Badge>
      </p>
      <Facts
        rows={[
          [text('capture.servers.processes.host'), visible(process.host)],
          [text('capture.servers.version'), visible(process.version)],
          [
            text('capture.servers.processes.load'),
            process.load_per_core === null
              ? text('capture.servers.not_known')
              : new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(process.load_per_core),
          ],
          [text('capture.servers.seen'), formatInstant(process.seen_at, locale)],
        ]}
      />
    </li>
  )
}
