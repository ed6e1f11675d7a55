import { useNavigate, useSearch, type LinkProps } from '@tanstack/react-router'
import { useLocale } from '../intl/text.tsx'
import type { ListKind, Place } from './list-view.ts'

/** @param how.on goes on from where one is, and makes no step to go back from; `top`: at the top of the page */
export type GoToView<View> = (change: Partial<View>, how?: { readonly on?: boolean; readonly top?: boolean }) => void

/** What the address of the page has its list show, and the way to have it show something else. @param to the address of the list */
export function useListView<View extends Place<string>>(
  { readView, addressOfView }: ListKind<View>,
  to: NonNullable<LinkProps['to']>,
): readonly [View, GoToView<View>] {
  const locale = useLocale()
  const navigate = useNavigate()
  const view = readView(useSearch({ strict: false }))
  return [
    view,
    (change, { on = false, top = false } = {}) =>
      void navigate({
        to,
        params: { locale },
        // What is listed otherwise begins at its first page.
        search: addressOfView({ ...view, page: 1, ...change }),
        replace: on,
        resetScroll: top,
      }),
  ]
}
