import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { QrCode } from '../../../../ui/controls/QrCode.tsx'
import { CopiedValue, Loaded, ReferencePage, ReferenceSection } from '../../../../ui/controls/ReferencePage.tsx'
import styles from '../../../../ui/controls/reference-page.module.css'
import { formatExact, formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { publishedKeysAddress, publishedKeysSignatureAddress } from '../../contract/key-addresses.ts'
import type { PublishedKeysDocument } from '../../contract/keys.ts'

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
  const query = useQuery({
    queryKey: ['published-keys'],
    queryFn: async ({ signal }) => {
      const answer = await fetch(apiAddress(publishedKeysAddress), { signal })
      const { publishedKeys } = await loadChunk(() => import('../../contract/keys.ts'))
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return publishedKeys.parse(await answer.json())
    },
  })
  return (
    <ReferencePage
      title={text('ui.page.keys')}
      lead={[text('sealing.keys.page.lead')]}
      note={
        query.data === undefined ? undefined : text('sealing.keys.page.issued', { at: formatExact(query.data.issued_at, locale) })
      }
    >
      <Loaded query={query} loading={text('sealing.keys.page.loading')} failed={text('sealing.keys.page.failed')}>
        {(data) => <Keys keys={data} />}
      </Loaded>
    </ReferencePage>
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
      <ReferenceSection title={text('sealing.keys.page.certificates')} why={text('sealing.keys.page.certificates_why')}>
        <ul className={styles['list']}>
          {certificates.map((each) => (
            <li key={each.id} data-retired={each.until !== null}>
              <h3>{text(`sealing.keys.page.role.${each.purpose}_${each.role}`)}</h3>
              <p className={styles['soft']}>{each.subject}</p>
              <KeyLine entry={each} shown={groupHex(each.id)} what={text('sealing.keys.page.fingerprint')} />
              {each.purpose === 'platform' && each.role === 'authority' && each.until === null ? (
                <QrCode link={each.id} label={text('sealing.keys.page.fingerprint')} />
              ) : null}
            </li>
          ))}
        </ul>
      </ReferenceSection>
      {lists.map((kind) => (
        <ReferenceSection
          key={kind}
          title={text(`sealing.keys.page.${kind}`)}
          why={text(`sealing.keys.page.${kind}_why` satisfies MessageId)}
        >
          {keys[kind].length === 0 ? <p>{text('sealing.keys.page.none')}</p> : null}
          <ul className={styles['list']}>
            {newestFirst(keys[kind]).map((each) => (
              <li key={each.id} data-retired={each.until !== null}>
                <KeyLine entry={each} shown={each.id} what={text(`sealing.keys.page.${kind}`)} />
              </li>
            ))}
          </ul>
        </ReferenceSection>
      ))}
      <ReferenceSection title={text('sealing.keys.page.files')}>
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
      </ReferenceSection>
    </>
  )
}

function KeyLine({ entry, shown, what }: { entry: Key; shown: string; what: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const since = formatInstant(entry.since, locale)
  return (
    <>
      <CopiedValue shown={shown} value={entry.id} what={what} />
      <p className={styles['soft']}>
        {entry.until === null
          ? text('sealing.keys.page.in_force', { since })
          : text('sealing.keys.page.retired', { since, until: formatInstant(entry.until, locale) })}
      </p>
    </>
  )
}
