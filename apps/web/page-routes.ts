/**
 * `guest`: whoever is signed in is sent to the root; `user`: whoever is not is sent to the login page, and back; `staff`
 * (whichever role) and `administrator`: to others there is no such page (decision H-20).
 */
export type PageGuard = 'open' | 'guest' | 'user' | 'staff' | 'administrator'

/**
 * Every page of the web application, as pure data: the client's router, the server (which must answer 404 for all else, and
 * puts the title and description of R-28 into the page) and the accessibility tests read the same list.
 */
export type PageRoute = {
  /** Path after the language prefix, with a trailing slash; `:name` stands for one segment. */
  readonly pattern: string
  /** Message ids. */
  readonly title: string
  readonly description: string
  /** Whether search engines may list it: never what belongs to one visitor. */
  readonly indexed: boolean
  /** Who may see it; `open` unless told (R-20…R-24, decision H-01). */
  readonly guard?: PageGuard
  /** It is about what is paid: where nothing is paid for, there is no such page. */
  readonly money?: true
  /** Name of the page's help text, `help/<name>.md` under the content of each language (L-10). */
  readonly help: string | null
}

/** The pages of signing in, under both of their entries (R-09… …R-19): search engines list none of them. */
const authenticationPages = ['/authentication/', '/old-authentication/'].flatMap((entry) =>
  (
    [
      ['', 'login', 'guest'],
      ['login/', 'login', 'guest'],
      ['registration/', 'registration', 'guest'],
      ['forgot-password/', 'forgot', 'guest'],
      ['confirm-email/', 'confirm', 'open'],
      ['confirm-email/:slug/', 'confirm', 'open'],
      ['reset-password/', 'reset', 'open'],
      ['reset-password/:uid/', 'reset', 'open'],
      ['reset-password/:uid/:token/', 'reset', 'open'],
    ] as const
  ).map(
    ([path, page, guard]) =>
      ({
        pattern: `${entry}${path}`,
        title: `ui.page.${page}`,
        description: 'ui.page.authentication.description',
        indexed: false,
        guard,
        help: null,
      }) as const,
  ),
)

/** Each by its own name; `slug` as its words are called. */
const accountPage = <const Slug extends string>(path: string, slug: Slug) =>
  ({
    pattern: `/account/${path}`,
    title: `ui.page.account.${slug}`,
    description: `ui.page.account.${slug}.description`,
    indexed: false,
    guard: 'user',
    help: path === 'api-keys/' ? 'scripts' : path === 'identity/' ? 'identity' : null,
  }) as const

const accountPages = [
  { ...accountPage('', 'profile'), title: 'ui.page.account', description: 'ui.page.account.description' } as const,
  accountPage('profile/', 'profile'),
  accountPage('bank/', 'bank'),
  accountPage('users/', 'users'),
  accountPage('delegations/', 'delegations'),
  accountPage('security/', 'security'),
  accountPage('activity/', 'activity'),
  accountPage('api-keys/', 'api_keys'),
  accountPage('emails/', 'emails'),
  accountPage('settings/', 'settings'),
  accountPage('delete/', 'delete'),
  accountPage('identity/', 'identity'),
]

/** what the account pays, and what it paid. */
const moneyPages = [
  accountPage('subscription/', 'subscription'),
  accountPage('invoice/', 'invoice'),
  accountPage('invoice/:id/', 'invoice'),
  accountPage('payment-methods/', 'payment_methods'),
  accountPage('licenses/', 'licenses'),
  accountPage('licenses/:id/', 'licenses'),
  accountPage('payout/', 'payout'),
  accountPage('payout/:id/', 'payout'),
  accountPage('referral/', 'referral'),
].map((page) => ({ ...page, money: true }) as const)

/** sales are listed nowhere, what a sale is may be; and where the code on a licence leads. */
const salePages = [
  ...(['/sale/', '/sale/:token/'] as const).map(
    (pattern) =>
      ({
        pattern,
        title: 'ui.page.sale',
        description: 'ui.page.sale.description',
        indexed: pattern === '/sale/',
        money: true,
        help: 'sale',
      }) as const,
  ),
  {
    pattern: '/licence/:code/',
    title: 'ui.page.licence',
    description: 'ui.page.licence.description',
    indexed: false,
    money: true,
    help: 'sale',
  },
] as const

