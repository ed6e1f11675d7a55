import { Button } from '@mantine/core'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { answerSignIn, onSignInAsked, signInDraft, signInReason } from '../../../../ui/api/ask-to-sign-in.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import styles from '../identity.module.css'
import { LoginForm } from './LoginForm.tsx'
import { ProveAgain } from './ProveAgain.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'

/** D-04, H-13: signing in, or creating the account, without leaving the page and what is on it. */
export function SignInDialog(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const reason = useSyncExternalStore(onSignInAsked, signInReason)
  const draft = useSyncExternalStore(onSignInAsked, signInDraft)
  const [registering, setRegistering] = useState(false)
  const title = reason === 'prove' ? 'prove' : registering ? 'registration' : 'login'
  const onSignedIn = (name: string) => {
    notify('success', text('identity.page.login.notice', { name }), text('ui.notice.dismiss'))
    setRegistering(false)
    answerSignIn(true)
  }
  return (
    <Dialog
      open={reason !== null}
      title={text(`identity.page.${title}.title`)}
      onClose={() => {
        setRegistering(false)
        if (signInReason() !== null) answerSignIn(false)
      }}
    >
      <div className={styles['inDialog']}>
        {reason === null ? null : <p>{text(`identity.page.dialog.${reason}`)}</p>}
        {reason === 'prove' ? (
          <ProveAgain onProven={() => answerSignIn(true)} onBack={() => answerSignIn(false)} />
        ) : registering ? (
          <RegistrationForm
            brand={null}
            draft={draft}
            onSignedIn={onSignedIn}
            below={
              <button type="button" className={styles['link']} onClick={() => setRegistering(false)}>
                {text('identity.page.to_login')}
              </button>
            }
          />
        ) : (
          <LoginForm
            brand={null}
            onSignedIn={onSignedIn}
            below={
              <>
                {/* Who is asked here has often none yet. */}
                <Button variant="default" size="md" fullWidth onClick={() => setRegistering(true)}>
                  {text('identity.page.to_registration')}
                </Button>
                <div className={styles['links']}>
                  {/* In a tab of its own: this page waits as it is. */}
                  <a href={`/${locale}/authentication/forgot-password/`} target="_blank" rel="noreferrer">
                    {text('identity.page.to_forgot')}
                    <span className="visually-hidden"> {text('ui.new_tab')}</span>
                  </a>
                </div>
              </>
            }
          />
        )}
      </div>
    </Dialog>
  )
}
