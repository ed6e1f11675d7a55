import { Tabs } from '@mantine/core'
import { Suspense, useState, type ReactNode } from 'react'
import { TabStrip } from '../../../../ui/controls/TabStrip.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { SessionExchanges, SessionFacts, SessionReview, SessionShots, type Focus } from '../../../live/web/index.ts'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { PdfFrame } from './PdfFrame.tsx'
import { PreviewChecklist } from './PreviewChecklist.tsx'
import { PreviewImages } from './PreviewImages.tsx'
import { PreviewNetwork } from './PreviewNetwork.tsx'
import { PreviewVantage } from './PreviewVantage.tsx'
import { PreviewPieces } from './PreviewPieces.tsx'
import { ReportPreview } from './ReportPreview.tsx'
import { RobotActions } from './RobotActions.tsx'
import styles from './preview.module.css'

const tabs = ['recording', 'images', 'session', 'report', 'vantage', 'pdf', 'network', 'checklist', 'pieces'] as const

/**
 * The recorded material, by kind; the same for a draft and for a sealed report. With the `token` of a draft also its report as it
 * will be.
 */
export function PreviewTabs(props: {
  evidence: Evidence
  preview: EvidencePreview
  token: EvidenceToken | undefined
  refresh: () => void
}): ReactNode {
  const text = useText()
  const { evidence, preview, token } = props
  const { vantage, session } = preview
  const given = tabs.filter((tab) => {
    if (tab === 'recording' || tab === 'session') return session !== null
    return (tab !== 'vantage' || vantage !== null) && (tab !== 'report' || token !== undefined)
  })
  const [tab, setTab] = useState<string>(given[0] ?? 'images')
  const [focus, setFocus] = useState<Focus | null>(null)
  const { refresh } = props
  /** From one tab to what belongs to it in another. */
  const show = (next: Focus) => {
    setFocus(next)
    setTab('ms' in next ? 'recording' : 'shot' in next ? 'images' : 'network')
  }
  const panels = {
    recording: session === null ? null : <SessionReview session={session} focus={focus} show={show} refresh={refresh} />,
    session: session === null ? null : <SessionFacts session={session} show={show} />,
    images:
      session !== null ? (
        <SessionShots session={session} focus={focus} show={show} refresh={refresh} />
      ) : (
        <>
          <RobotActions preview={preview} />
          <PreviewImages preview={preview} refresh={props.refresh} />
        </>
      ),
    report:
      token === undefined ? null : <ReportPreview evidence={evidence} preview={preview} token={token} refresh={props.refresh} />,
    vantage: vantage === null ? null : <PreviewVantage preview={preview} vantage={vantage} refresh={props.refresh} />,
    pdf:
      preview.page_pdf_url === null ? (
        <p>{text('evidence.pdf.none')}</p>
      ) : (
        <PdfFrame url={preview.page_pdf_url} title={text('evidence.pdf.frame')} />
      ),
    network: (
      <>
        <PreviewNetwork evidence={evidence} preview={preview} />
        {session === null ? null : <SessionExchanges session={session} focus={focus} show={show} />}
      </>
    ),
    checklist: <PreviewChecklist preview={preview} />,
    pieces: <PreviewPieces preview={preview} />,
  }
  return (
    <Tabs value={tab} onChange={(next) => setTab(next ?? 'images')} keepMounted={false}>
      <TabStrip>
        <Tabs.List aria-label={text('evidence.tabs')}>
          {given.map((one) => (
            <Tabs.Tab key={one} value={one} className={styles['tab'] ?? ''}>
              {text(one === 'recording' || one === 'session' ? `review.tab.${one}` : `evidence.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </TabStrip>
      {given.map((one) => (
        <Tabs.Panel key={one} value={one} className={styles['panel'] ?? ''}>
          <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>{panels[one]}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
