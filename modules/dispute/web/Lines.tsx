import { Fragment, type ReactNode } from 'react'
import { visible } from '../../../ui/intl/visible.ts'

/** Text in lines: they end where they were typed, and whatever else cannot be seen in them is shown. */
export function Lines({ text }: { text: string }): ReactNode {
  return text.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index === 0 ? null : <br />}
      {visible(line)}
    </Fragment>
  ))
}
