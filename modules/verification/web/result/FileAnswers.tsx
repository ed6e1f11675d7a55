import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { answerLines } from '../../domain/describe/describe-answers.ts'
import type { Dossier } from '../../domain/dossier/dossier.ts'
import { useWords } from './use-words.ts'
import styles from './verification-result.module.css'

const mostFiles = 100

/** File by file, what its proofs prove together: those that fail first. */
export function FileAnswers(props: { dossier: Dossier }): ReactNode {
  const text = useText()
  const { count, lines, more } = answerLines(props.dossier, mostFiles, useWords())
  if (lines.length === 0 && count === '') return null
  return (
    <section className={styles['section']} aria-labelledby="files">
      <h2 id="files">{text('verification.dossier.answers')}</h2>
      {count === '' ? null : <p>{count}</p>}
      <ul className={styles['answers']}>
        {lines.map(({ verdict, word, sentence, proofs }, i) => (
          <li key={i} data-answer={verdict}>
            <b>{word}</b>
            <p>{sentence}</p>
            {proofs === '' ? null : <p className={styles['note']}>{proofs}</p>}
          </li>
        ))}
      </ul>
      {more === '' ? null : <p>{more}</p>}
    </section>
  )
}
