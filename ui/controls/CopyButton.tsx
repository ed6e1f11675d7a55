import { Button } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'

/** Copies a value and says so, to the eye and to screen readers. */
export function CopyButton(props: { value: string; what: string }): ReactNode {
  const text = useText()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 3000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        mih={44}
        px="sm"
        aria-label={text(copied ? 'ui.copied_what' : 'ui.copy_what', { what: props.what })}
        onClick={() => {
          navigator.clipboard.writeText(props.value).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }}
      >
        {copied ? text('ui.copied') : text('ui.copy')}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? text('ui.copied') : ''}
      </span>
    </>
  )
}