/** Where the provider's pages lead back to, and what all plans cost. */
const pricePages = [
  {
    pattern: '/payment/return/',
    title: 'ui.page.payment',
    description: 'ui.page.account.description',
    indexed: false,
    guard: 'user',
    money: true,
    help: null,
  },
  {
    pattern: '/plans/',
    title: 'ui.page.plans',
    description: 'ui.page.plans.description',
    indexed: true,
    money: true,
    help: null,
  },
] as const

/** R-14, decision H-03. */
const documentPages = (
  [
    ['', 'documents'],
    ['pending/', 'documents.pending'],
    ['completed/', 'documents.completed'],
    ['trash/', 'documents.trash'],
    ['deposit/:id/', 'documents'],
  ] as const
).map(
  ([path, name]) =>
    ({
      pattern: `/documents/${path}`,
      title: `ui.page.${name}`,
      description: `ui.page.${name}.description`,
      indexed: false,
      guard: 'user',
      help: 'documents',
    }) as const,
)

/** A deposit that its owner shares with whoever has the address. */
const sharedPage = {
  pattern: '/shared/:token/',
  title: 'ui.page.shared',
  description: 'ui.page.documents.description',
  indexed: false,
  help: null,
} as const

/** H-20: the queue, and one file of it. */
const staffPages = ['/admin/users/', '/admin/users/:id/'].map(
  (pattern) =>
    ({
      pattern,
      title: 'ui.page.users',
      description: 'ui.page.users.description',
      indexed: false,
      guard: 'staff',
      help: 'users',
    }) as const,
)

/** R-07, L-19. */
const supportPages = [
  {
    pattern: '/support/',
    title: 'ui.page.support',
    description: 'ui.page.support.description',
    indexed: true,
    help: null,
  },
  {
    pattern: '/support/newsletter/',
    title: 'ui.page.newsletter',
    description: 'ui.page.support.description',
    indexed: false,
    help: null,
  },
  {
    pattern: '/support/requests/:id/',
    title: 'ui.page.support',
    description: 'ui.page.support.description',
    indexed: false,
    guard: 'user',
    help: null,
  },
] as const

/** H-19, K-27: texts that an operator may replace. */
const legalPages = (['terms', 'privacy', 'notices', 'cookies', 'withdrawal'] as const).map(
  (page) =>
    ({
      pattern: `/legal/${page}/`,
      title: `ui.page.legal.${page}`,
      description: `ui.page.legal.${page}.description`,
      indexed: true,
      help: null,
    }) as const,
)

/** H-20, L-19: the queue of support, and one request. */
const supportQueuePages = ['/admin/support/', '/admin/support/:id/'].map(
  (pattern) =>
    ({
      pattern,
      title: 'ui.page.support_queue',
      description: 'ui.page.support.description',
      indexed: false,
      guard: 'staff',
      help: null,
    }) as const,
)

/** H-20: the record of acts. */
const actsPage = {
  pattern: '/admin/acts/',
  title: 'ui.page.acts',
  description: 'ui.page.acts.description',
  indexed: false,
  guard: 'administrator',
  help: null,
} as const

/** H-17: capture servers, and to whom they are dedicated. */
const serversPage = {
  pattern: '/admin/servers/',
  title: 'ui.page.servers',
  description: 'ui.page.servers.description',
  indexed: false,
  guard: 'administrator',
  help: 'servers',
} as const

/** H-20, S-20: what accounts are paid out, and what became of what the operator pays by hand. */
const payoutsPage = {
  pattern: '/admin/payouts/',
  title: 'ui.page.payouts',
  description: 'ui.page.payouts.description',
  indexed: false,
  guard: 'administrator',
  money: true,
  help: null,
} as const

const payoutPage = { ...payoutsPage, pattern: '/admin/payouts/:id/' } as const

/** H-20: what is paid, by whom, and what is done about it. */
const billingDesks = ['', 'customers/', 'customers/:id/', 'invoices/', 'failed/', 'plans/', 'invariants/'].map(
  (path) =>
    ({
      pattern: `/admin/billing/${path}`,
      title: 'ui.page.billing',
      description: 'ui.page.billing.description',
      indexed: false,
      guard: 'administrator',
      money: true,
      help: null,
    }) as const,
)

/** Where links of mails lead, besides those of signing in. */
const mailedPages = ['keep-account/', 'invitation/', 'notifications/', 'account-closed/'].map(
  (path) =>
    ({
      pattern: `/by-mail/${path}`,
      title: 'ui.page.account',
      description: 'ui.page.account.description',
      indexed: false,
      help: null,
    }) as const,
)

