import { Link, Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, type ReactNode } from 'react'
import { defaultLocale, isLocale, type Locale } from '../../kernel/locale.ts'
import type { PageServices } from '../../kernel/page-services.ts'
import { useSession } from '../../ui/api/session.ts'
import { useLocale, useOptionalText, useText } from '../../ui/intl/text.tsx'
import { loadChunk } from '../../ui/shell/chunk-failure.ts'
import { AuthenticationLayout, barLink, DefaultLayout, OwnLayout, type MenuLink } from '../../ui/shell/Layouts.tsx'
import { useBrand } from '../../ui/shell/brand.ts'
import { readHead } from '../../ui/shell/head-data.ts'
import { prices } from '../../ui/shell/prices.ts'
import { ensureCatalogue } from './catalogues/catalogues.ts'
import { findPageRoute, mayHaveServices } from './page-routes.ts'

const links: readonly MenuLink[] = [
  { to: '/$locale/', label: 'ui.menu.new', within: ['/'] },
  { to: '/$locale/evidences/pending/', label: 'ui.menu.evidences', within: ['/evidences/', '/capture/'] },
  { to: '/$locale/documents/pending/', label: 'ui.menu.documents', within: ['/documents/'] },
  { to: '/$locale/proofs/', label: 'ui.menu.proofs', within: ['/proofs/'] },
  { to: '/$locale/guide/', label: 'ui.menu.guide', within: ['/guide/'] },
]

const footer = [
  ...(prices === null ? [] : [{ to: '/$locale/plans/', label: 'ui.page.plans' } as const]),
  { to: '/$locale/date/', label: 'ui.footer.date' },
  { to: '/$locale/sample/', label: 'ui.footer.sample' },
  { to: '/$locale/guide/', label: 'ui.menu.guide' },
  { to: '/$locale/keys/', label: 'ui.footer.keys' },
  { to: '/$locale/log/', label: 'ui.footer.log' },
  { to: '/$locale/trusted-lists/', label: 'ui.footer.lists' },
  { to: '/$locale/status/', label: 'ui.footer.status' },
  { to: '/$locale/support/$/', label: 'ui.page.support' },
  ...(['terms', 'privacy', 'notices', 'cookies', 'withdrawal'] as const).map(
    (page) => ({ to: '/$locale/legal/$/', label: `ui.page.legal.${page}`, page }) as const,
  ),
] as const satisfies readonly Omit<MenuLink, 'within'>[]

function localeOfPage(): Locale {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : defaultLocale
}

/** What only a user sees comes with his session, not with the home page; its words with it. */
async function signedIn() {
  const [parts] = await Promise.all([loadChunk(() => import('./SignedIn.tsx')), ensureCatalogue(localeOfPage(), 'identity')])
  return parts
}
const AccountMenu = lazy(async () => ({ default: (await signedIn()).AccountMenu }))
const ReferralButton = lazy(async () => ({ default: (await signedIn()).ReferralButton }))
const PartnerLogo = lazy(async () => ({ default: (await signedIn()).PartnerLogo }))

/** Whether the policy of this document lets services of others be reached (H-41); few installations have any. */
const hasServices = (readHead('services') as PageServices | null)?.reachable === true
/** Its words come with it. */
const OutsideServices = lazy(async () => {
  const [{ OutsideServices: shown }] = await Promise.all([
    loadChunk(() => import('../../modules/outside/web/OutsideServices.tsx')),
    ensureCatalogue(localeOfPage(), 'outside'),
  ])
  return { default: shown }
})

function showMeta(title: string, description: string): void {
  document.title = title
  document.querySelector('meta[name="description"]')?.setAttribute('content', description)
}

/** Title and description of the page in view, also after navigation inside the application. */
function usePageMeta(): {
  title: string
  help: string | null
  layout: 'default' | 'own' | 'authentication'
  /** Path of the page, where services of others may be on it. */
  outside: string | null
} {
  const text = useText()
  const brand = useBrand()
  const { pathname } = useLocation()
  // A page that is not for who asks is, in each of its words, one that does not exist (decision H-20).
  const refused = useRouterState({ select: ({ matches }) => matches.some(({ status }) => status === 'notFound') })
  const page = refused ? null : findPageRoute(pathname.replace(/^\/[^/]*/, ''), prices !== null)
  // The words of a page that is on its way come with it.
  const words = useOptionalText()
  const title = page === null ? text('ui.not_found.text') : (words(page.title) ?? '')
  const description = page === null ? '' : (words(page.description) ?? '')
  useEffect(() => {
    if (title !== '') showMeta(`${title} – ${brand?.name ?? text('ui.product')}`, description)
  })
  const layout =
    page?.pattern === '/capture/:id/'
      ? 'own'
      : /^\/(?:(?:old-)?authentication|login)\//.test(page?.pattern ?? '')
        ? 'authentication'
        : 'default'
  const outside = hasServices && page !== null && mayHaveServices(page.pattern) ? pathname : null
  return { title, help: page?.help ?? null, layout, outside }
}

/**
 * After a navigation the focus goes to the new page, so that the keyboard and screen readers start there, not at the old link. Who has gone
 * elsewhere while the page was on its way (into a dialog, to a field) stays there.
 */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(() => {
    let left: Element | null = null
    const leaving = router.subscribe('onBeforeNavigate', () => (left = document.activeElement))
    const arriving = router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
      if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname || toLocation.hash !== '') return
      const at = document.activeElement
      if (at === null || at === document.body || at === left)
        document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
    })
    return () => {
      leaving()
      arriving()
    }
  }, [router])
}

export function Shell(): ReactNode {
  const { title, help, layout, outside } = usePageMeta()
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  useFocusOnNavigation()
  const user = session?.userId ?? null
  const brand = useBrand()
  // L-07: nobody of a partner's refers.
  const partner = session?.brand === 'partner' || brand !== null
  useLayoutEffect(() => {
    for (const { sheet } of document.querySelectorAll<HTMLLinkElement>('link[data-brand]'))
      if (sheet) sheet.disabled = brand === null
  }, [brand])
  const frame = useCallback(
    (page: ReactNode) => (
      <DefaultLayout
        title={title}
        help={help}
        links={links}
        footer={footer}
        notice={
          outside === null ? null : (
            <Suspense fallback={null}>
              <OutsideServices path={outside} title={title} />
            </Suspense>
          )
        }
        account={
          user === null ? (
            <Link to="/$locale/authentication/$/" params={{ locale, _splat: 'login' }} className={barLink}>
              {text('ui.sign_in')}
            </Link>
          ) : (
            <Suspense fallback={null}>
              <AccountMenu />
            </Suspense>
          )
        }
        partner={
          user === null ? null : (
            <Suspense fallback={null}>
              <PartnerLogo />
            </Suspense>
          )
        }
        drawerFoot={
          user === null || partner ? null : (
            <Suspense fallback={null}>
              <ReferralButton />
            </Suspense>
          )
        }
      >
        {page}
      </DefaultLayout>
    ),
    [title, help, outside, user, partner, locale, text],
  )
  if (layout === 'authentication')
    return (
      <AuthenticationLayout>
        <Outlet />
      </AuthenticationLayout>
    )
  // A live session takes the whole screen; what comes before and after it does not.
  if (layout === 'own')
    return (
      <OwnLayout frame={frame}>
        <Outlet />
      </OwnLayout>
    )
  return frame(<Outlet />)
}
