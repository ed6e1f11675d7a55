import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { groupHex } from '../../../../ui/intl/format.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Conclusion } from '../../domain/dossier/concluded/conclude.ts'
import { nameOfAuthority } from '../../domain/describe/describe-check.ts'
import { readFingerprints } from '../../domain/known/read-fingerprints.ts'
import { unknownAuthorities } from '../../domain/dossier/concluded/conclude.ts'
import styles from '../ask/proofs.module.css'
import { useWords } from './use-words.ts'
import { Field } from '../ask/Field.tsx'

/** Whom nobody here vouches for, with the fingerprint to compare; with the one that the reader has, everything is verified again. */
export function CompareFingerprint(props: {
  conclusion: Conclusion
  given: string
  onVerify: (fingerprints: string) => void
}): ReactNode {
  const text = useText()
  const words = useWords()
  const [typed, setTyped] = useState(props.given)
  const [wrong, setWrong] = useState(false)
  const unknown = unknownAuthorities(props.conclusion)
  if (unknown.length === 0) return null
  return (
    <section className={styles['forms']} aria-labelledby="compare" data-compare="">
      <h2 id="compare">{text('verification.compare.title')}</h2>
      <p>{text('verification.compare.lead')}</p>
      <dl>
        {unknown.map(({ name, sha256 }) => (
          <div key={sha256}>
            <dt>{nameOfAuthority(name, words)}</dt>
            <dd>
              <code>{groupHex(sha256)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const isNone = readFingerprints(typed) === undefined
          setWrong(isNone)
          if (!isNone) props.onVerify(typed)
        }}
      >
        <Field
          name="fingerprint"
          long={false}
          label={text('verification.compare.field')}
          error={wrong ? text('verification.compare.wrong') : undefined}
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit" size="md">
          {text('verification.compare.button')}
        </Button>
      </form>
    </section>
  )
}
