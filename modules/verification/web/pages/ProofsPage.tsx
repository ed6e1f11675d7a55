import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { VerificationResult } from '../components/VerificationResult.tsx'
import { useVerification } from '../use-verification.ts'
import styles from './proofs.module.css'

/** A package that another page hands over, to be verified without being chosen by hand. */
export type HandedPackage = { readonly load: () => Promise<File> }

/** anyone checks a package, in the browser, by the code that verify.html and the command line use. */
export function ProofsPage(props: { handed: HandedPackage | null }): ReactNode {
  const text = useText()
  const { verification, verify, stop } = useVerification()
  const [over, setOver] = useState(false)
  const [unloaded, setUnloaded] = useState(false)
  const take = (files: readonly File[]) => {
    setUnloaded(false)
    const [first] = files
    if (first === undefined) return
    if (files.length === 1 && first.webkitRelativePath === '') {
      verify(first.name, { kind: 'zip', file: first })
      return
    }
    // The paths in the package start below the chosen folder.
    const below = files.map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file }))
    verify(first.webkitRelativePath.split('/')[0] ?? first.name, { kind: 'folder', files: below })
  }
  const handed = useRef(props.handed)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    let current = true
    handed.current?.load().then(
      (file) => {
        if (current) latest.current([file])
      },
      () => {
        if (current) setUnloaded(true)
      },
    )
    return () => {
      current = false
    }
  }, [])
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{text('site.proofs.title')}</h1>
        <p className={styles['lead']}>{text('site.proofs.lead')}</p>
      </header>
      <div
        className={styles['drop']}
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take([...event.dataTransfer.files].slice(0, 1))
        }}
      >
        <p>{text('site.proofs.drop')}</p>
        <div className={styles['choices']}>
          <label className={styles['choice']} data-main="">
            <input
              type="file"
              accept=".zip,.asice,application/zip"
              className="visually-hidden"
              onChange={(event) => {
                take([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            {text('site.proofs.choose')}
          </label>
          <label className={styles['choice']}>
            <input
              type="file"
              multiple
              ref={(input) => {
                if (input !== null) input.webkitdirectory = true
              }}
              className="visually-hidden"
              onChange={(event) => {
                take([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            {text('site.proofs.choose_folder')}
          </label>
        </div>
        <p className={styles['soft']}>{text('site.proofs.local')}</p>
      </div>
      {unloaded ? (
        <p role="alert" className={styles['failed']}>
          {text('site.proofs.not_loaded')}
        </p>
      ) : null}
      {verification.state === 'working' ? (
        <div className={styles['working']}>
          <p role="status">{text('site.proofs.working', { name: verification.name })}</p>
          <progress value={verification.share} max={1} aria-label={text('site.proofs.progress')} />
          <Button variant="default" size="md" onClick={stop}>
            {text('site.proofs.stop')}
          </Button>
        </div>
      ) : null}
      {verification.state === 'failed' ? (
        <p role="alert" className={styles['failed']}>
          {text('site.proofs.failed', { name: verification.name })}
        </p>
      ) : null}
      {verification.state === 'done' ? (
        <VerificationResult key={verification.report.verified_at} name={verification.name} report={verification.report} />
      ) : null}
    </div>
  )
}