export const pageRoutes = [
  { pattern: '/', title: 'site.home.title', description: 'site.home.description', indexed: true, help: 'home' },
  // without an id, where a capture is asked for.
  ...['/capture/', '/capture/:id/'].map(
    (pattern) =>
      ({
        pattern,
        title: 'ui.page.capture',
        description: 'ui.page.capture.description',
        indexed: false,
        help: 'capture',
      }) as const,
  ),
  {
    pattern: '/capture/:id/dispute/',
    title: 'ui.page.dispute',
    description: 'ui.page.dispute.description',
    indexed: false,
    guard: 'user',
    help: 'evidences',
  },
  {
    pattern: '/evidences/',
    title: 'ui.page.evidences',
    description: 'ui.page.evidences.description',
    indexed: false,
    help: 'evidences',
  },
  {
    pattern: '/evidences/pending/',
    title: 'ui.page.evidences.pending',
    description: 'ui.page.evidences.pending.description',
    indexed: false,
    help: 'evidences',
  },
  {
    pattern: '/evidences/completed/',
    title: 'ui.page.evidences.completed',
    description: 'ui.page.evidences.completed.description',
    indexed: false,
    help: 'evidences',
  },
  {
    pattern: '/evidences/licenses/',
    title: 'ui.page.evidences.licenses',
    description: 'ui.page.evidences.licenses.description',
    indexed: false,
    guard: 'user',
    money: true,
    help: 'sale',
  },
  {
    pattern: '/evidences/trash/',
    title: 'ui.page.evidences.trash',
    description: 'ui.page.evidences.trash.description',
    indexed: false,
    guard: 'user',
    help: 'evidences',
  },
  {
    pattern: '/proofs/',
    title: 'ui.page.proofs',
    description: 'ui.page.proofs.description',
    indexed: true,
    help: 'proofs',
  },
  { pattern: '/date/', title: 'ui.page.date', description: 'ui.page.date.description', indexed: true, help: 'documents' },
  { pattern: '/sample/', title: 'ui.page.sample', description: 'ui.page.sample.description', indexed: true, help: 'proofs' },
  { pattern: '/log/', title: 'ui.page.log', description: 'ui.page.log.description', indexed: true, help: null },
  { pattern: '/keys/', title: 'ui.page.keys', description: 'ui.page.keys.description', indexed: true, help: null },
  { pattern: '/trusted-lists/', title: 'ui.page.lists', description: 'ui.page.lists.description', indexed: true, help: null },
  { pattern: '/status/', title: 'ui.page.status', description: 'ui.page.status.description', indexed: true, help: null },
  { pattern: '/guide/', title: 'ui.page.guide', description: 'ui.page.guide.description', indexed: true, help: null },
  ...supportPages,
  ...legalPages,
  ...authenticationPages,
  ...authenticationPages.slice(0, 1).map((page) => ({ ...page, pattern: '/login/' as const })),
  ...accountPages,
  ...moneyPages,
  ...pricePages,
  ...salePages,
  ...documentPages,
  sharedPage,
  ...staffPages,
  ...supportQueuePages,
  actsPage,
  serversPage,
  payoutsPage,
  payoutPage,
  ...billingDesks,
  ...mailedPages,
] as const satisfies readonly PageRoute[]

/** Those of an installation: of money there are only some where something is paid for. */
const isThere = (page: PageRoute, paid: boolean): boolean => paid || page.money !== true

/** Those that the server says exist. Of staff's it says to everybody that they do not: it cannot tell who asks for a page. */
export const announcedPages = (paid: boolean): readonly PageRoute[] =>
  pageRoutes.filter((page: PageRoute) => page.guard !== 'staff' && page.guard !== 'administrator' && isThere(page, paid))

/** The page of a path without its language prefix; null when there is none. A missing trailing slash is forgiven. */
export function findPageRoute(path: string, paid = true): (typeof pageRoutes)[number] | null {
  const given = path.split('/').filter((segment) => segment !== '')
  return (
    pageRoutes.find((page) => {
      const { pattern } = page
      if (!isThere(page, paid)) return false
      const wanted = pattern.split('/').filter((segment) => segment !== '')
      return wanted.length === given.length && wanted.every((segment, i) => segment.startsWith(':') || segment === given[i])
    }) ?? null
  )
}

/** H-41: where services of others may be, once a visitor agreed: help, support and legal texts. Nowhere is anything captured, deposited, bought or managed there. */
export const mayHaveServices = (pattern: string): boolean =>
  pattern === '/guide/' || pattern === '/support/' || pattern === '/support/newsletter/' || pattern.startsWith('/legal/')
