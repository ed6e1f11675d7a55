import type { ReactNode } from 'react'
import { FormattedMessage, useIntl, type MessageDescriptor } from 'react-intl'
import { isLocale, type Locale } from '../../kernel/locale.ts'

/** Ids of every catalogue; apps/web declares the union, so an unknown id is a type error. */
export type MessageId = NonNullable<MessageDescriptor['id']>
export type Values = Readonly<Record<string, string | number | Date | null | undefined>>

/** Formats a message of the current language. */
export function useText(): (id: MessageId, values?: Values) => string {
  const { formatMessage } = useIntl()
  return (id, values) => formatMessage({ id }, values)
}

/**
 * For ids that arrive as data (failure codes, steps, checklist lines): null when the catalogue has no such message, or the message
 * speaks of values that were not given, so that the caller shows the code itself rather than nothing, or a sentence with braces.
 */
export function useOptionalText(): (id: string, values?: Readonly<Record<string, unknown>>) => string | null {
  const { formatMessage, messages } = useIntl()
  return (id, values) => {
    if (!Object.hasOwn(messages, id)) return null
    const sentence = formatMessage({ id: id as MessageId }, values as Values)
    // What cannot be formatted comes back as it is written in the catalogue.
    return sentence.includes('{') && sentence === messages[id as MessageId] ? null : sentence
  }
}

const tags = {
  b: (chunks: ReactNode) => <strong>{chunks}</strong>,
  i: (chunks: ReactNode) => <em>{chunks}</em>,
  c: (chunks: ReactNode) => <code>{chunks}</code>,
}

/** A message with `<b>`, `<i>` and `<c>` (code) in its text, and tags of the caller's own. */
export function Message(props: {
  id: MessageId
  values?: Readonly<Record<string, string | number | ReactNode | ((chunks: ReactNode) => ReactNode)>>
}): ReactNode {
  return <FormattedMessage id={props.id} values={{ ...tags, ...props.values }} />
}

export function useLocale(): Locale {
  const { locale } = useIntl()
  return isLocale(locale) ? locale : 'en'
}
