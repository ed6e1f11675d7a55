import { useContext, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { BarStart } from './bar-start.ts'

/** Stands at the beginning of the bar above the list. */
export function InBar(props: { children: ReactNode }): ReactNode {
  const place = useContext(BarStart)?.place ?? null
  return place === null ? null : createPortal(props.children, place)
}
