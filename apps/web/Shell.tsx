import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, type ReactNode } from 'react'
import { useText } from '../../ui/intl/text.tsx'
import { DefaultLayout, OwnLayout, type MenuLink } from '../../ui/shell/Layouts.tsx'
import { findPageRoute } from './page-routes.ts'

const links: readonly MenuLink[] = [
  { to: '/$locale/', label: 'ui.menu.new', within: ['/'] },
  { to: '/$locale/evidences/pending/', label: 'ui.menu.evidences', within: ['/evidences/', '/capture/'] },
  { to: '/$locale/proofs/', label: 'ui.menu.proofs', within: ['/proofs/'] },
  { to: '/$locale/guide/', label: 'ui.menu.guide', within: ['/guide/'] },
]

const footer = [
  { to: '/$locale/keys/', label: 'ui.footer.keys' },
  { to: '/$locale/log/', label: 'ui.footer.log' },
  { to: '/$locale/trusted-lists/', label: 'ui.footer.lists' },
] as const satisfies readonly Omit<MenuLink, 'within'>[]

/** Title and description of the page in view, also after navigation inside the application. */
function usePageMeta(): { title: string; help: string | null; ownLayout: boolean } {
  const text = useText()
  const { pathname } = useLocation()
  const page = findPageRoute(pathname.replace(/^\/[^/]*/, ''))
  const title = page === null ? text('ui.not_found.text') : text(page.title)
  const description = page === null ? '' : text(page.description)
  useEffect(() => {
    document.title = `${title} – ${text('ui.product')}`
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  })
  return { title, help: page?.help ?? null, ownLayout: page?.pattern === '/capture/:id/' }
}

/** After a navigation the focus goes to the new page, so that the keyboard and screen readers start there, not at the old link. */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
        if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname || toLocation.hash !== '') return
        document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
      }),
    [router],
  )
}

export function Shell(): ReactNode {
  const { title, help, ownLayout } = usePageMeta()
  useFocusOnNavigation()
  const frame = useCallback(
    (page: ReactNode) => (
      <DefaultLayout title={title} help={help} links={links} footer={footer}>
        {page}
      </DefaultLayout>
    ),
    [title, help],
  )
  // A live session takes the whole screen; what comes before and after it does not.
  if (ownLayout)
    return (
      <OwnLayout frame={frame}>
        <Outlet />
      </OwnLayout>
    )
  return frame(<Outlet />)
}
