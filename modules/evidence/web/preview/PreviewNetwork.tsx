import type { ReactNode } from 'react'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatBytes, formatExact, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import { visible } from '../../../../ui/intl/visible.ts'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import styles from './preview.module.css'

/** What crossed the network, summed up; the exchanges themselves are in the package. */
export function PreviewNetwork(props: { evidence: Evidence; preview: EvidencePreview }): ReactNode {
  const text = useText()
  const lossText = useOptionalText()
  const locale = useLocale()
  const { evidence, preview } = props
  const { resources, certificate, completeness } = preview
  const instant = (at: string) => formatExact(at, locale)
  const counts = [
    text('evidence.network.total', { count: resources.total }),
    text('evidence.network.failed', { count: resources.failed }),
    text('evidence.network.blocked', { count: resources.blocked }),
    text('evidence.network.received', { size: formatBytes(resources.bytes, locale) }),
  ]
  const missing = (
    <span key="m" className={styles['soft']}>
      {text('evidence.fact.not_measured')}
    </span>
  )
  return (
    <>
      <Facts
        rows={[
          [text('evidence.fact.requested'), <PageAddress key="r" url={evidence.page_url} />],
          [text('evidence.fact.final'), <PageAddress key="f" url={preview.final_url} />],
          [text('evidence.fact.status'), preview.http_status ?? missing],
          [
            text('evidence.fact.server'),
            preview.server_address === null ? missing : <code key="a">{visible(preview.server_address)}</code>,
          ],
          [text('evidence.fact.started'), instant(preview.started_at)],
          [text('evidence.fact.finished'), instant(preview.finished_at)],
          [text('evidence.network.resources'), counts.join(' · ')],
          [
            text('evidence.network.completeness'),
            completeness.state === 'complete'
              ? text('evidence.network.complete')
              : text('evidence.network.incomplete', { count: completeness.losses.length }),
          ],
          [text('evidence.fact.browser'), visible(preview.machine.browser)],
          [text('evidence.fact.os'), visible(preview.machine.os)],
          [text('evidence.fact.software'), visible(preview.machine.software)],
          [
            text('evidence.fact.viewport'),
            text('evidence.fact.viewport.value', {
              width: preview.viewport.width,
              height: preview.viewport.height,
              scale: preview.viewport.device_scale_factor,
            }),
          ],
        ]}
      />
      {completeness.losses.length === 0 ? null : (
        <section>
          <h2>{text('evidence.network.losses')}</h2>
          <ul>
            {completeness.losses.map((loss) => (
              <li key={`${loss.url} ${loss.reason}`}>
                <PageAddress url={loss.url} />{' '}
                <span className={styles['soft']}>{lossText(`evidence.loss.${loss.reason}`) ?? visible(loss.reason)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>{text('evidence.network.redirects')}</h2>
        {preview.redirects.length === 0 ? (
          <p>{text('evidence.network.no_redirect')}</p>
        ) : (
          <ol>
            {preview.redirects.map((redirect) => (
              <li key={`${redirect.url} ${redirect.status}`}>
                <PageAddress url={redirect.url} /> <span className={styles['soft']}>{redirect.status}</span>
              </li>
            ))}
          </ol>
        )}
      </section>
      <section>
        <h2>{text('evidence.network.certificate')}</h2>
        {certificate === null ? (
          <p>{text('evidence.network.no_certificate')}</p>
        ) : (
          <Facts
            rows={[
              [text('evidence.network.certificate.subject'), visible(certificate.subject)],
              [text('evidence.network.certificate.issuer'), visible(certificate.issuer)],
              [
                text('evidence.network.certificate.validity'),
                text('evidence.network.certificate.validity.value', {
                  from: instant(certificate.valid_from),
                  to: instant(certificate.valid_to),
                }),
              ],
              [text('evidence.network.certificate.sha256'), <code key="h">{groupHex(certificate.sha256)}</code>],
              ...(certificate.error === null
                ? []
                : ([[text('evidence.network.certificate.error'), visible(certificate.error)]] as const)),
            ]}
          />
        )}
      </section>
    </>
  )
}
