import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import type { Brand } from '../sign-in.ts'

/** By which of its two addresses an authentication page was entered. */
export type Entry = { readonly brand: Brand; readonly path: '/$locale/authentication/$/' | '/$locale/old-authentication/$/' }

/** Keeps what was asked for: where to return to, who referred. */
export function OtherPage(props: { entry: Entry; page: string; label: MessageId }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <Link to={props.entry.path} params={{ locale, _splat: props.page }} search>
      {text(props.label)}
    </Link>
  )
}
