import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { KnownFields, type Wanted } from '../ask/KnownFields.tsx'
import type { Dossier } from '../../domain/dossier/dossier.ts'
import type { GivenFile } from '../run/read-files.ts'
import type { Verification, VerifyRequest } from '../run/use-verification.ts'
import type { KnownFields as Fields } from '../run/verify.worker.ts'
import { CompareFingerprint } from './CompareFingerprint.tsx'
import { DossierResult } from './DossierResult.tsx'
import { Minutes } from './Minutes.tsx'

/** What was concluded, and what may be added to it. It is fetched while the page is read: there is nothing to conclude before. */
export function Concluded(props: {
  done: Verification & { readonly state: 'done' }
  version: string
  fields: Fields
  take: (files: readonly GivenFile[]) => void
  clear: () => void
  verifyWith: (request: VerifyRequest, fields: Fields) => void
}): ReactNode {
  const text = useText()
  const { done, fields, take, clear } = props
  const files = done.request.kind === 'dossier' ? done.request.files : null
  return (
    <DossierResult
      key={done.dossier.verified_at}
      dossier={done.dossier}
      {...(files === null || files.length !== done.dossier.items.length
        ? {}
        : {
            remove: (index: number) => {
              const gone = done.dossier.items[index]?.name
              const left = files.filter(({ path }) => path !== gone)
              if (left.length === 0) clear()
              else take(left)
            },
          })}
    >
      <Minutes dossier={done.dossier} version={props.version}>
        <Button variant="default" size="md" onClick={clear}>
          {text('verification.page.again')}
        </Button>
      </Minutes>
      <CompareFingerprint
        conclusion={done.dossier.conclusion}
        given={fields.fingerprint ?? ''}
        onVerify={(fingerprint) => props.verifyWith(done.request, { ...fields, fingerprint })}
      />
      <KnownFields
        fields={fields}
        wanted={wantedBy(done.dossier, done.heights)}
        helps={done.dossier.verdict !== 'TOTAL-FAILED'}
        onVerify={(given) =>
          props.verifyWith(done.request, fields.fingerprint === undefined ? given : { ...given, fingerprint: fields.fingerprint })
        }
      />
    </DossierResult>
  )
}

function wantedBy(dossier: Dossier, heights: readonly number[]): Wanted {
  const kinds = new Set(dossier.items.map(({ kind }) => kind))
  return {
    headers: heights,
    address: kinds.has('bitcoin_message'),
    account: kinds.has('nano_message'),
    digest: ['timestamp', 'evidence_record', 'cms', 'xades', 'opentimestamps', 'chainpoint', 'log_proof'].some((kind) =>
      kinds.has(kind as 'cms'),
    ),
  }
}
