import { useRouter } from '@tanstack/react-router'
import { isValidElement, type MouseEvent, type ReactNode } from 'react'
import { useLocale } from '../intl/text.tsx'

/** What paper says of where it leads; nothing where the page itself is meant, or where its words say it. */
function addressOf(href: string, words: ReactNode): string | undefined {
  if (!/^(?:https?|mailto):/i.test(href)) return undefined
  const address = href.replace(/^mailto:/i, '')
  return renderedText(words) === address ? undefined : address
}

function renderedText(words: ReactNode): string {
  if (typeof words === 'string') return words
  if (Array.isArray(words)) return words.map((each: ReactNode) => renderedText(each)).join('')
  return isValidElement<{ readonly children?: ReactNode }>(words) ? renderedText(words.props.children) : ''
}

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
    <a href={href} data-address={addressOf(href, props.children)} {...(isPage ? { onClick: go } : {})}>
      {props.children}
    </a>
  )
}
