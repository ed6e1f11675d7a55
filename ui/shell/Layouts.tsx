import { Link, useLocation, type LinkProps } from '@tanstack/react-router'
import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react'
import { locales } from '../../kernel/locale.ts'
import { Dialog } from '../controls/Dialog.tsx'
import { useLocale, useText, type MessageId } from '../intl/text.tsx'
import { useBrand } from './brand.ts'
import { HelpDialog } from './HelpDialog.tsx'
import { rememberLocale } from './language.ts'
import styles from './layouts.module.css'
import { ProgressBar } from './ProgressBar.tsx'
import { Sign } from './Sign.tsx'

function SkipLink(): ReactNode {
  const text = useText()
  return (
    <a className={styles['skip']} href="#content">
      {text('ui.skip')}
    </a>
  )
}

/** L-08, R-27: the other language of the same page, with its parameters and query. A real link: it can be opened or copied. */
function LanguageSwitch(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pathname, searchStr, hash } = useLocation()
  return (
    <nav className={styles['languages']} aria-label={text('ui.language.label')}>
      {locales.map((other) => (
        <a
          key={other}
          href={`/${other}${pathname.replace(/^\/[^/]*/, '') || '/'}${searchStr}${hash === '' ? '' : `#${hash}`}`}
          lang={other}
          hrefLang={other}
          aria-current={other === locale}
          onClick={() => rememberLocale(other)}
        >
          {other.toUpperCase()}
          <span className="visually-hidden"> – {text(`ui.language.${other}`)}</span>
        </a>
      ))}
    </nav>
  )
}

export type MenuLink = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: MessageId
  /** Of several under one address. */
  readonly page?: string
  readonly within: readonly string[]
}

