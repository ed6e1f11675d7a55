import type { PageGuard, PageRoute } from './page-routes.ts'

type Verdict = 'enter' | 'to_root' | 'to_login' | 'not_found'

/**
 * Of an administrator's page the browser knows only that nobody without a session may see it: whether he is one is told by the
 * calls of the page, which to anyone else do not exist.
 */
const verdicts: Readonly<Record<PageGuard, { guest: Verdict; signedIn: Verdict }>> = {
  open: { guest: 'enter', signedIn: 'enter' },
  guest: { guest: 'enter', signedIn: 'to_root' },
  user: { guest: 'to_login', signedIn: 'enter' },
  administrator: { guest: 'not_found', signedIn: 'enter' },
}

/** shown as 500, in the specification's own words. */
export class UnknownMiddleware extends Error {
  override readonly name = 'UnknownMiddleware'
  readonly statusCode = 500
  constructor() {
    super('Unknown middleware')
  }
}

/** R-20…R-24. What is no page at all is for the router to say. @throws UnknownMiddleware for a guard that does not exist */
export function guardPage(page: { readonly guard?: PageGuard } | PageRoute | null, signedIn: boolean): Verdict {
  const guard = page?.guard ?? 'open'
  if (!Object.hasOwn(verdicts, guard)) throw new UnknownMiddleware()
  return verdicts[guard][signedIn ? 'signedIn' : 'guest']
}
