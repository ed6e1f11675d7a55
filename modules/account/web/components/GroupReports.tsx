import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatMonth } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { groupStatsQuery } from '../queries.ts'
import pageStyles from '../account-pages.module.css'
import styles from './group-reports.module.css'

type Tally = { readonly current: number; readonly previous: number; readonly total: number }

/** E-51, E-52, H-40: final reports of each member and of the group, for its owner and managers. Who left is named too: his reports stay. */
export function GroupReports(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const stats = useQuery(groupStatsQuery)
  const numbers = new Intl.NumberFormat(locale)
  const cells = ({ current, previous, total }: Tally) =>
    [current, previous, total].map((count, i) => <td key={['current', 'previous', 'total'][i]}>{numbers.format(count)}</td>)
  return (
    <section className={pageStyles['section']} aria-labelledby="group-reports">
      <h3 id="group-reports">{text('account.page.reports')}</h3>
      <Loaded query={stats} loading={text('ui.loading')} failed={text('account.page.reports.failed')}>
        {({ month, users, groups: [group] }) => (
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{text('account.page.reports.user')}</th>
                <th scope="col">{formatMonth(month, 0, locale, 'short')}</th>
                <th scope="col">{formatMonth(month, 1, locale, 'short')}</th>
                <th scope="col">{text('account.page.reports.total')}</th>
              </tr>
            </thead>
            <tbody>
              {users.map((user) => (
                <tr key={user.id}>
                  <th scope="row">{user.name === '' ? text('account.page.reports.nameless') : visible(user.name)}</th>
                  {cells(user)}
                </tr>
              ))}
            </tbody>
            {group === undefined ? null : (
              <tfoot>
                <tr>
                  <th scope="row">{text('account.page.reports.group')}</th>
                  {cells(group)}
                </tr>
              </tfoot>
            )}
          </table>
        )}
      </Loaded>
      <p className={pageStyles['soft']}>{text('account.page.reports.hint')}</p>
    </section>
  )
}
