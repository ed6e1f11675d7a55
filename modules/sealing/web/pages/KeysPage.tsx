import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import {
  publishedKeys,
  publishedKeysAddress,
  publishedKeysSignatureAddress,
  type PublishedKeysDocument,
} from '../../contract/keys.ts'
import styles from './keys.module.css'

type Key = PublishedKeysDocument['bitcoin'][number]
const lists = ['bitcoin', 'nano', 'log', 'witnesses'] as const
/** What a reader compares first stands first. */
const places = [
  ['platform', 'authority'],
  ['platform', 'signing'],
  ['time', 'authority'],
  ['time', 'signing'],
] as const
const command =
  'openssl cms -verify -binary -inform DER -in probant-keys.p7s \\\n  -content probant-keys.json -CAfile seal/platform-ca.pem -purpose any -out /dev/null'

/** What the platform publishes as its own, to be compared with what a reader has from elsewhere. */
export function KeysPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data, isError, refetch } = useQuery({
    queryKey: ['published-keys'],
    queryFn: async ({ signal }) => {
      const answer = await fetch(apiAddress(publishedKeysAddress), { signal })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return publishedKeys.parse(await answer.json())
    },
  })
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{text('site.keys.title')}</h1>
        <p className={styles['lead']}>{text('sealing.keys.page.lead')}</p>
        {data === undefined ? null : (
          <p className={styles['soft']}>
            {text('sealing.keys.page.issued', { at: formatInstant(data.issued_at, locale, { seconds: true }) })}
          </p>
        )}
      </header>
      {data === undefined && !isError ? <p role="status">{text('sealing.keys.page.loading')}</p> : null}
      {isError ? (
        <div role="alert">
          <p>{text('sealing.keys.page.failed')}</p>
          <button type="button" onClick={() => void refetch()}>
            {text('ui.retry')}
          </button>
        </div>
      ) : null}
      {data === undefined ? null : <Keys keys={data} />}
    </div>
  )
}

function Keys({ keys }: { keys: PublishedKeysDocument }): ReactNode {
  const text = useText()
  const newestFirst = <K extends Key>(list: readonly K[]): K[] => list.toReversed()
  const certificates = places.flatMap(([purpose, role]) =>
    newestFirst(keys.certificates.filter((each) => each.purpose === purpose && each.role === role)),
  )
  return (
    <>
      <section className={styles['section']}>
        <h2>{text('sealing.keys.page.certificates')}</h2>
        <p className={styles['soft']}>{text('sealing.keys.page.certificates_why')}</p>
        <ul className={styles['list']}>
          {certificates.map((each) => (
            <li key={each.id} data-retired={each.until !== null}>
              <h3>{text(`sealing.keys.page.role.${each.purpose}_${each.role}`)}</h3>
              <p className={styles['soft']}>{each.subject}</p>
              <KeyLine entry={each} shown={groupHex(each.id)} what={text('sealing.keys.page.fingerprint')} />
            </li>
          ))}
        </ul>
      </section>
      {lists.map((kind) => (
        <section key={kind} className={styles['section']}>
          <h2>{text(`sealing.keys.page.${kind}`)}</h2>
          <p className={styles['soft']}>{text(`sealing.keys.page.${kind}_why` satisfies MessageId)}</p>
          {keys[kind].length === 0 ? <p>{text('sealing.keys.page.none')}</p> : null}
          <ul className={styles['list']}>
            {newestFirst(keys[kind]).map((each) => (
              <li key={each.id} data-retired={each.until !== null}>
                <KeyLine entry={each} shown={each.id} what={text(`sealing.keys.page.${kind}`)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section className={styles['section']}>
        <h2>{text('sealing.keys.page.files')}</h2>
        <p className={styles['files']}>
          <a href={apiAddress(publishedKeysAddress)} download="probant-keys.json">
            {text('sealing.keys.page.document')}
          </a>
          <a href={apiAddress(publishedKeysSignatureAddress)} download="probant-keys.p7s">
            {text('sealing.keys.page.signature')}
          </a>
        </p>
        <p className={styles['soft']}>{text('sealing.keys.page.repeat')}</p>
        <pre className={styles['command']} tabIndex={0}>
          {command}
        </pre>
      </section>
    </>
  )
}

function KeyLine({ entry, shown, what }: { entry: Key; shown: string; what: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const since = formatInstant(entry.since, locale)
  return (
    <>
      <p className={styles['key']}>
        <code>{shown}</code>
        <CopyButton value={entry.id} what={what} />
      </p>
      <p className={styles['soft']}>
        {entry.until === null
          ? text('sealing.keys.page.in_force', { since })
          : text('sealing.keys.page.retired', { since, until: formatInstant(entry.until, locale) })}
      </p>
    </>
  )
}
