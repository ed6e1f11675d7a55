import { useRef, useState, type ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { describeItem } from '../../domain/describe/describe-conclusion.ts'
import type { DossierItem } from '../../domain/dossier/dropped/item.ts'
import { compareWithLog, type LiveComparison } from '../../domain/log/compare-live.ts'
import { verifyLogProof } from '../../domain/log/verify-log-proof.ts'
import type { ProofReport } from '../../domain/report/proof-report.ts'
import { readZip } from '../../domain/zip/read-zip.ts'
import { contentOf } from '../../domain/zip/read-inflated.ts'
import { loadPlatformKeys } from '../run/platform-keys.ts'
import { useWords } from '../result/use-words.ts'
import { fileOfBlob, type GivenFile } from '../run/read-files.ts'
import { DropZone } from '../ask/DropZone.tsx'
import { ProofResult } from '../result/ProofResult.tsx'

type Found = { readonly own: ProofReport; readonly live: LiveComparison | 'unreachable' }
type State = { readonly at: 'idle' | 'busy' | 'nothing' } | ({ readonly at: 'done'; readonly name: string } & Found)

/** An entry of one's own: computed in this page, from the package and the public files of the log. */
export function LogLookUp(): ReactNode {
  const text = useText()
  const [state, setState] = useState<State>({ at: 'idle' })
  const turn = useRef(0)
  const lookUp = async (files: readonly GivenFile[]) => {
    turn.current += 1
    const mine = turn.current
    setState({ at: 'busy' })
    const next = await search(files).catch((): State => ({ at: 'nothing' }))
    // A later choice has taken its place.
    if (mine === turn.current) setState(next)
  }
  return (
    <DropZone
      lead={text('verification.log.give')}
      note={text('verification.log.local')}
      choices={[{ label: text('verification.log.choose') }]}
      onFiles={(files) => void lookUp(files)}
      onNothing={() => void lookUp([])}
    >
      <div role="status" aria-live="polite">
        {state.at === 'busy' ? <p>{text('verification.log.busy')}</p> : null}
        {state.at === 'nothing' ? <p>{text('verification.log.nothing')}</p> : null}
      </div>
      {state.at === 'done' ? <Outcome {...state} /> : null}
    </DropZone>
  )
}

function Outcome({ name, own, live }: Found & { name: string }): ReactNode {
  const text = useText()
  const compared = typeof live === 'object' && live.outcome === 'compared' ? live : null
  const reports = [own, ...(compared === null ? [] : [compared.grown, ...(compared.now === null ? [] : [compared.now])])]
  const failed = reports.some(({ verdict }) => verdict === 'TOTAL-FAILED')
  const holds = compared?.now != null && reports.every(({ verdict }) => verdict === 'TOTAL-PASSED')
  const index = own.facts.find(({ id }) => id === 'index')?.value ?? 0
  const size = compared?.grown.facts.find(({ id }) => id === 'size')?.value ?? 0
  return (
    <>
      <p role="status" data-outcome={failed ? 'failed' : holds ? 'holds' : 'open'}>
        <strong>
          {failed
            ? text('verification.log.outcome_failed')
            : holds
              ? text('verification.log.outcome_holds', { index: Number(index), size: Number(size) })
              : text('verification.log.outcome_open')}
        </strong>
      </p>
      {compared === null ? (
        <p>
          {text(`verification.log.${typeof live === 'object' && live.outcome !== 'compared' ? live.outcome : 'unreachable'}`)}
        </p>
      ) : null}
      <details open={!holds}>
        <summary>{text('verification.log.details')}</summary>
        <h3>{text('verification.log.in_package')}</h3>
        <Part name={name} report={own} />
        {compared === null ? null : (
          <>
            <h3>{text('verification.log.since')}</h3>
            <Part name={text('verification.log.newest')} report={compared.grown} />
            {compared.now === null ? null : <Part name={text('verification.log.in_newest')} report={compared.now} />}
          </>
        )}
      </details>
    </>
  )
}

function Part({ name, report }: { name: string; report: ProofReport }): ReactNode {
  const item: DossierItem = { name, size: 0, kind: report.kind, result: { form: 'proof', report }, bound: report.bound }
  return <ProofResult name={name} said={describeItem(item, useWords())} report={report} bound={report.bound} focused={false} />
}

async function search(files: readonly GivenFile[]): Promise<State> {
  const given = await readGiven(files)
  if (given === null) return { at: 'nothing' }
  const known = await loadPlatformKeys()
  const deps = { now: () => new Date(), ...(known === null ? {} : { keys: known }) }
  const own = await verifyLogProof(given, deps)
  const live = await compareWithLog(given, readLogFile, deps).catch(() => 'unreachable' as const)
  return { at: 'done', name: files[0]?.path ?? '', own, live }
}

async function readLogFile(path: string): Promise<Uint8Array | null> {
  const answer = await fetch(apiAddress(`/log/${path}`), { credentials: 'omit' })
  if (answer.status === 404) return null
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** A package; or its `log-proof.txt` together with its `root.bin`, whatever they are called. */
async function readGiven(files: readonly GivenFile[]): Promise<{ proof: Uint8Array; root: Uint8Array } | null> {
  let [proof, root]: (Uint8Array | undefined)[] = []
  for (const { path: name, file } of files.slice(0, 20)) {
    if (file.size === 32) root = new Uint8Array(await file.arrayBuffer())
    else if (file.size < 1 << 17 && (await file.slice(0, 12).text()) === 'c2sp.org/tlo')
      proof = new Uint8Array(await file.arrayBuffer())
    else {
      const source = fileOfBlob(name, file)
      for (const entry of (await readZip(source)).entries) {
        const { path, size } = entry
        if (path === 'seal/log-proof.txt' && size < 1 << 17) proof = await contentOf(source, entry).read(0, size)
        if (path === 'seal/root.bin' && size === 32) root = await contentOf(source, entry).read(0, size)
      }
    }
  }
  return proof === undefined || root === undefined ? null : { proof, root }
}
