import { useQuery } from '@tanstack/react-query'
import { call } from '../../../ui/api/call.ts'
import { listScenarios, type Scenario } from '../../capture/contract/scenarios.ts'
import { listCaptureServers, type CaptureServer } from '../../capture/contract/servers.ts'
import type { CreateEvidenceInput } from '../contract/evidence.ts'

/** What the visitor chose besides the address. Empty strings are the choices that ask for nothing. */
export type ChosenOptions = {
  readonly scenario: string
  readonly scenario_input: Readonly<Record<string, string>>
  readonly close_cookies: boolean
  readonly server: string
  readonly second_server: string
  readonly device: 'desktop' | 'mobile'
}

/** Only what was chosen is sent: what is absent is the server's own default. */
export function optionsToSend(chosen: ChosenOptions): Partial<CreateEvidenceInput> {
  return {
    ...(chosen.scenario === '' ? {} : { scenario: chosen.scenario }),
    ...(chosen.scenario === '' || Object.keys(chosen.scenario_input).length === 0
      ? {}
      : { scenario_input: { ...chosen.scenario_input } }),
    ...(chosen.close_cookies ? { close_cookies: true } : {}),
    ...(chosen.server === '' ? {} : { server: chosen.server }),
    ...(chosen.second_server === '' ? {} : { second_server: chosen.second_server }),
    ...(chosen.device === 'desktop' ? {} : { device: chosen.device }),
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
