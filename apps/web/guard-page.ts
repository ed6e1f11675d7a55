import type { StaffRole } from '../../kernel/actor.ts'
import type { PageGuard, PageRoute } from './page-routes.ts'

type Verdict = 'enter' | 'to_root' | 'to_login' | 'not_found' | 'ask_roles'

/** Of a page of staff the browser knows only that nobody without a session may see it: whose session it is must be asked. */
const verdicts: Readonly<Record<PageGuard, { guest: Verdict; signedIn: Verdict }>> = {
  open: { guest: 'enter', signedIn: 'enter' },
  guest: { guest: 'enter', signedIn: 'to_root' },
  user: { guest: 'to_login', signedIn: 'enter' },
  staff: { guest: 'not_found', signedIn: 'ask_roles' },
  administrator: { guest: 'not_found', signedIn: 'ask_roles' },
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

/** H-20: whether somebody with these roles is shown the page. What it shows is for its calls to refuse, which to others do not exist. */
export function isForRoles(page: { readonly guard?: PageGuard } | PageRoute | null, roles: readonly StaffRole[]): boolean {
  return page?.guard === 'administrator' ? roles.includes('administrator') : roles.length > 0
}
