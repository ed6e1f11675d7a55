import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from './home.module.css'

const promises = ['site.home.preview_first', 'site.home.kept'] as const

/** What is in a package, by the names that the files have in it (docs/package-format.md). */
const inventory = [
  ['site.home.get.report', 'site.home.get.report.text', 'report.en.pdf · report.fr.pdf'],
  ['site.home.get.images', 'site.home.get.images.text', 'capture/*.png'],
  ['site.home.get.network', 'site.home.get.network.text', 'capture/*.pcap · .wacz · .har'],
  ['site.home.get.page', 'site.home.get.page.text', 'capture/*.html · .mhtml · .pdf'],
  ['site.home.get.seal', 'site.home.get.seal.text', 'seal/signature.p7s · *.tsr'],
  ['site.home.get.verifier', 'site.home.get.verifier.text', 'verify.html'],
] as const

const steps = [
  ['site.home.how.1.title', 'site.home.how.1.text'],
  ['site.home.how.2.title', 'site.home.how.2.text'],
  ['site.home.how.3.title', 'site.home.how.3.text'],
  ['site.home.how.4.title', 'site.home.how.4.text'],
] as const

/** The first screen is the tool itself; below it, what comes out and why it can be believed. */
export function HomePage(props: { tool: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  return (
    <>
      <div className={styles['tool']}>
        <h1>{text('site.home.heading')}</h1>
        <p className={styles['lead']}>{text('site.home.lead')}</p>
        {props.tool}
        <ul className={styles['promises']}>
          <li>{text(session === null ? 'site.home.no_account' : 'site.home.in_account')}</li>
          {promises.map((id) => (
            <li key={id}>{text(id)}</li>
          ))}
        </ul>
      </div>
      <aside className={styles['verify']} aria-labelledby="verify-heading">
        <div>
          <h2 id="verify-heading">{text('site.home.verify.title')}</h2>
          <p>{text('site.home.verify.text')}</p>
        </div>
        <Button renderRoot={(root) => <Link to="/$locale/proofs/" params={{ locale }} {...root} />} variant="default" size="md">
          {text('site.home.verify.action')}
        </Button>
      </aside>
      <section className={styles['section']} style={{ borderTop: 0 }} aria-labelledby="get-heading">
        <h2 id="get-heading">{text('site.home.get.title')}</h2>
        <p>{text('site.home.get.lead')}</p>
        <dl className={styles['inventory']}>
          {inventory.map(([name, what, files]) => (
            <div key={name}>
              <dt>{text(name)}</dt>
              <dd>{text(what)}</dd>
              <dd>
                <code>{files}</code>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={styles['section']} aria-labelledby="how-heading">
        <h2 id="how-heading">{text('site.home.how.title')}</h2>
        <ol className={styles['steps']}>
          {steps.map(([title, what]) => (
            <li key={title}>
              <h3>{text(title)}</h3>
              <p>{text(what)}</p>
            </li>
          ))}
        </ol>
        <p>
          <Link to="/$locale/guide/" params={{ locale }} hash={text('site.home.how.anchor')}>
            {text('site.home.how.more')}
          </Link>
        </p>
      </section>
      <section className={styles['section']} aria-labelledby="honest-heading">
        <h2 id="honest-heading">{text('site.home.honest.title')}</h2>
        <ul className={styles['honest']}>
          <li>{text('site.home.honest.1')}</li>
          <li>{text('site.home.honest.2')}</li>
          <li>{text('site.home.honest.3')}</li>
        </ul>
      </section>
    </>
  )
}
