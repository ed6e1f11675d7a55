import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { describeItem } from '../../domain/describe/describe-conclusion.ts'
import type { DossierItem } from '../../domain/dossier/dropped/item.ts'
import type { ProofReport } from '../../domain/report/proof-report.ts'
import { ProofResult } from '../result/ProofResult.tsx'
import { useWords } from '../result/use-words.ts'
import type { Found } from './search-log.ts'

export function LogOutcome({ name, own, live }: Found & { name: string }): ReactNode {
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
