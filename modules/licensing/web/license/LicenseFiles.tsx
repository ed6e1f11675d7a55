import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Locale } from '../../../../kernel/locale.ts'
import { call, request } from '../../../../ui/api/call.ts'
import { saveBlob, saveFile } from '../../../../ui/api/save-file.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { downloadLicense, licensePackage, type License } from '../../contract/licenses.ts'
import styles from '../components/licensing.module.css'

/** C-48: the document in both languages; and, of what one bought, the package. */
export function LicenseFiles({ license }: { license: License }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { id, number } = license
  const onError = (error: unknown) => notify('error', errorText(error), text('ui.notice.dismiss'))
  const document = useMutation({
    mutationFn: async (language: Locale) => {
      const answer = await request(downloadLicense, { params: { id }, query: { language } }, 'application/pdf')
      saveBlob(await answer.blob(), `licence-${number ?? id}.${language}.pdf`)
    },
    onError,
  })
  const whole = useMutation({
    mutationFn: async () => {
      const link = await call(licensePackage, { params: { id } })
      await saveFile({ url: link.zip_archive, name: link.file_name, bytes: link.bytes })
    },
    onError,
  })
  if (license.status === 'paid') return <p role="status">{text('licensing.license.being_made')}</p>
  if (license.status === 'revoked')
    return (
      <p className={styles['notice']} data-tone="bad">
        {text('licensing.revoked')}
      </p>
    )
  if (license.status !== 'active') return null
  return (
    <div className={styles['actions']} role="group" aria-label={text('licensing.license.files', { number: number ?? '' })}>
      {(['en', 'fr'] as const).map((language) => (
        <Button
          key={language}
          variant="default"
          size="md"
          loading={document.isPending && document.variables === language}
          onClick={() => document.mutate(language)}
        >
          {text(`licensing.license.pdf.${language}`)}
        </Button>
      ))}
      {license.side === 'bought' ? (
        <Button size="md" loading={whole.isPending} onClick={() => whole.mutate()}>
          {text('licensing.license.package')}
        </Button>
      ) : null}
    </div>
  )
}
