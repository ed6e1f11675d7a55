import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import tabs from '../../../../ui/controls/tabs.module.css'
import styles from '../account.module.css'

export type AccountPage = { readonly slug: string; readonly label: MessageId; readonly Page: ComponentType }

/** R-12, decision H-03: the first is shown where none is named. Pages come from whoever puts the application together. */
export function AccountPages(props: { pages: readonly [AccountPage, ...AccountPage[]] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pages } = props
  const { _splat = '' } = useParams({ strict: false })
  const asked = _splat.replaceAll('/', '')
  const { slug, Page } = pages.find((page) => page.slug === asked) ?? pages[0]
  return (
    <div className={styles['page']}>
      <h1>{text('ui.page.account')}</h1>
      <nav className={tabs['tabs']} aria-label={text('identity.page.account.tabs')}>
        {pages.map((page) => (
          <Link
            key={page.slug}
            to="/$locale/account/$/"
            params={{ locale, _splat: page.slug }}
            aria-current={page.slug === slug ? 'page' : undefined}
          >
            {text(page.label)}
          </Link>
        ))}
      </nav>
      <Page />
    </div>
  )
}
