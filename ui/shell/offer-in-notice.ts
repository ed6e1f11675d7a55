import { createElement, type ReactElement } from 'react'
import { NoticeAction } from './NoticeAction.tsx'
import type { NoticeOffer } from './notify.ts'

/** Apart from {@link notify}: it comes with the first notice that offers something. */
export function offerInNotice(message: string, offer: NoticeOffer, hide: () => void): ReactElement {
  return createElement(NoticeAction, {
    message,
    label: offer.label,
    onAct: () => {
      hide()
      offer.act()
    },
  })
}