function DrawerContent(props: {
  links: readonly MenuLink[]
  partner: ReactNode
  foot: ReactNode
  onNavigate: () => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pathname } = useLocation()
  const here = pathname.replace(/^\/[^/]*/, '')
  return (
    <div className={styles['drawer']}>
      <nav className={styles['menu']} aria-label={text('ui.menu.label')}>
        <Link
          className={styles['brand']}
          to="/$locale/"
          params={{ locale }}
          activeOptions={{ exact: true }}
          onClick={props.onNavigate}
        >
          <Sign />
        </Link>
        {props.partner}
        <ul className={styles['nav']}>
          {props.links.map((link) => (
            <li key={link.to}>
              <Link
                to={link.to}
                params={{ locale }}
                onClick={props.onNavigate}
                activeOptions={{ exact: true }}
                aria-current={
                  link.within.some((start) => (start === '/' ? here === '/' : here.startsWith(start))) ? 'page' : undefined
                }
              >
                {text(link.label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles['foot']}>
        {props.foot}
        <LanguageSwitch />
      </div>
    </div>
  )
}

/** As far down as no heading of a page is in sight any more. */
const belowHeading = 120

/** L-09: what the page is called, once its own heading has gone above the bar: it stands once. Before, whose page it is, where no drawer says so. */
function BarTitle(props: { title: string }): ReactNode {
  const locale = useLocale()
  const below = useSyncExternalStore(
    (changed) => {
      window.addEventListener('scroll', changed, { passive: true })
      return () => window.removeEventListener('scroll', changed)
    },
    () => window.scrollY > belowHeading,
    () => false,
  )
  return (
    <>
      <Link
        className={`${styles['brand']} ${styles['barBrand']}`}
        to="/$locale/"
        params={{ locale }}
        activeOptions={{ exact: true }}
        hidden={below}
      >
        <Sign />
      </Link>
      <span className={styles['barTitle']} hidden={!below}>
        {props.title}
      </span>
    </>
  )
}

const copyrightYear = String(new Date().getFullYear())

/** L-02…L-13. */
export function DefaultLayout(props: {
  title: string
  help: string | null
  links: readonly MenuLink[]
  /** L-11, L-12: who is signed in, or the way in; at the end of the bar. */
  account?: ReactNode
  /** L-18: under the product's sign, that of the account's partner. */
  partner?: ReactNode
  /** L-06: at the foot of the drawer. */
  drawerFoot?: ReactNode
  /** Above the page, in the flow. */
  notice?: ReactNode
  /** Pages that are not in the menu. */
  footer?: readonly Omit<MenuLink, 'within'>[]
  children: ReactNode
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const support = useBrand()?.support ?? null
  const [open, setOpen] = useState(false)
  return (
    <>
      <SkipLink />
      <ProgressBar />
      <div className={styles['frame']}>
        <div className={styles['side']}>
          <DrawerContent links={props.links} partner={props.partner} foot={props.drawerFoot} onNavigate={() => setOpen(false)} />
        </div>
        <Dialog
          open={open}
          onClose={() => setOpen(false)}
          side="left"
          title={text('ui.menu.label')}
          closeLabel={text('ui.menu.close')}
        >
          <DrawerContent links={props.links} partner={props.partner} foot={props.drawerFoot} onNavigate={() => setOpen(false)} />
        </Dialog>
        <div className={styles['column']}>
          {props.notice}
          <header className={styles['bar']}>
            <button
              type="button"
              className={`${styles['icon']} ${styles['burger']}`}
              aria-label={text('ui.menu.open')}
              aria-expanded={open}
              onClick={() => setOpen(true)}
            >
              <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
                <path d="M3 6h16M3 11h16M3 16h16" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
              </svg>
            </button>
            <BarTitle title={props.title} />
            <div className={styles['barActions']}>
              {props.help === null ? null : <HelpDialog name={props.help} page={props.title} />}
              {props.account}
            </div>
          </header>
          <main id="content" className={styles['main']} tabIndex={-1}>
            {props.children}
          </main>
          <footer className={styles['footer']}>
            <span>{text('ui.footer.copyright', { year: copyrightYear })}</span>
            <span>{text('ui.footer.statement')}</span>
            <span className={styles['links']}>
              {support === null ? null : <a href={`mailto:${support}`}>{text('ui.brand.support', { address: support })}</a>}
              {props.footer?.map(({ to, label, page }) => (
                <Link key={label} to={to} params={{ locale, _splat: page }}>
                  {text(label)}
                </Link>
              ))}
            </span>
          </footer>
        </div>
      </div>
    </>
  )
}

/** For links of the bar. */
export const barLink = styles['barLink']

/** L-01: one panel and the notifications; besides, the language, for whoever was sent here by a link in the other one (decision 0277). */
export function AuthenticationLayout(props: { children: ReactNode }): ReactNode {
  return (
    <>
      <ProgressBar />
      <div className={styles['corner']}>
        <LanguageSwitch />
      </div>
      <main id="content" className={styles['narrow']} tabIndex={-1}>
        {props.children}
      </main>
    </>
  )
}

const Frame = createContext<(page: ReactNode) => ReactNode>((page) => page)

/** For pages that choose their layout themselves, by what they show: `frame` puts a page into the default one. */
export function OwnLayout(props: { frame: (page: ReactNode) => ReactNode; children: ReactNode }): ReactNode {
  return <Frame value={props.frame}>{props.children}</Frame>
}

/** Inside `OwnLayout`: the default layout, title, menu and all. */
export function InDefaultLayout(props: { children: ReactNode }): ReactNode {
  return useContext(Frame)(props.children)
}

/** L-15, decision H-04: a thin bar, and the whole screen below it. */
export function FullLayout(props: { bar: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className={styles['full']} data-full-layout="">
      <SkipLink />
      <ProgressBar />
      <header className={styles['fullBar']}>{props.bar}</header>
      <main id="content" className={styles['fullMain']} tabIndex={-1}>
        {props.children}
      </main>
    </div>
  )
}
