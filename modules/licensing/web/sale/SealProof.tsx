import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { checkSeal, type SealChecks } from '../../../verification/web/index.ts'
import { saleProof, type Sale } from '../../contract/sales.ts'
import styles from '../components/licensing.module.css'

type Report = Sale['reports'][number]

/** What seals a report, and the way to have that computed here before anything is paid. @param props.token null: it is a preview, and has no page yet */
export function SealProof(props: { token: string | null; report: Report }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { token, report } = props
  const { seal } = report
  const checking = useMutation({
    mutationFn: async (from: string) =>
      await checkSeal(await call(saleProof, { params: { sale_token: from, number: report.number } })),
  })
  return (
    <div className={styles['section']}>
      <Facts
        rows={[
          [text('licensing.page.root'), <Fingerprint key="root" value={seal.root} what={text('licensing.page.root')} />],
          [
            text('licensing.page.signed'),
            text('licensing.page.at_by', { at: formatExact(seal.signed_at, locale), by: visible(seal.signer) }),
          ],
          ...seal.timestamps.map(
            (stamp) =>
              [
                text('licensing.page.stamped'),
                text('licensing.page.at_by', { at: formatExact(stamp.gen_time, locale), by: visible(stamp.authority) }),
              ] as const,
          ),
          [
            text('licensing.page.log'),
            seal.log === null
              ? text('licensing.page.log.none')
              : text('licensing.page.log.entry', { index: seal.log.index, origin: visible(seal.log.origin) }),
          ],
        ]}
      />
      {token === null ? null : (
        <>
          <div>
            <Button variant="default" size="md" loading={checking.isPending} onClick={() => checking.mutate(token)}>
              {text('licensing.page.check')}
            </Button>
          </div>
          <div role="status">{checking.data === undefined ? null : <Checked checks={checking.data} report={report} />}</div>
          {checking.error === null ? null : <p role="alert">{errorText(checking.error)}</p>}
        </>
      )}
    </div>
  )
}

/** What was computed, of what was handed over: nobody’s word. */
function Checked(props: { checks: SealChecks; report: Report }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { checks, report } = props
  const { sealed } = checks
  // What the page tells is compared with what was sealed.
  const same =
    sealed !== null &&
    [sealed.requestedUrl, sealed.finalUrl].includes(report.page_url) &&
    Date.parse(sealed.startedAt) === Date.parse(report.captured_at)
  return (
    <ul className={styles['checks']}>
      <li data-outcome={checks.subject ? 'holds' : 'failed'}>
        {text(`licensing.page.checked.subject.${checks.subject ? 'holds' : 'failed'}`)}
      </li>
      {sealed === null ? null : (
        <li data-outcome={same ? 'holds' : 'failed'}>
          {text(`licensing.page.checked.same.${same ? 'holds' : 'failed'}`, {
            url: visible(sealed.requestedUrl),
            at: formatExact(sealed.startedAt, locale),
          })}
        </li>
      )}
      <li data-outcome={checks.log}>
        {text(`licensing.page.checked.log.${checks.log}`, {
          index: checks.index ?? 0,
          origin: visible(checks.origin ?? ''),
        })}
      </li>
      <li>{text('licensing.page.checked.withheld')}</li>
    </ul>
  )
}
