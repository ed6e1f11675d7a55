import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { isLocale, type Locale } from '../../kernel/locale.ts'
import { loadChunk } from '../../ui/shell/chunk-failure.ts'
import { ErrorPage, NotFoundPage } from '../../ui/shell/ErrorPages.tsx'
import { ensureCatalogue } from './catalogues/catalogues.ts'
import { Shell } from './Shell.tsx'

/** The route tree. Each page is a chunk of its own; page-routes.ts lists the same patterns for the server. */
export function makeRouter(locale: Locale) {
  const root = createRootRoute({ component: Shell })
  const prefix = createRoute({
    getParentRoute: () => root,
    path: '$locale',
    beforeLoad: ({ params }) => {
      if (!isLocale(params.locale)) throw notFound()
    },
  })
  const home = createRoute({
    getParentRoute: () => prefix,
    path: '/',
    component: lazyRouteComponent(() => loadChunk(() => import('./pages/Home.tsx')), 'Home'),
  })
  const guide = createRoute({
    getParentRoute: () => prefix,
    path: '/guide',
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/site/web/pages/GuidePage.tsx')), 'GuidePage'),
  })
  const capture = createRoute({
    getParentRoute: () => prefix,
    path: '/capture/$id',
    loader: async () => {
      await Promise.all((['capture', 'live', 'review'] as const).map((part) => ensureCatalogue(locale, part)))
    },
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/evidence/web/pages/CapturePage.tsx')),
      'CapturePage',
    ),
  })
  const evidences = createRoute({
    getParentRoute: () => prefix,
    path: '/evidences',
    beforeLoad: ({ params }) => {
      if (!isLocale(params.locale)) throw notFound()
    },
  })
  const firstTab = createRoute({
    getParentRoute: () => evidences,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/$locale/evidences/pending/', params: { locale }, replace: true })
    },
  })
  const list = lazyRouteComponent(
    () => loadChunk(() => import('../../modules/evidence/web/pages/EvidencesPage.tsx')),
    'EvidencesPage',
  )
  const pending = createRoute({
    getParentRoute: () => evidences,
    path: '/pending',
    loader: () => ensureCatalogue(locale, 'capture'),
    component: list,
  })
  const completed = createRoute({
    getParentRoute: () => evidences,
    path: '/completed',
    loader: () => ensureCatalogue(locale, 'capture'),
    component: list,
  })
  const proofs = createRoute({
    getParentRoute: () => prefix,
    path: '/proofs',
    loader: () => ensureCatalogue(locale, 'verification'),
    component: lazyRouteComponent(() => loadChunk(() => import('./pages/Proofs.tsx')), 'Proofs'),
  })
  const keys = createRoute({
    getParentRoute: () => prefix,
    path: '/keys',
    loader: () => ensureCatalogue(locale, 'keys'),
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/sealing/web/pages/KeysPage.tsx')), 'KeysPage'),
  })
  const log = createRoute({
    getParentRoute: () => prefix,
    path: '/log',
    loader: async () => {
      await Promise.all([ensureCatalogue(locale, 'log'), ensureCatalogue(locale, 'verification')])
    },
    component: lazyRouteComponent(() => loadChunk(() => import('./pages/Log.tsx')), 'Log'),
  })
  const trustedLists = createRoute({
    getParentRoute: () => prefix,
    path: '/trusted-lists',
    loader: () => ensureCatalogue(locale, 'verification'),
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/verification/web/pages/TrustedListsPage.tsx')),
      'TrustedListsPage',
    ),
  })
  return createRouter({
    routeTree: root.addChildren([
      prefix.addChildren([
        home,
        guide,
        capture,
        evidences.addChildren([firstTab, pending, completed]),
        proofs,
        keys,
        log,
        trustedLists,
      ]),
    ]),
    trailingSlash: 'always',
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ErrorPage,
    defaultPendingMs: 1000,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
