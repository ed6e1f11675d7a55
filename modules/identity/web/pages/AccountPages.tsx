import { useMediaQuery } from '@mantine/hooks'
import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import styles from '../account.module.css'
import nav from './account-nav.module.css'

export type AccountPage = { readonly slug: string; readonly label: MessageId; readonly Page: ComponentType }

/** Pages that belong together, under one word. */
export type AccountSection = { readonly label: MessageId; readonly pages: readonly [AccountPage, ...AccountPage[]] }

/** R-12, decision H-03: the first is shown where none is named. Pages come from whoever puts the application together. */
export function AccountPages(props: { sections: readonly [AccountSection, ...AccountSection[]] }): ReactNode {
  const text = useText()
  const { sections } = props
  const { _splat = '' } = useParams({ strict: false })
  // What follows names one thing on the page.
  const [asked] = _splat.split('/')
  const { slug, label, Page } = sections.flatMap(({ pages }) => pages).find((page) => page.slug === asked) ?? sections[0].pages[0]
  const wide = useMediaQuery('(min-width: 60rem)', undefined, { getInitialValueInEffect: false })
  const contents = <Contents sections={sections} current={slug} />
  return (
    <div className={styles['page']}>
      <h1>{text(label)}</h1>
      <div className={nav['beside']}>
        {wide ? (
          contents
        ) : (
          // Another page closes it again.
          <details key={slug} className={nav['folded']} data-screen="">
            <summary>{text(label)}</summary>
            {contents}
          </details>
        )}
        <div className={styles['page']}>
          <Page />
        </div>
      </div>
    </div>
  )
}

function Contents(props: { sections: readonly AccountSection[]; current: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <nav className={nav['contents']} aria-label={text('identity.page.account.tabs')}>
      {props.sections.map((section) => (
        <section key={section.label} aria-label={text(section.label)}>
          <p>{text(section.label)}</p>
          <ul>
            {section.pages.map(({ slug, label }) => (
              <li key={slug}>
                <Link
                  to="/$locale/account/$/"
                  params={{ locale, _splat: slug }}
                  aria-current={slug === props.current ? 'page' : undefined}
                >
                  {text(label)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
