import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../../ui/intl/whole.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { verifyLicense } from '../../contract/licenses.ts'
import { NotRead } from '../components/NotRead.tsx'
import { verifiedQuery } from '../components/queries.ts'
import styles from '../components/licensing.module.css'

/** Where the code on the document of a licence leads: whether it holds, for whom, and of what. */
export function VerifyLicensePage(): ReactNode {
  const text = useText()
  const { code = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(verifiedQuery(code))
  if (data === undefined)
    return (
      <NotRead
        missing={{ title: text('licensing.verify.missing'), text: text('licensing.verify.missing.text') }}
        error={error}
        onAgain={() => void refetch()}
      />
    )
  return <Verified license={data} />
}

const tones = { holds: 'good', test: 'caution', revoked: 'bad' } as const

function Verified({ license }: { license: ResponseOf<typeof verifyLicense> }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { beneficiary, reports, documents } = license
  const said = license.status === 'revoked' ? 'revoked' : license.test ? 'test' : 'holds'
  return (
    <div className={styles['page']}>
      <div className={`${styles['section']} ${styles['measure']}`}>
        <h1>{withWholeNames(text('licensing.verify.title', { number: license.number }))}</h1>
        <p role="status" className={styles['notice']} data-tone={tones[said]}>
          <strong>{text(`licensing.verify.${said}`)}</strong>
          {license.ended_at === null ? null : ` ${formatExact(license.ended_at, locale)}`}
        </p>
        <Facts
          rows={[
            [
              text('licensing.verify.beneficiary'),
              <strong key="name">{visible(`${beneficiary.first_name} ${beneficiary.last_name}`)}</strong>,
            ],
            ...(beneficiary.company === '' ? [] : [[text('licensing.verify.company'), visible(beneficiary.company)] as const]),
            [text('licensing.verify.licensor'), visible(license.seller_name)],
            [text('licensing.verify.granted'), formatExact(license.granted_at, locale)],
          ]}
        />
      </div>
      <section className={styles['section']} aria-labelledby="reports-heading">
        <h2 id="reports-heading">{text('licensing.verify.reports', { count: reports.length })}</h2>
        <p className={styles['soft']}>{text('licensing.verify.reports.why')}</p>
        {reports.map((report) => (
          <Facts
            key={report.root}
            rows={[
              [text('licensing.verify.report'), <PageAddress key="url" url={report.page_url} />],
              [text('licensing.verify.captured'), formatExact(report.captured_at, locale)],
              [text('licensing.page.root'), <Fingerprint key="root" value={report.root} what={text('licensing.page.root')} />],
            ]}
          />
        ))}
        <p>
          <Link to="/$locale/proofs/" params={{ locale }}>
            {text('licensing.verify.proofs')}
          </Link>
        </p>
      </section>
      <section className={styles['section']} aria-labelledby="documents-heading">
        <h2 id="documents-heading">{text('licensing.verify.documents')}</h2>
        <p className={styles['soft']}>{text('licensing.verify.documents.why')}</p>
        {documents.length === 0 ? (
          <p>{text('licensing.not_active')}</p>
        ) : (
          <Facts
            rows={documents.map(({ language, sha256 }) => {
              const name = text(`licensing.license.pdf.${language}`)
              return [name, <Fingerprint key={language} value={sha256} what={name} />] as const
            })}
          />
        )}
      </section>
    </div>
  )
}
