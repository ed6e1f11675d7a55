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
  /** Name of the page's help text, `help/<name>.md` under the content of each language (L-10). */
  readonly help: string | null
}

export const pageRoutes = [
  { pattern: '/', title: 'site.home.title', description: 'site.home.description', indexed: true, help: 'home' },
  {
    pattern: '/capture/:id/',
    title: 'evidence.capture.title',
    description: 'evidence.capture.description',
    indexed: false,
    help: 'capture',
  },
  {
    pattern: '/evidences/',
    title: 'evidence.list.title',
    description: 'evidence.list.description',
    indexed: false,
    help: 'evidences',
  },
  {
    pattern: '/evidences/pending/',
    title: 'evidence.list.title',
    description: 'evidence.list.description',
    indexed: false,
    help: 'evidences',
  },
  {
    pattern: '/evidences/completed/',
    title: 'evidence.list.title',
    description: 'evidence.list.description',
    indexed: false,
    help: 'evidences',
  },
  {
    pattern: '/proofs/',
    title: 'site.proofs.title',
    description: 'site.proofs.description',
    indexed: true,
    help: 'proofs',
  },
  { pattern: '/log/', title: 'site.log.title', description: 'site.log.description', indexed: true, help: null },
  { pattern: '/keys/', title: 'site.keys.title', description: 'site.keys.description', indexed: true, help: null },
  { pattern: '/trusted-lists/', title: 'site.lists.title', description: 'site.lists.description', indexed: true, help: null },
  { pattern: '/guide/', title: 'site.guide.title', description: 'site.guide.description', indexed: true, help: null },
] as const satisfies readonly PageRoute[]

/** The page of a path without its language prefix; null when there is none. A missing trailing slash is forgiven. */
export function findPageRoute(path: string): (typeof pageRoutes)[number] | null {
  const given = path.split('/').filter((segment) => segment !== '')
  return (
    pageRoutes.find(({ pattern }) => {
      const wanted = pattern.split('/').filter((segment) => segment !== '')
      return wanted.length === given.length && wanted.every((segment, i) => segment.startsWith(':') || segment === given[i])
    }) ?? null
  )
}
