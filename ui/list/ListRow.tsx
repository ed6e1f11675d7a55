import type { HTMLAttributes, ReactNode } from 'react'
import { useIsNarrow } from './use-is-narrow.ts'
import styles from './rows.module.css'

/**
 * A row of a list in two lines: what it is, and when and how. How far it is and what is done most stand beside, on a phone in the second line.
 */
export function ListRow(props: {
  /** Where rows can be selected; its room alone where this one cannot. */
  check?: ReactNode
  picture?: ReactNode
  /** The link that opens it, with `data-open`. */
  name: ReactNode
  /** Beside its name, where there is room. */
  aside?: ReactNode
  /** When, and what else is said of it. */
  more: ReactNode
  figure?: ReactNode
  status: ReactNode
  /** Nearly every row of the list is so: where there is little room it is told to screen readers alone. */
  usual?: boolean
  action?: ReactNode
  menu?: ReactNode
  /** Below it all, as wide as the row. */
  below?: ReactNode
  selected?: boolean
  on?: HTMLAttributes<HTMLLIElement> & { readonly 'data-over'?: boolean }
}): ReactNode {
  const narrow = useIsNarrow()
  const action = props.action == null ? null : <div className={styles['action']}>{props.action}</div>
  const beside = narrow ? (
    props.menu
  ) : (
    <>
      {props.figure}
      {props.status}
      {action}
      {props.menu}
    </>
  )
  return (
    <li className={styles['row']} data-selected={props.selected === true ? '' : undefined} {...props.on}>
      {props.check == null ? null : <div className={styles['rowCheck']}>{props.check}</div>}
      {props.picture === undefined || narrow ? null : props.picture}
      <div className={styles['what']}>
        <div className={styles['line']}>
          {props.name}
          {props.aside == null ? null : <span className={styles['aside']}>{props.aside}</span>}
        </div>
        <div className={styles['line']} data-more="">
          {narrow ? action : null}
          {narrow ? props.usual === true ? <span className="visually-hidden">{props.status}</span> : props.status : null}
          {narrow ? props.figure : null}
          <span className={styles['more']}>{props.more}</span>
        </div>
      </div>
      {beside == null ? null : <div className={styles['beside']}>{beside}</div>}
      {props.below == null ? null : <div className={styles['below']}>{props.below}</div>}
    </li>
  )
}
