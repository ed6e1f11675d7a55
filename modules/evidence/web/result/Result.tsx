import { Button, Tabs } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { saveFile } from '../../../../ui/api/save-file.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { Rosette } from '../../../../ui/controls/Rosette.tsx'
import { TabStrip } from '../../../../ui/controls/TabStrip.tsx'
import { formatBytes, formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Evidence, EvidenceAnchor, EvidenceSeal } from '../../contract/evidence.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { packageLink } from '../life/queries.ts'
import { visible } from '../../../../ui/intl/visible.ts'
import { Anchor } from './Anchor.tsx'
import { GiveNotice } from './GiveNotice.tsx'
import { KeepFiles } from './KeepFiles.tsx'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { PdfFrame } from '../preview/PdfFrame.tsx'
import { ProofHealth } from './ProofHealth.tsx'
import { PreviewTabs } from '../preview/PreviewTabs.tsx'
import { SellLicenses } from './SellLicenses.tsx'
import { SaveToAccount } from '../held/SaveToAccount.tsx'
import styles from './result.module.css'

/** The sealed report: its seal, its downloads, and everything that is in it. */
export function Result(props: { evidence: Evidence; token: EvidenceToken; refresh: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { evidence, token } = props
  return (
    <div className={styles['result']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <h1>{text('evidence.result.heading')}</h1>
          <p className={styles['title']}>
            {evidence.preview === null || evidence.preview.title === '' ? null : visible(evidence.preview.title)}
          </p>
          <p>
            <PageAddress url={evidence.preview?.final_url ?? evidence.page_url} />
          </p>
          <p className={styles['soft']}>{text('evidence.result.lead')}</p>
          {evidence.content_deleted_at === null ? <Downloads id={evidence.id} token={token} /> : null}
          <SaveToAccount token={token} />
          <p>
            <Button
              size="md"
              variant="outline"
              renderRoot={(root) => <Link to="/$locale/proofs/" params={{ locale }} hash={evidence.id} {...root} />}
            >
              {text('evidence.result.verify')}
            </Button>
          </p>
        </div>
        {evidence.seal === null ? null : (
          <Rosette
            root={evidence.seal.root}
            title={(root) => text('evidence.result.rosette', { root })}
            hint={text('evidence.result.rosette.hint')}
          />
        )}
      </header>
      {evidence.seal === null ? null : <Seal seal={evidence.seal} anchor={evidence.anchor} />}
      <KeepFiles evidence={evidence} token={token} />
      <SellLicenses evidence={evidence} />
      <GiveNotice evidence={evidence} />
      {evidence.seal === null ? null : <ProofHealth evidence={evidence} token={token} />}
      {evidence.reports === null ? null : (
        <section aria-labelledby="report-heading" className={styles['section']} data-screen="">
          <h2 id="report-heading">{text('evidence.result.report')}</h2>
          <Tabs defaultValue={locale} keepMounted={false}>
            <TabStrip>
              <Tabs.List aria-label={text('evidence.result.report')}>
                <Tabs.Tab value="en">{text('evidence.result.report.en')}</Tabs.Tab>
                <Tabs.Tab value="fr">{text('evidence.result.report.fr')}</Tabs.Tab>
              </Tabs.List>
            </TabStrip>
            <Tabs.Panel value="en" pt="md">
              <PdfFrame url={evidence.reports.en} title={text('evidence.result.report.frame')} />
            </Tabs.Panel>
            <Tabs.Panel value="fr" pt="md">
              <PdfFrame url={evidence.reports.fr} title={text('evidence.result.report.frame')} />
            </Tabs.Panel>
          </Tabs>
        </section>
      )}
      {evidence.preview === null ? null : (
        // On paper it is the report that shows it.
        <section aria-labelledby="recorded-heading" className={styles['section']} data-screen="">
          <h2 id="recorded-heading">{text('evidence.tabs')}</h2>
          <PreviewTabs evidence={evidence} preview={evidence.preview} token={undefined} refresh={props.refresh} />
        </section>
      )}
    </div>
  )
}

function Downloads(props: { id: string; token: EvidenceToken }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const download = useMutation({
    mutationFn: async (full: boolean) => {
      const link = await packageLink(props.id, props.token, full, locale)
      await saveFile({ url: link.zip_archive, name: link.file_name, bytes: link.bytes })
      return link.bytes
    },
    onError: () => notify('error', text('evidence.result.download_failed'), text('ui.notice.dismiss')),
  })
  const kinds = [
    { name: 'full', full: true, variant: 'filled' },
    { name: 'short', full: false, variant: 'default' },
  ] as const
  return (
    <div className={styles['downloads']} data-screen="" role="group" aria-label={text('evidence.result.downloads')}>
      {kinds.map(({ name, full, variant }) => {
        const mine = download.variables === full
        return (
          <div key={name}>
            <Button
              size="md"
              variant={variant}
              loading={download.isPending && mine}
              disabled={download.isPending && !mine}
              onClick={() => download.mutate(full)}
            >
              {text(`evidence.result.${name}`)}
            </Button>
            <p className={styles['soft']}>
              {text(`evidence.result.${name}.text`)}
              {download.isSuccess && mine ? ` ${formatBytes(download.data, locale)}` : null}
            </p>
          </div>
        )
      })}
    </div>
  )
}

function Seal(props: { seal: EvidenceSeal; anchor: EvidenceAnchor | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { seal, anchor } = props
  return (
    <Facts
      rows={[
        [text('evidence.result.root'), <Fingerprint key="root" value={seal.root} what={text('evidence.result.root')} />],
        [
          text('evidence.result.signed'),
          <>
            {formatExact(seal.signed_at, locale)}{' '}
            <span className={styles['soft']}>{text('evidence.result.by', { signer: visible(seal.signer) })}</span>
          </>,
        ],
        ...seal.timestamps.map(
          (stamp, i) =>
            [
              seal.timestamps.length === 1 ? text('evidence.result.dated') : `${text('evidence.result.dated')} (${i + 1})`,
              <>
                {formatExact(stamp.gen_time, locale)}{' '}
                <span className={styles['soft']}>{text('evidence.result.by', { signer: visible(stamp.authority) })}</span>
                <br />
                <strong>{text(`evidence.result.${stamp.qualification}`)}</strong>
                {stamp.embedded ? ` · ${text('evidence.result.embedded')}` : null}
              </>,
            ] as const,
        ),
        ...(seal.outside_stamps ? [] : [[text('evidence.result.own_only'), text('evidence.result.own_only.text')] as const]),
        ...(anchor === null ? [] : [[text('evidence.anchor'), <Anchor key="anchor" anchor={anchor} />] as const]),
      ]}
    />
  )
}
