import '../../ui/shell/trusted-types.ts'
import '../../ui/theme/palette.css'
import '../../ui/theme/mantine.css'
import '../../ui/theme/base.css'
import '../../ui/theme/print.css'
import { RouterProvider } from '@tanstack/react-router'
import {
  lazy,
  startTransition,
  StrictMode,
  Suspense,
  useInsertionEffect,
  useLayoutEffect,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { createRoot } from 'react-dom/client'
import { isLocale, type Locale } from '../../kernel/locale.ts'
import { ApiError } from '../../ui/api/api-error.ts'
import { onSignInAsked, signInReason } from '../../ui/api/ask-to-sign-in.ts'
import { connection } from '../../ui/api/connection.ts'
import { currentSession, onSession, useSession } from '../../ui/api/session.ts'
import { anotherTask } from '../../ui/shell/another-task.ts'
import { detectLocale, rememberedLocale, rememberLocale } from '../../ui/shell/language.ts'
import { loadChunk, watchPage } from '../../ui/shell/chunk-failure.ts'
import { ConnectionBar } from '../../ui/shell/ConnectionBar.tsx'
import { Notices } from '../../ui/shell/Notices.tsx'
import { prices } from '../../ui/shell/prices.ts'
import { currentMessages, ensureCatalogue, onMessages } from './catalogues/catalogues.ts'
import { makeQueries, Providers } from './Providers.tsx'
import { comeAlive } from './come-alive.ts'
import { keepVerifier } from './offline/keep-verifier.ts'
import { findPageRoute } from './page-routes.ts'
import { makeRouter } from './router.tsx'
import { watchErrors } from './watch-errors.ts'

const first = location.pathname.split('/')[1] ?? ''
const locale: Locale = isLocale(first) ? first : detectLocale(navigator.languages, rememberedLocale())

const hearOfError = watchErrors(
  window,
  // A part that did not come is the network's, or a deployment's; its own page says so.
  (error) => !(error instanceof ApiError) && error.name !== 'AbortError' && !/dynamically imported module/i.test(error.message),
  async (error) => {
    const { reportError } = await import('./report-error.ts')
    await reportError(error, findPageRoute(location.pathname.slice(3))?.pattern ?? '/')
  },
)

/** The nonce of the page's policy, for the styles that the kit has to add while running. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

const queries = makeQueries()

/** Its words come with it. */
const SignInDialog = lazy(async () => {
  const [{ SignInDialog: dialog }] = await Promise.all([
    loadChunk(() => import('../../modules/identity/web/sign-in/SignInDialog.tsx')),
    ensureCatalogue(locale, 'identity'),
  ])
  return { default: dialog }
})

/** Claims what this browser holds, once somebody is signed in. */
const AssignHeld = lazy(async () => {
  const [{ AssignHeld: claim }] = await Promise.all([
    loadChunk(() => import('../../modules/evidence/web/held/AssignHeld.tsx')),
    ensureCatalogue(locale, 'evidence'),
  ])
  return { default: claim }
})

function WhileSignedIn(): ReactNode {
  return useSession() === null ? null : (
    <Suspense fallback={null}>
      <AssignHeld />
    </Suspense>
  )
}

const ActingBanner = lazy(async () => {
  const [{ ActingBanner: banner }] = await Promise.all([
    loadChunk(() => import('../../modules/account/web/components/ActingBanner.tsx')),
    ensureCatalogue(locale, 'account'),
  ])
  return { default: banner }
})

/** Whoever acts for somebody else sees so on every page (decision H-22). */
function WhileActing(): ReactNode {
  return (useSession()?.delegation ?? null) === null ? null : (
    <Suspense fallback={null}>
      <ActingBanner />
    </Suspense>
  )
}

/** Its words come with it. */
const MoneyDialogs = lazy(async () => {
  const [{ MoneyDialogs: dialogs }] = await Promise.all([
    loadChunk(() => import('../../modules/billing/web/dialogs/MoneyDialogs.tsx')),
    ensureCatalogue(locale, 'billing'),
  ])
  return { default: dialogs }
})

/** D-01, D-02, where something is paid for. */
function WhilePaying({ router }: { router: ReturnType<typeof makeRouter> }): ReactNode {
  const go = (_splat: string) => void router.navigate({ to: '/$locale/account/$/', params: { locale, _splat } })
  return useSession() === null || prices === null ? null : (
    <Suspense fallback={null}>
      <MoneyDialogs onGo={go} />
    </Suspense>
  )
}

/** Once asked for it stays: a dialog that closes gives the focus back. */
let signInWasAsked = false
function SignInWhereOneIs(): ReactNode {
  signInWasAsked ||= useSyncExternalStore(onSignInAsked, signInReason) !== null
  return signInWasAsked ? (
    <Suspense fallback={null}>
      <SignInDialog />
    </Suspense>
  ) : null
}

function Application(props: { router: ReturnType<typeof makeRouter> }): ReactNode {
  const messages = useSyncExternalStore(onMessages, currentMessages)
  return (
    <Providers locale={locale} messages={messages} queries={queries} nonce={nonce}>
      <ConnectionBar />
      <RouterProvider router={props.router} />
      <Notices />
      <SignInWhereOneIs />
      <WhileSignedIn />
      <WhileActing />
      <WhilePaying router={props.router} />
    </Providers>
  )
}

/** @param props.onDrawn before anything of it measures itself; it changes nothing of the application. @param props.onThere once all of it did */
function Arriving(props: { onDrawn: () => void; onThere: () => void; children: ReactNode }): ReactNode {
  const { onDrawn, onThere } = props
  useInsertionEffect(onDrawn, [onDrawn])
  // When this commit has ended, and nothing was painted yet.
  useLayoutEffect(() => queueMicrotask(onThere), [onThere])
  return props.children
}

async function start(element: HTMLElement): Promise<void> {
  // Asked for with the page they would share a slow line with the scripts; later, words would move under a hand that is there already. Without
  // them the page is painted with the faces of the machine.
  import('../../ui/theme/fonts.css').catch(() => undefined)
  document.documentElement.lang = locale
  watchPage()
  // Who installed the application has its verifier where there is no network.
  if (matchMedia('(display-mode: standalone)').matches) keepVerifier()
  window.addEventListener('offline', () => void connection.check())
  if (location.pathname === '/') history.replaceState(null, '', `/${locale}/${location.search}`)
  if (isLocale(first)) rememberLocale(first)
  // The words and the page are fetched side by side. What a telephone does in one piece it does while it answers nobody.
  await anotherTask()
  const router = makeRouter(locale, queries, { onError: hearOfError })
  await anotherTask()
  await Promise.all([ensureCatalogue(locale, 'shell'), router.load()])
  const who = () => `${currentSession()?.userId ?? ''} ${currentSession()?.delegation ?? ''}`
  let user = who()
  const follow = (): void => {
    // While he is asked to sign in again, his page stays as he left it.
    if (signInReason() !== null) return
    const now = who()
    if (now === user) return
    user = now
    // What one user was shown is not kept for the next; the page itself may now be out of reach, or within it.
    for (const query of queries.getQueryCache().getAll()) query.reset()
    // Once whoever began or ended it has said where to go next: the guard of the page that is being left has no say in that. What is shown then is
    // read anew, and nothing of a page that was left: nobody is asked to sign in for that.
    setTimeout(() => void router.invalidate().then(() => queries.refetchQueries({ type: 'active' })))
  }
  onSession(follow)
  onSignInAsked(follow)
  const { drawn, takePlace, restore } = comeAlive(element)
  // In steps, between which the page answers whoever reads it.
  startTransition(() =>
    createRoot(drawn).render(
      <StrictMode>
        <Arriving onDrawn={takePlace} onThere={restore}>
          <Application router={router} />
        </Arriving>
      </StrictMode>,
    ),
  )
}

const element = document.getElementById('root')
if (element !== null) void start(element)
