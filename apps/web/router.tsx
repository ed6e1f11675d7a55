import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { isLocale, type Locale } from '../../kernel/locale.ts'
import { currentSession } from '../../ui/api/session.ts'
import { contentQuery } from '../../ui/markdown/content-query.ts'
import { loadChunk } from '../../ui/shell/chunk-failure.ts'
import { ErrorPage, NotFoundPage } from '../../ui/shell/ErrorPages.tsx'
import { ensureCatalogue, type Part } from './catalogues/catalogues.ts'
import { guardPage, isForRoles } from './guard-page.ts'
import { prices } from '../../ui/shell/prices.ts'
import { findPageRoute } from './page-routes.ts'
import { Shell } from './Shell.tsx'

const pageOf = (pathname: string) => findPageRoute(pathname.slice(3), prices !== null)

/**
 * The route tree. Each page is a chunk of its own; page-routes.ts lists the same patterns for the server.
 * @param queries texts come with the pages that are made of them: nothing moves once such a page is there
 * @param history where no browser keeps one
 * @param onError hears of what a page breaks with
 */
export function makeRouter(
  locale: Locale,
  queries: QueryClient,
  { history, onError }: { readonly history?: RouterHistory; readonly onError?: (error: unknown) => void } = {},
) {
  /** One that cannot be read is asked for again by its page, which says so. */
  const readText = async (path: string): Promise<void> => {
    await queries.prefetchQuery(contentQuery(locale, path))
  }
  const root = createRootRoute({ component: Shell })
  const prefix = createRoute({
    getParentRoute: () => root,
    path: '$locale',
    beforeLoad: async ({ params, location }) => {
      if (!isLocale(params.locale)) throw notFound()
      const page = pageOf(location.pathname)
      await ensureCatalogue(locale, page?.pattern === '/' ? 'home' : 'pages')
      switch (guardPage(page, currentSession() !== null)) {
        case 'to_root':
          throw redirect({ to: '/$locale/', params: { locale }, replace: true })
        case 'to_login':
          throw redirect({
            to: '/$locale/authentication/$/',
            params: { locale, _splat: 'login' },
            search: { redirect: location.href },
            replace: true,
          })
        case 'not_found':
          throw notFound()
        case 'ask_roles': {
          const { lacksSecondFactor, staffRolesHere } = await loadChunk(() => import('./staff-roles.ts'))
          const roles = await staffRolesHere()
          // What staff may do does not exist before it: its page would be there, and every call of it refused.
          if (roles.length > 0 && (await lacksSecondFactor()))
            throw redirect({
              to: '/$locale/account/$/',
              params: { locale, _splat: 'security' },
              search: { redirect: location.href },
              replace: true,
            })
          if (!isForRoles(page, roles)) throw notFound()
          break
        }
        case 'enter':
      }
    },
  })
  /** Several pages under one address; page-routes.ts says which exist. */
  const several = <const Path extends string>(
    path: Path,
    parts: readonly Part[] | ((pathname: string) => readonly Part[]),
    page: () => ReturnType<typeof lazyRouteComponent>,
  ) =>
    createRoute({
      getParentRoute: () => prefix,
      path,
      beforeLoad: ({ location }) => {
        if (pageOf(location.pathname) === null) throw notFound()
      },
      loader: async ({ location }) => {
        const wanted = typeof parts === 'function' ? parts(location.pathname) : parts
        await Promise.all(wanted.map((part) => ensureCatalogue(locale, part)))
      },
      component: page(),
    })
  const home = createRoute({
    getParentRoute: () => prefix,
    path: '/',
    component: lazyRouteComponent(() => loadChunk(() => import('./pages/Home.tsx')), 'Home'),
  })
  const guide = createRoute({
    getParentRoute: () => prefix,
    path: '/guide',
    loader: () => readText('guide'),
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/site/web/pages/GuidePage.tsx')), 'GuidePage'),
  })
  const capture = createRoute({
    getParentRoute: () => prefix,
    path: '/capture/$id',
    loader: async () => {
      const words = [
        'evidence',
        'capture',
        'live',
        'review',
        ...(prices === null ? [] : (['billing', 'account'] as const)),
      ] as const
      await Promise.all(words.map((part) => ensureCatalogue(locale, part)))
    },
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/evidence/web/pages/CapturePage.tsx')),
      'CapturePage',
    ),
  })
  const dispute = createRoute({
    getParentRoute: () => prefix,
    path: '/capture/$id/dispute',
    loader: () => ensureCatalogue(locale, 'dispute'),
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/dispute/web/DisputePage.tsx')), 'DisputePage'),
  })
  const noCapture = createRoute({
    getParentRoute: () => prefix,
    path: '/capture/',
    beforeLoad: () => {
      throw redirect({ to: '/$locale/', params: { locale }, replace: true })
    },
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
  const listWords = async (): Promise<void> => {
    await Promise.all((['evidence', 'capture'] as const).map((part) => ensureCatalogue(locale, part)))
  }
  const list = lazyRouteComponent(
    () => loadChunk(() => import('../../modules/evidence/web/pages/EvidencesPage.tsx')),
    'EvidencesPage',
  )
  const pending = createRoute({
    getParentRoute: () => evidences,
    path: '/pending',
    loader: listWords,
    component: list,
  })
  const completed = createRoute({
    getParentRoute: () => evidences,
    path: '/completed',
    loader: listWords,
    component: list,
  })
  const trash = createRoute({
    getParentRoute: () => evidences,
    path: '/trash',
    loader: listWords,
    component: list,
  })
  const licenses = createRoute({
    getParentRoute: () => evidences,
    path: '/licenses',
    beforeLoad: () => {
      if (prices === null) throw notFound()
    },
    loader: async () => {
      await Promise.all((['evidence', 'licensing'] as const).map((part) => ensureCatalogue(locale, part)))
    },
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/licensing/web/pages/LicensesPage.tsx')),
      'LicensesPage',
    ),
  })
  const depositWords = async (): Promise<void> => {
    const words = ['deposits', ...(prices === null ? [] : (['billing', 'account'] as const))] as const
    await Promise.all(words.map((part) => ensureCatalogue(locale, part)))
  }
  const documents = createRoute({ getParentRoute: () => prefix, path: '/documents' })
  const firstDocuments = createRoute({
    getParentRoute: () => documents,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/$locale/documents/pending/', params: { locale }, replace: true })
    },
  })
  const documentsPage = lazyRouteComponent(
    () => loadChunk(() => import('../../modules/document/web/pages/DocumentsPage.tsx')),
    'DocumentsPage',
  )
  const documentLists = (['pending', 'completed', 'trash'] as const).map((category) =>
    createRoute({ getParentRoute: () => documents, path: `/${category}`, loader: depositWords, component: documentsPage }),
  )
  const deposit = createRoute({
    getParentRoute: () => documents,
    path: '/deposit/$id',
    loader: depositWords,
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/document/web/pages/DepositPage.tsx')),
      'DepositPage',
    ),
  })
  const date = createRoute({
    getParentRoute: () => prefix,
    path: '/date',
    loader: () => ensureCatalogue(locale, 'dating'),
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/document/web/pages/DatePage.tsx')), 'DatePage'),
  })
  const shared = createRoute({
    getParentRoute: () => prefix,
    path: '/shared/$token',
    loader: depositWords,
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/document/web/pages/SharedDepositPage.tsx')),
      'SharedDepositPage',
    ),
  })
  const proofs = createRoute({
    getParentRoute: () => prefix,
    path: '/proofs',
    loader: () => ensureCatalogue(locale, 'verifier'),
    component: lazyRouteComponent(() => loadChunk(() => import('./pages/Proofs.tsx')), 'Proofs'),
  })
  const sample = createRoute({
    getParentRoute: () => prefix,
    path: '/sample',
    loader: () => ensureCatalogue(locale, 'sample'),
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/sample/web/pages/SamplePage.tsx')), 'SamplePage'),
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
      await Promise.all([ensureCatalogue(locale, 'log'), ensureCatalogue(locale, 'verifier')])
    },
    component: lazyRouteComponent(() => loadChunk(() => import('./pages/Log.tsx')), 'Log'),
  })
  const status = createRoute({
    getParentRoute: () => prefix,
    path: '/status',
    loader: () => ensureCatalogue(locale, 'status'),
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/site/web/pages/StatusPage.tsx')), 'StatusPage'),
  })
  const trustedLists = createRoute({
    getParentRoute: () => prefix,
    path: '/trusted-lists',
    loader: () => ensureCatalogue(locale, 'verifier'),
    component: lazyRouteComponent(
      () => loadChunk(() => import('../../modules/verification/web/pages/TrustedListsPage.tsx')),
      'TrustedListsPage',
    ),
  })
  const ownDoor = () =>
    lazyRouteComponent(
      () => loadChunk(() => import('../../modules/identity/web/pages/AuthenticationPages.tsx')),
      'AuthenticationPages',
    )
  const partnerDoor = () =>
    lazyRouteComponent(
      () => loadChunk(() => import('../../modules/identity/web/pages/AuthenticationPages.tsx')),
      'PartnerAuthenticationPages',
    )
  // The words of signing in are fewer than those of all that comes before and after it.
  const entryWords = (pathname: string): readonly Part[] =>
    /\/(?:(?:old-)?authentication|login)\/?$/.test(pathname) ? ['login'] : ['identity']
  const authentication = several('/authentication/$', entryWords, ownDoor)
  const partnerAuthentication = several('/old-authentication/$', entryWords, partnerDoor)
  const partnerLogin = several('/login', entryWords, partnerDoor)
  const accountWords: readonly Part[] = [
    'identity',
    'account',
    'documents',
    ...(prices === null ? [] : (['billing', 'licensing', 'earnings'] as const)),
  ]
  const account = several('/account/$', accountWords, () =>
    lazyRouteComponent(() => loadChunk(() => import('./pages/Account.tsx')), 'Account'),
  )
  const support = several('/support/$', ['support'], () =>
    lazyRouteComponent(() => loadChunk(() => import('../../modules/support/web/pages/SupportPages.tsx')), 'SupportPages'),
  )
  const legal = createRoute({
    getParentRoute: () => prefix,
    path: '/legal/$',
    beforeLoad: ({ location }) => {
      if (pageOf(location.pathname) === null) throw notFound()
    },
    loader: async ({ params }) => {
      await Promise.all([ensureCatalogue(locale, 'outside'), readText(`legal/${params._splat?.replace(/\/$/, '') ?? ''}`)])
    },
    component: lazyRouteComponent(() => loadChunk(() => import('../../modules/site/web/pages/LegalPage.tsx')), 'LegalPage'),
  })
  const administrationWords = (pathname: string): readonly Part[] =>
    pathname.includes('/admin/billing')
      ? ['documents', 'billing-admin']
      : pathname.includes('/admin/payouts')
        ? ['documents', 'earnings']
        : /\/admin\/s(?:ervers|upport)/.test(pathname)
          ? ['documents', 'servers', 'support']
          : ['identity', 'account', 'documents']
  const administration = several('/admin/$', administrationWords, () =>
    lazyRouteComponent(() => loadChunk(() => import('./pages/Administration.tsx')), 'Administration'),
  )
  const byMail = several('/by-mail/$', ['account'], () =>
    lazyRouteComponent(() => loadChunk(() => import('../../modules/account/web/pages/MailedLinkPages.tsx')), 'MailedLinkPages'),
  )
  const plans = several('/plans', ['plans'], () =>
    lazyRouteComponent(() => loadChunk(() => import('../../modules/billing/web/pages/PlansPage.tsx')), 'PlansPage'),
  )
  const saleWords = ['licensing', 'identity', 'account', 'billing'] as const
  const salePages = () => loadChunk(() => import('./pages/Sale.tsx'))
  const findSale = several('/sale/', ['licensing'], () =>
    lazyRouteComponent(() => loadChunk(() => import('../../modules/licensing/web/pages/FindSalePage.tsx')), 'FindSalePage'),
  )
  const sale = several('/sale/$token', saleWords, () => lazyRouteComponent(salePages, 'Sale'))
  const verifyLicense = several('/licence/$code', ['licensing'], () => lazyRouteComponent(salePages, 'VerifyLicensePage'))
  const paid = several('/payment/return', ['billing'], () =>
    lazyRouteComponent(
      () => loadChunk(() => import('../../modules/billing/web/pages/PaymentReturnPage.tsx')),
      'PaymentReturnPage',
    ),
  )
  const askAgain = (): void => void router.invalidate()
  const router = createRouter({
    routeTree: root.addChildren([
      prefix.addChildren([
        home,
        guide,
        noCapture,
        capture,
        dispute,
        evidences.addChildren([firstTab, pending, completed, licenses, trash]),
        documents.addChildren([firstDocuments, ...documentLists, deposit]),
        date,
        shared,
        proofs,
        sample,
        keys,
        log,
        status,
        trustedLists,
        authentication,
        partnerAuthentication,
        partnerLogin,
        account,
        administration,
        support,
        legal,
        byMail,
        plans,
        paid,
        findSale,
        sale,
        verifyLicense,
      ]),
    ]),
    trailingSlash: 'always',
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ({ error }) => createElement(ErrorPage, { error, onBack: askAgain }),
    defaultPendingMs: 1000,
    scrollRestoration: history === undefined,
    ...(history === undefined ? {} : { history }),
    ...(onError === undefined ? {} : { defaultOnCatch: onError }),
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
