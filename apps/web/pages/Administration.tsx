import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import type { StaffRole } from '../../../kernel/actor.ts'
import { currentUserQuery } from '../../../modules/account/web/index.ts'
import { TabLinks } from '../../../ui/controls/TabStrip.tsx'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import { prices } from '../../../ui/shell/prices.ts'
import { NotFoundPage } from '../../../ui/shell/ErrorPages.tsx'
import styles from './administration.module.css'

const UsersPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/review/web/pages/UsersPage.tsx'))).UsersPage,
}))
const ActsPage = lazy(async () => {
  const { loadActs } = await loadChunk(() => import('./load-acts.ts'))
  return { default: (await loadActs()).ActsPage }
})
const ServersPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/capture/web/pages/ServersPage.tsx'))).ServersPage,
}))
const QueuePage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/support/web/pages/QueuePage.tsx'))).QueuePage,
}))
const QueuedRequestPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/support/web/pages/QueuedRequestPage.tsx'))).QueuedRequestPage,
}))
const BillingPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/billing/web/admin/AdminBillingPage.tsx'))).AdminBillingPage,
}))
const PayoutsPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/payout/web/admin/AdminPayoutsPage.tsx'))).AdminPayoutsPage,
}))
const PayoutPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/payout/web/admin/AdminPayoutPage.tsx'))).AdminPayoutPage,
}))
const UserPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/review/web/pages/UserPage.tsx'))).UserPage,
}))

/** H-20: the pages of staff, of whichever module. */
export function Administration(): ReactNode {
  const text = useText()
  const { _splat = '' } = useParams({ strict: false })
  const [page = '', id, of] = _splat.split('/').filter((segment) => segment !== '')
  const users = id === undefined ? <UsersPage /> : <UserPage key={id} id={id} />
  const requests = id === undefined ? <QueuePage /> : <QueuedRequestPage key={id} id={id} />
  const payouts = id === undefined ? <PayoutsPage /> : <PayoutPage key={id} id={id} />
  const areas: Readonly<Record<string, ReactNode>> = {
    users,
    support: requests,
    servers: <ServersPage />,
    acts: <ActsPage />,
    ...(prices === null ? {} : { billing: <BillingPage desk={id} id={of} />, payouts }),
  }
  const shown = Object.hasOwn(areas, page) ? areas[page] : <NotFoundPage />
  return (
    <div className={styles['page']}>
      <Areas page={page} />
      <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>{shown}</Suspense>
    </div>
  )
}

/** Whoever has but one page needs no way to others. */
function Areas(props: { page: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data: me } = useQuery(currentUserQuery)
  const has = (role: StaffRole) => me?.roles.includes(role) === true
  const areas = [
    ['users', 'ui.page.users', true],
    ['support', 'ui.page.support_queue', has('support') || has('administrator')],
    ['servers', 'ui.page.servers', has('administrator')],
    ['acts', 'ui.page.acts', has('administrator')],
    ['billing', 'ui.page.billing', has('administrator') && prices !== null],
    ['payouts', 'ui.page.payouts', has('administrator') && prices !== null],
  ] as const
  const open = areas.filter(([, , may]) => may)
  if (me === undefined || open.length < 2) return null
  return (
    <TabLinks label={text('review.page.staff')}>
      {open.map(([area, title]) => (
        <Link
          key={area}
          to="/$locale/admin/$/"
          params={{ locale, _splat: area }}
          preload={false}
          aria-current={area === props.page ? 'page' : undefined}
        >
          {text(title)}
        </Link>
      ))}
    </TabLinks>
  )
}
