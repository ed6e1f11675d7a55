import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { actFor } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { prices } from '../../../../ui/shell/prices.ts'
import { signOut } from '../sign-in.ts'
import { currentUserQuery } from '../../../account/web/index.ts'
import { receivedQuery } from '../queries.ts'
import styles from './account-menu.module.css'

/** L-11, L-14: who is signed in, the way to the account and the way out. */
export function AccountMenu(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const router = useRouter()
  const user = useQuery(currentUserQuery)
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const list = useId()
  useEffect(() => {
    if (!open) return undefined
    const leave = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !box.current?.contains(event.target as Node)) setOpen(false)
      if (event instanceof KeyboardEvent && event.key === 'Escape') box.current?.querySelector('button')?.focus()
    }
    const events = ['pointerdown', 'focusin', 'keydown'] as const
    for (const each of events) document.addEventListener(each, leave)
    return () => {
      for (const each of events) document.removeEventListener(each, leave)
    }
  }, [open])
  // When one leaves, not when one arrives: this bar is there before the page is, and who opened the menu meanwhile is reading it.
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router])
  const received = useQuery({ ...receivedQuery, enabled: open })
  const account = user.data === undefined ? '' : visible(`${user.data.first_name} ${user.data.last_name}`)
  const acting = user.data?.acting ?? null
  // Whatever he does is recorded so: «X for Y» (decision H-22).
  const name = acting === null ? account : text('identity.page.acting', { user: visible(acting.user.name), owner: account })
  const act = (delegation: string | null) => {
    actFor(delegation)
    setOpen(false)
  }
  return (
    <div ref={box} className={styles['box']}>
      <button
        type="button"
        className={styles['button']}
        aria-expanded={open}
        aria-controls={list}
        aria-label={name === '' ? text('identity.page.menu') : `${text('identity.page.menu')} – ${name}`}
        onClick={() => setOpen(!open)}
      >
        <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.7">
          <circle cx="11" cy="7.5" r="3.7" />
          <path d="M3.5 19c.8-4 3.7-5.6 7.5-5.6s6.7 1.6 7.5 5.6" strokeLinecap="round" />
        </svg>
        <span className={styles['name']}>{name}</span>
      </button>
      <div id={list} className={styles['menu']} hidden={!open}>
        {user.data === undefined ? null : (
          <p>
            <strong>{name}</strong>
            <br />
            {user.data.email}
          </p>
        )}
        {acting === null ? (
          received.data?.results.map(({ id, grantor }) => (
            <button key={id} type="button" onClick={() => act(id)}>
              {text('identity.page.act_for', { name: visible(grantor.name) })}
            </button>
          ))
        ) : (
          <button type="button" onClick={() => act(null)}>
            {text('identity.page.act_self')}
          </button>
        )}
        <Link to="/$locale/account/$/" params={{ locale, _splat: prices === null ? '' : 'subscription' }}>
          {text('ui.page.account')}
        </Link>
        <Link to="/$locale/support/$/" params={{ locale, _splat: '' }}>
          {text('ui.page.support')}
        </Link>
        {(user.data?.roles.length ?? 0) === 0 ? null : (
          <Link to="/$locale/admin/$/" params={{ locale, _splat: 'users' }} preload={false}>
            {text('ui.page.users')}
          </Link>
        )}
        <button
          type="button"
          onClick={() => {
            void signOut()
            // the login page is where one arrives when one leaves.
            void navigate({ to: '/$locale/authentication/$/', params: { locale, _splat: 'login' } })
          }}
        >
          {text('identity.page.logout')}
        </button>
      </div>
    </div>
  )
}
