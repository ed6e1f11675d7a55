import { useId, type ReactNode } from 'react'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { showUnseen } from '../../../../ui/intl/visible.ts'
import { faultOfAttachments } from '../../domain/draft-faults.ts'
import { useFieldText } from '../field-text.ts'
import { announced } from '../announced.ts'
import styles from '../support.module.css'

/** Code of what is wrong with them; null: nothing is. */
export const faultOfFiles = (files: readonly File[]): string | null => faultOfAttachments(announced(files))

export function AttachmentPicker(props: { files: readonly File[]; onFiles: (files: readonly File[]) => void }): ReactNode {
  const { files, onFiles } = props
  const text = useText()
  const locale = useLocale()
  const fieldText = useFieldText()
  const id = useId()
  const fault = faultOfFiles(files)
  return (
    <div className={styles['files']}>
      <p id={`${id}-label`} className={styles['label']}>
        {text('support.page.files')}
      </p>
      <p id={`${id}-hint`} className={styles['soft']}>
        {text('support.page.files_hint')}
      </p>
      {files.length === 0 ? null : (
        <ul aria-labelledby={`${id}-label`}>
          {files.map((file, i) => (
            <li key={`${file.name} ${String(i)}`}>
              <span>{text('support.page.file_size', { name: showUnseen(file.name), size: formatBytes(file.size, locale) })}</span>
              <button
                type="button"
                aria-label={text('support.page.remove_file', { name: showUnseen(file.name) })}
                onClick={() => onFiles(files.filter((_, other) => other !== i))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <label className={styles['choose']}>
        <input
          type="file"
          multiple
          className="visually-hidden"
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={({ currentTarget }) => {
            onFiles([...files, ...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
        {text('support.page.add_files')}
      </label>
      <p id={`${id}-error`} className={styles['fault']} role="alert">
        {fault === null ? null : fieldText({ message: fault })}
      </p>
    </div>
  )
}
