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
import { RobotActions } from './RobotActions.tsx'
import styles from './preview.module.css'

const tabs = ['images', 'vantage', 'pdf', 'network', 'checklist', 'pieces'] as const

/** The recorded material, by kind; the same for a draft and for a sealed report. */
export function PreviewTabs(props: { evidence: Evidence; preview: EvidencePreview; refresh: () => void }): ReactNode {
  const text = useText()
  const { evidence, preview } = props
  const { vantage } = preview
  const given = tabs.filter((tab) => tab !== 'vantage' || vantage !== null)
  const panels = {
    images: (
      <>
        <RobotActions preview={preview} />
        <PreviewImages preview={preview} refresh={props.refresh} />
      </>
    ),
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
