import { createElement, type ReactElement } from 'react'
import { NoticeAction } from './NoticeAction.tsx'

/** What the notice offers besides being closed: to take back what it tells of. The notice goes when it is pressed. */
export type NoticeOffer = { readonly label: string; readonly act: () => void }

/** Apart from `notify`: it comes with the first notice that offers something. */
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
