import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { LoginForm } from '../sign-in/LoginForm.tsx'
import { OtherPage, type Entry } from '../frame/OtherPage.tsx'
import { Panel } from '../frame/Panel.tsx'
import { useSignedIn } from '../use-signed-in.ts'
import styles from '../identity.module.css'

/** Signing in is what most come for: each of the others is a chunk of its own. */
const RegistrationForm = lazy(async () => ({
  default: (await loadChunk(() => import('../sign-in/RegistrationForm.tsx'))).RegistrationForm,
}))
const ConfirmEmailPage = lazy(async () => ({
  default: (await loadChunk(() => import('./ConfirmEmailPage.tsx'))).ConfirmEmailPage,
}))
const ForgotPasswordPage = lazy(async () => ({
  default: (await loadChunk(() => import('./ForgotPasswordPage.tsx'))).ForgotPasswordPage,
}))
const ResetPasswordPage = lazy(async () => ({
  default: (await loadChunk(() => import('./ResetPasswordPage.tsx'))).ResetPasswordPage,
}))

const entries = {
  own: { brand: null, path: '/$locale/authentication/$/' },
  partner: { brand: 'partner', path: '/$locale/old-authentication/$/' },
} as const satisfies Record<string, Entry>

/** R-09…R-11. */
export function AuthenticationPages(): ReactNode {
  return <Loaded entry={entries.own} />
}

/** R-16…R-19, decision H-07: the same pages by the partner's door. */
export function PartnerAuthenticationPages(): ReactNode {
  return <Loaded entry={entries.partner} />
}

function Loaded(props: { entry: Entry }): ReactNode {
  const text = useText()
  return (
    <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
      <Page entry={props.entry} />
    </Suspense>
  )
}

function Page(props: { entry: Entry }): ReactNode {
  const { _splat = '' } = useParams({ strict: false })
  const [name = '', first, second] = _splat.split('/').filter((part) => part !== '')
  const { entry } = props
  switch (name) {
    case 'registration':
      return <RegistrationPage entry={entry} />
    case 'forgot-password':
      return <ForgotPasswordPage entry={entry} />
    case 'confirm-email':
      return <ConfirmEmailPage key={first} entry={entry} linkKey={first} />
    case 'reset-password':
      return <ResetPasswordPage entry={entry} uid={first} token={second} />
    default:
      return <LoginPage entry={entry} />
  }
}

/** */
function LoginPage(props: { entry: Entry }): ReactNode {
  const text = useText()
  const onSignedIn = useSignedIn()
  return (
    <Panel title={text('identity.page.login.title')} brand={props.entry.brand}>
      <LoginForm
        brand={props.entry.brand}
        onSignedIn={onSignedIn}
        below={
          <nav className={styles['links']} aria-label={text('identity.page.other')}>
            <OtherPage entry={props.entry} page="registration" label="identity.page.to_registration" />
            <OtherPage entry={props.entry} page="forgot-password" label="identity.page.to_forgot" />
          </nav>
        }
      />
    </Panel>
  )
}

function RegistrationPage(props: { entry: Entry }): ReactNode {
  const text = useText()
  const search: { referral?: unknown; invitation?: unknown } = useSearch({ strict: false })
  const onSignedIn = useSignedIn()
  const given = (value: unknown) =>
    (typeof value === 'string' || typeof value === 'number') && String(value) !== '' ? String(value).slice(0, 200) : undefined
  return (
    <Panel title={text('identity.page.registration.title')} brand={props.entry.brand}>
      <RegistrationForm
        brand={props.entry.brand}
        referral={given(search.referral)?.slice(0, 60)}
        invitation={given(search.invitation)}
        onSignedIn={onSignedIn}
        below={
          <nav className={styles['links']} aria-label={text('identity.page.other')}>
            <OtherPage entry={props.entry} page="login" label="identity.page.to_login" />
          </nav>
        }
      />
    </Panel>
  )
}
