import type { MessageDescriptor } from '@formatjs/intl'
import { createElement, Fragment, useMemo, type ReactNode } from 'react'
import { isLocale, type Locale } from '../../kernel/locale.ts'
import { withWholeNames } from './whole.tsx'
import { useSpeaker, type Speaker } from './words.tsx'

/** Ids of every catalogue; apps/web declares the union, so an unknown id is a type error. */
export type MessageId = NonNullable<MessageDescriptor['id']>
export type Values = Readonly<Record<string, string | number | Date | null | undefined>>

/** In words alone: whoever has more than words to fill in has {@link Message}. */
const wordsOf = ({ say }: Speaker, id: string, values?: Values): string | null => {
  const said = say(id, values)
  return said === null || typeof said === 'string' ? said : said.filter((part) => typeof part === 'string').join('')
}

/** Formats a message of the current language. */
export function useText(): (id: MessageId, values?: Values) => string {
  const speaker = useSpeaker()
  return useMemo(() => (id, values) => wordsOf(speaker, id, values) ?? id, [speaker])
}

/**
 * For ids that arrive as data (failure codes, steps, checklist lines): null when the catalogue has no such message, or the message
 * speaks of values that were not given, so that the caller shows the code itself rather than nothing, or a sentence with braces.
 */
export function useOptionalText(): (id: string, values?: Readonly<Record<string, unknown>>) => string | null {
  const speaker = useSpeaker()
  return (id, values) => (Object.hasOwn(speaker.words, id) ? wordsOf(speaker, id, values as Values) : null)
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
  const said = useSpeaker().say(props.id, { ...tags, ...props.values }) ?? props.id
  return typeof said === 'string'
    ? withWholeNames(said)
    : createElement(Fragment, null, ...said.map((part) => (typeof part === 'string' ? withWholeNames(part) : part)))
}

export function useLocale(): Locale {
  const { locale } = useSpeaker()
  return isLocale(locale) ? locale : 'en'
}
