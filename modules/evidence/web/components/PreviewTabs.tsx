import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import { PdfFrame } from './PdfFrame.tsx'
import { PreviewChecklist } from './PreviewChecklist.tsx'
import { PreviewImages } from './PreviewImages.tsx'
import { PreviewNetwork } from './PreviewNetwork.tsx'
import { PreviewVantage } from './PreviewVantage.tsx'
import { PreviewPieces } from './PreviewPieces.tsx'
import { ReportPreview } from './ReportPreview.tsx'
import { RobotActions } from './RobotActions.tsx'
import styles from './preview.module.css'

const tabs = ['images', 'report', 'vantage', 'pdf', 'network', 'checklist', 'pieces'] as const

/**
 * The recorded material, by kind; the same for a draft and for a sealed report. With the `token` of a draft also its report as it
 * will be.
 */
export function PreviewTabs(props: {
  evidence: Evidence
  preview: EvidencePreview
  token: string | null
  refresh: () => void
}): ReactNode {
  const text = useText()
  const { evidence, preview, token } = props
  const { vantage } = preview
  const given = tabs.filter((tab) => (tab !== 'vantage' || vantage !== null) && (tab !== 'report' || token !== null))
  const panels = {
    images: (
      <>
        <RobotActions preview={preview} />
        <PreviewImages preview={preview} refresh={props.refresh} />
      </>
    ),
    report: token === null ? null : <ReportPreview id={evidence.id} token={token} />,
    vantage: vantage === null ? null : <PreviewVantage preview={preview} vantage={vantage} refresh={props.refresh} />,
    pdf:
      preview.page_pdf_url === null ? (
        <p>{text('evidence.pdf.none')}</p>
      ) : (
        <PdfFrame url={preview.page_pdf_url} title={text('evidence.pdf.frame')} />
      ),
    network: <PreviewNetwork evidence={evidence} preview={preview} />,
    checklist: <PreviewChecklist preview={preview} />,
    pieces: <PreviewPieces preview={preview} />,
  }
  return (
    <Tabs defaultValue="images" keepMounted={false}>
      <Tabs.List aria-label={text('evidence.tabs')}>
        {given.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {text(`evidence.tab.${tab}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {given.map((tab) => (
        <Tabs.Panel key={tab} value={tab} className={styles['panel'] ?? ''}>
          {panels[tab]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
