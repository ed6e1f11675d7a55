import { useState, type ReactNode } from 'react'
import styles from './drop-zone.module.css'

/** One place for files: they are dropped, folders too, or chosen. */
export function DropZone(props: {
  lead: string
  note: string
  /** Words of the buttons; the first is the usual way. */
  choices: readonly { readonly label: string; readonly folder?: boolean }[]
  /** One file alone. */
  single?: boolean
  /** Called while the event lasts: afterwards nothing can be had of what was dropped. */
  onDropped: (transfer: DataTransfer) => void
  onChosen: (files: readonly File[]) => void
  children?: ReactNode
}): ReactNode {
  const [over, setOver] = useState(false)
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
        props.onDropped(event.dataTransfer)
      }}
    >
      <p>{props.lead}</p>
      <div className={styles['choices']}>
        {props.choices.map(({ label, folder = false }, i) => (
          <label key={label} className={styles['choice']} {...(i === 0 ? { 'data-main': '' } : {})}>
            <input
              type="file"
              multiple={props.single !== true}
              ref={(input) => {
                if (input !== null) input.webkitdirectory = folder
              }}
              className="visually-hidden"
              onChange={(event) => {
                props.onChosen([...(event.currentTarget.files ?? [])])
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
