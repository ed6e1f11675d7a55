import { Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { atRest } from '../../../../ui/shell/at-rest.ts'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { ContactForm } from '../components/ContactForm.tsx'
import type { Draft } from '../../domain/draft-faults.ts'
import styles from '../support.module.css'

const RequestBox = lazy(async () => ({
  default: (await loadChunk(() => import('../components/RequestBox.tsx'))).RequestBox,
}))

const KnownSender = lazy(async () => ({
  default: (await loadChunk(() => import('../components/KnownSender.tsx'))).KnownSender,
}))

/** What answers whether there is one weighs more than the rest of the page, and is not what anybody came for. */
const NewsletterLink = lazy(async () => {
  await atRest()
  return { default: (await loadChunk(() => import('../components/NewsletterLink.tsx'))).NewsletterLink }
})

/** R-07, L-19: whom to ask, and what was answered. */
export function SupportPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const signedIn = useSession() !== null
  const about = useAbout()
  return (
    <div className={styles['page']}>
      <header>
        <h1>{text('support.page.heading')}</h1>
        <p className={styles['lead']}>
          {text('support.page.lead')} {text(signedIn ? 'support.page.in_box' : 'support.page.by_mail')}
        </p>
      </header>
      <div className={styles['columns']}>
        <section aria-labelledby="support-write">
          <h2 id="support-write">{text('support.page.write')}</h2>
          {signedIn ? (
            <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
              <KnownSender about={about} />
            </Suspense>
          ) : (
            <ContactForm start={about} />
          )}
        </section>
        <div className={styles['aside']}>
          {signedIn ? (
            <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
              <RequestBox />
            </Suspense>
          ) : null}
          <nav aria-labelledby="support-ways">
            <h2 id="support-ways">{text('support.page.other_ways')}</h2>
            <ul className={styles['ways']}>
              <li>
                <Link to="/$locale/guide/" params={{ locale }}>
                  {text('support.page.guide')}
                </Link>
              </li>
              <li>
                <Link to="/$locale/proofs/" params={{ locale }}>
                  {text('support.page.proofs')}
                </Link>
              </li>
              <Suspense fallback={null}>
                <NewsletterLink />
              </Suspense>
            </ul>
          </nav>
        </div>
      </div>
    </div>
  )
}

/** Of whoever follows the link of an answer: what he writes about. */
function useAbout(): Partial<Draft> {
  const text = useText()
  const { searchStr } = useLocation()
  const about = new URLSearchParams(searchStr).get('about') ?? ''
  return /^[A-Z2-7]{8}$/.test(about) ? { title: text('support.page.about', { reference: about }) } : {}
}
