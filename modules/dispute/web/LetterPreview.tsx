import type { ReactNode } from 'react'
import { useText } from '../../../ui/intl/text.tsx'
import { visible } from '../../../ui/intl/visible.ts'
import type { DisputePack } from '../contract/packs.ts'
import { readLetter, type PlaceholderNames } from '../domain/letter.ts'
import { Lines } from './Lines.tsx'
import styles from './dispute.module.css'

/** The letter as it stands in the page, with what it is filled in with; what is missing stays in its braces. */
export function LetterPreview({ pack, letter }: { pack: DisputePack; letter: string }): ReactNode {
  const text = useText()
  const names = Object.fromEntries(pack.placeholders.map(({ id, name }) => [id, name])) as PlaceholderNames
  const values = new Map(pack.placeholders.map(({ id, value }) => [id, value]))
  const { parts, unknown } = readLetter(letter, names)
  return (
    <section className={`${styles['section']} ${styles['beside']}`} aria-labelledby="preview-heading">
      <h2 id="preview-heading">{text('dispute.page.preview')}</h2>
      {unknown.length === 0 ? null : (
        <p className={styles['notice']} data-tone="bad" role="status">
          {text('dispute.page.unknown', { words: unknown.map((each) => visible(each)).join(', ') })}
        </p>
      )}
      <div className={styles['preview']} lang={pack.language}>
        {parts.map((part, index) =>
          'text' in part ? (
            <Lines key={index} text={part.text} />
          ) : (
            <strong key={index}>
              <Lines text={values.get(part.placeholder) ?? `{${names[part.placeholder]}}`} />
            </strong>
          ),
        )}
      </div>
    </section>
  )
}
