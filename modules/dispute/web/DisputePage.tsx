import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { locales, type Locale } from '../../../kernel/locale.ts'
import { ApiError } from '../../../ui/api/api-error.ts'
import { Facts } from '../../../ui/controls/Facts.tsx'
import { Fingerprint } from '../../../ui/controls/Fingerprint.tsx'
import { PageAddress } from '../../../ui/controls/PageAddress.tsx'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { formatExact } from '../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { visible } from '../../../ui/intl/visible.ts'
import type { DisputePack } from '../contract/packs.ts'
import { Lacking } from './Lacking.tsx'
import { LetterForm } from './LetterForm.tsx'
import { Lines } from './Lines.tsx'
import { packQuery } from './queries.ts'
import styles from './dispute.module.css'

/** H-25, P-13: a formal notice on a final report, which its owner writes. */
export function DisputePage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { id = '' } = useParams({ strict: false })
  const [language, setLanguage] = useState<Locale>(locale)
  const { data, error, refetch } = useQuery(packQuery(id, language))
  return (
    <div className={styles['page']}>
      <div className={styles['section']}>
        <h1>{text('dispute.page.title')}</h1>
        <p>{text('dispute.page.lead')}</p>
        <p>
          <Link to="/$locale/capture/$id/" params={{ locale, id }}>
            {text('dispute.page.back')}
          </Link>
        </p>
        <div role="group" aria-label={text('dispute.page.language')} className={styles['actions']}>
          {locales.map((each) => (
            <Button
              key={each}
              size="md"
              variant={each === language ? 'filled' : 'default'}
              aria-pressed={each === language}
              onClick={() => setLanguage(each)}
            >
              {text(`dispute.page.language.${each}`)}
            </Button>
          ))}
        </div>
      </div>
      {data === undefined ? <NotRead error={error} onAgain={() => void refetch()} /> : <Pack key={language} pack={data} />}
    </div>
  )
}

function NotRead(props: { error: Error | null; onAgain: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { error } = props
  if (error === null) return <p role="status">{text('ui.loading')}</p>
  const settled = error instanceof ApiError && [400, 404, 409].includes(error.status)
  return (
    <div role="alert" className={styles['section']}>
      <h2>{text(settled ? 'dispute.page.missing' : 'dispute.page.not_read')}</h2>
      <p>{errorText(error)}</p>
      {settled ? null : (
        <p>
          <Button variant="default" size="md" onClick={props.onAgain}>
            {text('ui.retry')}
          </Button>
        </p>
      )}
    </div>
  )
}

function Pack({ pack }: { pack: DisputePack }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <>
      <Lacking pack={pack} />
      <Facts
        rows={[
          [text('dispute.page.report'), <PageAddress key="address" url={pack.page_url} />],
          [text('dispute.page.captured'), formatExact(pack.captured_at, locale)],
          [
            text('dispute.page.sender'),
            <span key="sender">
              <Lines text={pack.sender === '' ? '–' : pack.sender} />
              <br />
              <Link to="/$locale/account/$/" params={{ locale, _splat: 'profile' }}>
                {text('dispute.page.sender.change')}
              </Link>
            </span>,
          ],
        ]}
      />
      <LetterForm pack={pack} />
      <Exhibits pack={pack} />
    </>
  )
}

function Exhibits({ pack: { exhibits } }: { pack: DisputePack }): ReactNode {
  const text = useText()
  return (
    <section className={styles['section']} aria-labelledby="exhibits-heading">
      <h2 id="exhibits-heading">{text('dispute.page.exhibits', { count: exhibits.length })}</h2>
      <p className={styles['soft']}>{text('dispute.page.exhibits.why')}</p>
      <ol className={styles['exhibits']}>
        {exhibits.map(({ path, bytes, sha256 }) => (
          <li key={path}>
            <strong>{visible(path)}</strong>
            <span className={styles['soft']}>{text('dispute.page.bytes', { count: bytes })}</span>
            <Fingerprint value={sha256} what={visible(path)} />
          </li>
        ))}
      </ol>
    </section>
  )
}
