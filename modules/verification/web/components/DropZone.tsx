import { useState, type ReactNode } from 'react'
import { filesOfInput, filesOfTransfer, type GivenFile } from '../read-files.ts'
import styles from '../pages/proofs.module.css'

/** One place for everything: files and folders are dropped or chosen. */
export function DropZone(props: {
  lead: string
  note: string
  /** Words of the buttons; the first is the usual way. */
  choices: readonly { readonly label: string; readonly folder?: boolean }[]
  onFiles: (files: readonly GivenFile[]) => void
  onNothing: () => void
  children?: ReactNode
}): ReactNode {
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
      <p>{props.lead}</p>
      <div className={styles['choices']}>
        {props.choices.map(({ label, folder = false }, i) => (
          <label key={label} className={styles['choice']} {...(i === 0 ? { 'data-main': '' } : {})}>
            <input
              type="file"
              multiple
              ref={(input) => {
                if (input !== null) input.webkitdirectory = folder
              }}
              className="visually-hidden"
              onChange={(event) => {
                give(filesOfInput([...(event.currentTarget.files ?? [])]))
                event.currentTarget.value = ''
              }}
            />
            {label}
          </label>
        ))}
      </div>
      <p className={styles['soft']}>{props.note}</p>
      {props.children}
    </div>
  )
}
