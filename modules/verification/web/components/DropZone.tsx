import { useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { filesOfInput, filesOfTransfer, type GivenFile } from '../read-files.ts'
import styles from '../pages/proofs.module.css'

/** One place for everything: files and folders are dropped or chosen, text is pasted. */
export function DropZone(props: { onFiles: (files: readonly GivenFile[]) => void; onNothing: () => void }): ReactNode {
  const text = useText()
  const [over, setOver] = useState(false)
  const give = (files: readonly GivenFile[]) => (files.length === 0 ? props.onNothing() : props.onFiles(files))
  return (
    <div
      className={styles['drop']}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        filesOfTransfer(event.dataTransfer).then(give, props.onNothing)
      }}
    >
      <p>{text('verification.page.drop')}</p>
      <div className={styles['choices']}>
        <label className={styles['choice']} data-main="">
          <input
            type="file"
            multiple
            className="visually-hidden"
            onChange={(event) => {
              give(filesOfInput([...(event.currentTarget.files ?? [])]))
              event.currentTarget.value = ''
            }}
          />
          {text('verification.page.choose_files')}
        </label>
        <label className={styles['choice']}>
          <input
            type="file"
            multiple
            ref={(input) => {
              if (input !== null) input.webkitdirectory = true
            }}
            className="visually-hidden"
            onChange={(event) => {
              give(filesOfInput([...(event.currentTarget.files ?? [])]))
              event.currentTarget.value = ''
            }}
          />
          {text('verification.page.choose_folder')}
        </label>
      </div>
      <p className={styles['soft']}>
        {text('verification.page.paste')} {text('verification.page.local')}
      </p>
    </div>
  )
}
