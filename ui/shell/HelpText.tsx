import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useLocale, useText } from '../intl/text.tsx'
import { contentQuery } from '../markdown/content-query.ts'
import { ContentMarkdown } from '../markdown/ContentMarkdown.tsx'
import { SearchText } from '../markdown/SearchText.tsx'
import { searchIn } from './search-in.ts'

export function HelpText(props: { name: string; page: string; open: boolean; onClose: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={text('ui.help.title', { page: props.page })}
      closeLabel={text('ui.help.close')}
    >
      <ContentMarkdown path={`help/${props.name}`} />
      <SearchText
        label={text('ui.search.guide')}
        prepare={async () => await searchIn(await queries.ensureQueryData(contentQuery(locale, 'guide')))}
        examples={text('ui.search.examples').split(', ')}
        onChoose={(hash) => {
          props.onClose()
          void navigate({ to: '/$locale/guide/', params: { locale }, hash })
        }}
      />
    </Dialog>
  )
}
