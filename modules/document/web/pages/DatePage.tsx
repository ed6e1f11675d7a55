import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { PriceOf } from '../../../../ui/shell/PriceOf.tsx'
import { Intake } from '../intake/Intake.tsx'
import type { Intake as Files } from '../intake/intake.ts'
import { nobody } from '../intake/use-intake.ts'
import styles from '../list/documents.module.css'
import own from './date.module.css'

const shown = 3

/** E-32: before any account. What is given here waits, as it is, for whoever signs in on this page. */
export function DatePage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  return (
    <div className={styles['page']}>
      <h1>{text('ui.page.date')}</h1>
      <p className={own['lead']}>{text('document.date.lead')}</p>
      {session === null ? (
        <>
          <PriceOf what="document" />
          <Intake user={nobody} renderNext={(files) => <Found files={files} />} />
        </>
      ) : (
        <p>
          <Link to="/$locale/documents/pending/" params={{ locale }}>
            {text('document.date.here')}
          </Link>
        </p>
      )}
    </div>
  )
}

/** The fingerprints, whole, to be kept or compared; and the way to a date. */
function Found({ files }: { files: Files }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const hashed = files.hashed(false)
  const count = hashed.length
  const search = { redirect: `/${locale}/documents/pending/` }
  const way = (slug: 'login' | 'registration') => ({ params: { locale, _splat: slug }, search })
  return (
    <section className={own['found']} aria-labelledby="found-heading">
      <h2 id="found-heading">{text('document.date.found', { count })}</h2>
      <dl className={own['list']}>
        {hashed.slice(0, shown).map(({ id, path, sha256 }) => (
          <div key={id}>
            <dt>
              <bdi>{visible(path)}</bdi>
            </dt>
            <dd>
              <Fingerprint value={sha256} what={`SHA-256 ${visible(path)}`} />
            </dd>
          </div>
        ))}
      </dl>
      {count <= shown ? null : <p>{text('document.date.more', { count: count - shown })}</p>}
      <p>{text('document.date.next', { count })}</p>
      <div className={own['doors']}>
        <Button renderRoot={(root) => <Link to="/$locale/authentication/$/" {...way('login')} {...root} />} size="md">
          {text('document.date.sign_in', { count })}
        </Button>
        <Button
          renderRoot={(root) => <Link to="/$locale/authentication/$/" {...way('registration')} {...root} />}
          variant="default"
          size="md"
        >
          {text('document.date.register')}
        </Button>
      </div>
    </section>
  )
}
