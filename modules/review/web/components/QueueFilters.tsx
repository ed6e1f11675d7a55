import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import {
  claimFilters,
  orderings,
  readQueueSearch,
  stateFilters,
  statusFilters,
  typeFilters,
  type QueueSearch,
} from '../queue-search.ts'
import styles from '../users.module.css'

/** Chosen at once, typed by Enter: all of it goes into the address. */
export function QueueFilters(props: { search: QueueSearch; onChange: (search: QueueSearch) => void }): ReactNode {
  const text = useText()
  const id = useId()
  const { search, onChange } = props
  const submit = (_: string, { form }: HTMLSelectElement) => form?.requestSubmit()
  const any = text('review.page.filter.any')
  return (
    <form
      role="search"
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault()
        const given = Object.fromEntries(new FormData(event.currentTarget))
        onChange(readQueueSearch(given))
      }}
    >
      <div className={styles['search']}>
        <label htmlFor={id}>{text('review.page.filter.search')}</label>
        <div>
          <input
            key={search.search}
            id={id}
            name="search"
            type="search"
            defaultValue={search.search}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            aria-keyshortcuts="/"
          />
          <Button type="submit" variant="default">
            {text('review.page.filter.find')}
          </Button>
        </div>
      </div>
      <LabelledSelect
        name="state"
        label={text('review.page.filter.state')}
        value={search.state}
        options={stateFilters.map((each) => [each, text(`review.page.filter.state.${each}`)])}
        onChoose={submit}
      />
      <LabelledSelect
        name="claimed"
        label={text('review.page.filter.claimed')}
        value={search.claimed ?? ''}
        options={[['', any], ...claimFilters.map((each) => [each, text(`review.page.filter.claimed.${each}`)] as const)]}
        onChoose={submit}
      />
      <LabelledSelect
        name="user_type"
        label={text('review.page.filter.user_type')}
        value={search.user_type ?? ''}
        options={[['', any], ...typeFilters.map((each) => [each, text(`review.page.filter.user_type.${each}`)] as const)]}
        onChoose={submit}
      />
      <LabelledSelect
        name="status"
        label={text('review.page.filter.status')}
        value={search.status ?? ''}
        options={[['', any], ...statusFilters.map((each) => [each, text(`review.page.status.${each}`)] as const)]}
        onChoose={submit}
      />
      <LabelledSelect
        name="ordering"
        label={text('review.page.filter.ordering')}
        value={search.ordering}
        options={orderings.map((each) => [each, text(`review.page.filter.ordering.${each}`)])}
        onChoose={submit}
      />
    </form>
  )
}
