import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useLocale } from '../intl/text.tsx'

/** A link of a text: to a page of the same language it leads within the application, as every link of a page does. */
export function TextLink(props: { href: string; children: ReactNode }): ReactNode {
  const { href } = props
  const locale = useLocale()
  // A text may be shown where there is no application around it.
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | null
  const isPage = router !== null && href.startsWith(`/${locale}/`)
  const go = (event: MouseEvent) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    router?.history.push(href)
  }
  return (
    <a href={href} {...(isPage ? { onClick: go } : {})}>
      {props.children}
    </a>
  )
}
