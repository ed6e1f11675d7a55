import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import { ContentMarkdown } from '../markdown/ContentMarkdown.tsx'

export function HelpText(props: { name: string; page: string; open: boolean; onClose: () => void }): ReactNode {
  const text = useText()
  return (
    <Modal
      opened={props.open}
      onClose={props.onClose}
      size="lg"
      title={text('ui.help.title', { page: props.page })}
      closeButtonProps={{ 'aria-label': text('ui.help.close'), size: 44 }}
    >
      <ContentMarkdown path={`help/${props.name}`} />
    </Modal>
  )
}
