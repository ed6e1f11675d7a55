/** A page that is sent as HTML, readable before any script has come, and alive once it has (decision 0395). */
export type WrittenPage = {
  /** After the language prefix. */
  readonly path: string
  /** What it needs beside the application's own: the files whose style sheets and scripts it is made with, `*` for its language. */
  readonly sources: readonly string[]
  /** What the server may know when it is asked for: it is drawn with the marks of that, too. */
  readonly facts?: 'sample' | 'status'
  /** The text of `/_content/` that it shows. */
  readonly text?: string
}

const module = (path: string) => `../../modules/${path}`
const pages = '../../ui/messages/pages.*.json'
const verifier = module('verification/messages/page.*.json')

const legalPages = (['terms', 'privacy', 'notices', 'cookies', 'withdrawal'] as const).map((name) => ({
  path: `/legal/${name}/`,
  sources: [pages, module('site/web/pages/LegalPage.tsx'), module('outside/messages/*.json')],
  text: `legal/${name}`,
}))

export const writtenPages: readonly WrittenPage[] = [
  { path: '/', sources: ['pages/Home.tsx', 'catalogues/*/home.ts'] },
  { path: '/proofs/', sources: [pages, 'pages/Proofs.tsx', verifier] },
  {
    path: '/status/',
    sources: [pages, module('site/web/pages/StatusPage.tsx'), module('site/messages/status.*.json')],
    facts: 'status',
  },
  { path: '/guide/', sources: [pages, module('site/web/pages/GuidePage.tsx')], text: 'guide' },
  { path: '/plans/', sources: [pages, module('billing/web/pages/PlansPage.tsx'), module('billing/messages/pages.*.json')] },
  {
    path: '/sample/',
    sources: [pages, module('sample/web/pages/SamplePage.tsx'), module('sample/messages/page.*.json')],
    facts: 'sample',
  },
  { path: '/date/', sources: [pages, module('document/web/pages/DatePage.tsx'), module('document/messages/dating.*.json')] },
  { path: '/support/', sources: [pages, module('support/web/pages/SupportPages.tsx'), 'catalogues/*/support.ts'] },
  { path: '/log/', sources: [pages, 'pages/Log.tsx', verifier, module('sealing/messages/log.*.json')] },
  { path: '/keys/', sources: [pages, module('sealing/web/pages/KeysPage.tsx'), module('sealing/messages/keys.*.json')] },
  {
    path: '/trusted-lists/',
    sources: [pages, module('verification/web/pages/TrustedListsPage.tsx'), verifier],
  },
  { path: '/sale/', sources: [pages, module('licensing/web/pages/FindSalePage.tsx'), 'catalogues/*/licensing.ts'] },
  {
    path: '/authentication/login/',
    sources: [pages, module('identity/web/pages/AuthenticationPages.tsx'), module('identity/messages/login.*.json')],
  },
  ...legalPages,
]
