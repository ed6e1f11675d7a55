import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../intl/text.tsx'

/** The drawer of narrow windows: traps the focus while open and gives it back. Fetched when first opened. */
export function NarrowDrawer(props: { open: boolean; onClose: () => void; children: ReactNode }): ReactNode {
  const text = useText()
  return (
    <Drawer
      opened={props.open}
      onClose={props.onClose}
      size="17rem"
      title={<span className="visually-hidden">{text('ui.menu.label')}</span>}
      closeButtonProps={{ 'aria-label': text('ui.menu.close'), size: 44 }}
    >
      {props.children}
    </Drawer>
  )
}
