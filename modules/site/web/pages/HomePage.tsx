import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { questions } from '../../domain/questions.ts'
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

/** Taken from an installation by tools/draw-pictures.ts; width and height in pixels. */
const pictures = [
  ['report-essentials', 'site.home.picture.essentials', 640, 906],
  ['live', 'site.home.picture.live', 1120, 753],
] as const

const steps = [
  ['site.home.how.1.title', 'site.home.how.1.text'],
  ['site.home.how.2.title', 'site.home.how.2.text'],
  ['site.home.how.3.title', 'site.home.how.3.text'],
  ['site.home.how.4.title', 'site.home.how.4.text'],
] as const

/** In the order of the report: what is asked, and what is said of it. */
const courts = [
  ['site.home.courts.machine', 'site.home.courts.machine.text'],
  ['site.home.courts.network', 'site.home.courts.network.text'],
  ['site.home.courts.empty', 'site.home.courts.empty.text'],
  ['site.home.courts.clock', 'site.home.courts.clock.text'],
  ['site.home.courts.path', 'site.home.courts.path.text'],
  ['site.home.courts.record', 'site.home.courts.record.text'],
  ['site.home.courts.altered', 'site.home.courts.altered.text'],
] as const

/** The first screen is the tool itself; below it, what comes out and why it can be believed. */
export function HomePage(props: { tool: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  return (
    <>
      <div className={styles['first']}>
        <div className={styles['tool']}>
          <h1>{text('site.home.heading')}</h1>
          <p className={styles['lead']}>{text('site.home.lead')}</p>
          {/* Where the report itself stands below the tool, not beside it. */}
          <p className={styles['toReport']}>
            <Link to="/$locale/sample/" params={{ locale }}>
              {text('site.home.sample.open')}
            </Link>
          </p>
          <nav className={styles['doors']} aria-label={text('site.home.doors')}>
            <a href="#page-address" aria-current="page">
              {text('site.home.door.page')}
            </a>
            <Link to="/$locale/date/" params={{ locale }}>
              {text('site.home.door.document')}
            </Link>
            <Link to="/$locale/proofs/" params={{ locale }}>
              {text('site.home.door.proof')}
            </Link>
          </nav>
          {props.tool}
          <ul className={styles['promises']}>
            <li>{text(session === null ? 'site.home.no_account' : 'site.home.in_account')}</li>
            {promises.map((id) => (
              <li key={id}>{text(id)}</li>
            ))}
          </ul>
        </div>
        <aside className={styles['report']} aria-labelledby="sample-heading">
          <img
            src={`/pictures/report-cover.${locale}.webp`}
            width={640}
            height={906}
            alt={text('site.home.picture.cover.alt')}
            loading="lazy"
            decoding="async"
          />
          <div>
            <h2 id="sample-heading">{text('site.home.sample.title')}</h2>
            <p>{text('site.home.sample.text')}</p>
          </div>
          <div className={styles['sampleDoors']}>
            <Button
              renderRoot={(root) => <Link to="/$locale/sample/" params={{ locale }} {...root} />}
              variant="default"
              size="md"
              px="xs"
            >
              {text('site.home.sample.open')}
            </Button>
            <Link to="/$locale/proofs/" params={{ locale }} search={{ sample: true }}>
              {text('site.home.sample.verify')}
            </Link>
          </div>
        </aside>
      </div>
      <div className={styles['pictures']}>
        {pictures.map(([name, caption, width, height]) => (
          <figure key={name} data-wide={width > height || undefined}>
            <img
              src={`/pictures/${name}.${locale}.webp`}
              width={width}
              height={height}
              alt={text(`${caption}.alt`)}
              loading="lazy"
              decoding="async"
            />
            <figcaption>{text(caption)}</figcaption>
          </figure>
        ))}
      </div>
      <section className={styles['section']} style={{ borderTop: 0 }} aria-labelledby="get-heading">
        <h2 id="get-heading">{text('site.home.get.title')}</h2>
        <p>
          <Message id="site.home.get.lead" />
        </p>
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
      <section className={styles['section']} aria-labelledby="courts-heading">
        <h2 id="courts-heading">{text('site.home.courts.title')}</h2>
        <p>{text('site.home.courts.lead')}</p>
        <table className={styles['courts']}>
          <thead>
            <tr>
              <th scope="col">{text('site.home.courts.asked')}</th>
              <th scope="col">{text('site.home.courts.answer')}</th>
            </tr>
          </thead>
          <tbody>
            {courts.map(([asked, answer]) => (
              <tr key={asked}>
                <th scope="row">{text(asked)}</th>
                <td>{text(answer)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className={styles['sources']}>{text('site.home.courts.sources')}</p>
      </section>
      <section className={styles['section']} aria-labelledby="honest-heading">
        <h2 id="honest-heading">{text('site.home.honest.title')}</h2>
        <ul className={styles['honest']}>
          <li>{text('site.home.honest.1')}</li>
          <li>{text('site.home.honest.2')}</li>
          <li>{text('site.home.honest.3')}</li>
        </ul>
      </section>
      <section className={styles['section']} aria-labelledby="questions-heading">
        <h2 id="questions-heading">{text('site.home.questions.title')}</h2>
        <dl className={styles['questions']}>
          {questions.map((name) => (
            <div key={name}>
              <dt>{text(`site.home.q.${name}`)}</dt>
              <dd>{text(`site.home.a.${name}`)}</dd>
            </div>
          ))}
        </dl>
        <p className={styles['sampleDoors']}>
          <Link to="/$locale/guide/" params={{ locale }}>
            {text('site.home.q.more')}
          </Link>
          <Link to="/$locale/legal/$/" params={{ locale, _splat: 'notices' }}>
            {text('site.home.q.notices')}
          </Link>
        </p>
      </section>
    </>
  )
}
