import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import account from '../account.module.css'
import { ApiKeyRow } from '../keys/ApiKeyRow.tsx'
import { MakeApiKey, newKeyId } from '../keys/MakeApiKey.tsx'
import { NewApiKey } from '../keys/NewApiKey.tsx'
import { apiKeysQuery } from '../queries.ts'

/** From so many on, the form below them is out of sight. */
const many = 4

/**
 * Keys with which programs call in one's name (decision 0291).
 * @param props.Spending what a key may spend, where something is paid for
 */
export function ApiKeysPage(props: { Spending?: ComponentType<{ id: string }> }): ReactNode {
  const text = useText()
  const client = useQueryClient()
  const keys = useQuery(apiKeysQuery)
  const [made, setMade] = useState<{ readonly value: string; readonly name: string } | null>(null)
  return (
    <>
      <section className={account['section']}>
        <h2>{text('identity.keys.title')}</h2>
        <p className={account['soft']}>{text('identity.keys.lead')}</p>
        {made === null ? null : <NewApiKey {...made} onKept={() => setMade(null)} />}
        <Loaded query={keys} loading={text('ui.loading')} failed={text('identity.keys.failed')}>
          {({ results }) =>
            results.length === 0 ? (
              <p>{text('identity.keys.none')}</p>
            ) : (
              <>
                {made !== null || results.length < many ? null : (
                  <div className={account['actions']}>
                    <Button variant="default" onClick={() => document.getElementById(newKeyId)?.querySelector('input')?.focus()}>
                      {text('identity.keys.make')}
                    </Button>
                  </div>
                )}
                <ul className={account['list']} aria-label={text('identity.keys.list')}>
                  {results.map((each) => (
                    <ApiKeyRow key={each.id} entry={each} Spending={props.Spending} />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      </section>
      {made !== null ? null : (
        <MakeApiKey
          onMade={({ key, entry }) => {
            setMade({ value: key, name: entry.name })
            void client.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
          }}
        />
      )}
    </>
  )
}
