import { useQuery } from '@tanstack/react-query'
import { call } from '../../../../ui/api/call.ts'
import { listScenarios, type Scenario } from '../../../capture/contract/scenarios.ts'
import { listCaptureServers, type CaptureServer } from '../../../capture/contract/servers.ts'
import type { CreateEvidenceInput } from '../../contract/evidence.ts'

/** What the visitor chose besides the address. Empty strings are the choices that ask for nothing. */
export type ChosenOptions = {
  readonly scenario: string
  readonly scenario_input: Readonly<Record<string, string>>
  readonly close_cookies: boolean
  readonly server: string
  readonly second_server: string
  readonly device: 'desktop' | 'mobile'
  /** E-24; only an account may choose it. */
  readonly store: boolean
}

/** Only what was chosen here is sent: of what is absent, the server knows what the settings of the account say. */
export function optionsToSend(picked: Partial<ChosenOptions>): Partial<CreateEvidenceInput> {
  const { scenario = '', scenario_input = {}, server, second_server = '' } = picked
  return {
    ...(scenario === '' ? {} : { scenario }),
    ...(scenario === '' || Object.keys(scenario_input).length === 0 ? {} : { scenario_input: { ...scenario_input } }),
    ...(picked.close_cookies === undefined ? {} : { close_cookies: picked.close_cookies }),
    ...(server === undefined ? {} : { server: server === '' ? 'automatic' : server }),
    ...(second_server === '' ? {} : { second_server }),
    ...(picked.device === 'mobile' ? { device: 'mobile' } : {}),
    ...(picked.store === false ? { store: false } : {}),
  }
}

export function useScenarios() {
  return useQuery({
    queryKey: ['scenarios'],
    queryFn: async ({ signal }): Promise<readonly Scenario[]> =>
      (await call(listScenarios, { query: { page_size: 100 }, signal })).results,
    staleTime: 60_000,
  })
}

export function useCaptureServers() {
  return useQuery({
    queryKey: ['servers'],
    queryFn: async ({ signal }): Promise<readonly CaptureServer[]> =>
      (await call(listCaptureServers, { query: { page_size: 100 }, signal })).results,
    staleTime: 15_000,
  })
}
