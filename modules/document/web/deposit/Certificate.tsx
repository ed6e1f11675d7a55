import { Button, Tabs } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { request } from '../../../../ui/api/call.ts'
import { TabStrip } from '../../../../ui/controls/TabStrip.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { PdfFrame } from '../../../../ui/media/PdfFrame.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Document } from '../../contract/document.ts'
import { readCertificate } from '../../contract/endpoints.ts'
import { comesByItself, lacksCertificate } from './queries.ts'
import styles from './deposit.module.css'

/** The certificate in the page, in both languages. @param asked its reader had it made, and waits for it: it is brought before him */
export function Certificate(props: { document: Pick<Document, 'certificates'>; asked?: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { certificates } = props.document
  const heading = useRef<HTMLHeadingElement>(null)
  const opens = props.asked === true && certificates !== null
  useEffect(() => {
    if (opens) heading.current?.focus()
  }, [opens])
  if (certificates === null) return null
  const words = {
    open: text('document.pdf.open'),
    download: (size: string) => text('document.pdf.download', { size }),
    hint: text('document.pdf.hint'),
  }
  return (
    <section className={styles['section']} aria-labelledby="certificate-heading" data-screen="">
      <h2 id="certificate-heading" ref={heading} tabIndex={-1}>
        {text('document.certificate')}
      </h2>
      <Tabs defaultValue={locale} keepMounted={false}>
        <TabStrip>
          <Tabs.List aria-label={text('document.certificate')}>
            <Tabs.Tab value="en">{text('document.certificate.en')}</Tabs.Tab>
            <Tabs.Tab value="fr">{text('document.certificate.fr')}</Tabs.Tab>
          </Tabs.List>
        </TabStrip>
        {(['en', 'fr'] as const).map((language) => (
          <Tabs.Panel key={language} value={language} pt="md">
            <PdfFrame url={certificates[language]} title={text('document.certificate.frame')} words={words} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}

/** It is on its way, or is made when it is asked for. */
export function CertificateToCome(props: { document: Document; asked: boolean; onAsked: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const { document } = props
  const asking = useMutation({
    mutationFn: async () => {
      try {
        const answer = await request(
          readCertificate,
          { params: { id: document.id }, query: { language: locale } },
          'application/pdf',
        )
        await answer.body?.cancel()
      } catch (error) {
        // To ask for one that is not there is what has it made.
        if (!(error instanceof ApiError) || error.code !== 'document.certificate_not_ready') throw error
      }
    },
    onSuccess: props.onAsked,
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  if (!lacksCertificate(document)) return null
  return (
    <section className={styles['section']} aria-labelledby="certificate-heading" data-screen="">
      <h2 id="certificate-heading">{text('document.certificate')}</h2>
      {props.asked || comesByItself(document) ? (
        <p role="status">{text('document.certificate.making')}</p>
      ) : (
        <p className={styles['soft']}>{text('document.certificate.on_demand')}</p>
      )}
      {comesByItself(document) ? null : (
        <p>
          <Button variant="default" size="md" loading={props.asked || asking.isPending} onClick={() => asking.mutate()}>
            {text('document.certificate.make')}
          </Button>
        </p>
      )}
    </section>
  )
}
