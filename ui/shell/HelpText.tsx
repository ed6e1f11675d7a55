import type { ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useText } from '../intl/text.tsx'
import { ContentMarkdown } from '../markdown/ContentMarkdown.tsx'

export function HelpText(props: { name: string; page: string; open: boolean; onClose: () => void }): ReactNode {
  const text = useText()
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={text('ui.help.title', { page: props.page })}
      closeLabel={text('ui.help.close')}
    >
      <ContentMarkdown path={`help/${props.name}`} />
    </Dialog>
  )
}
