import { call } from '../../../../ui/api/call.ts'
import { readSettings } from '../../../account/contract/endpoints.ts'
import type { ChosenOptions } from './capture-options.ts'

/** What a capture begins with in the account that is signed in, as its settings say (E-53, E-54). */
export async function startingOptions(): Promise<Partial<ChosenOptions>> {
  const settings = await call(readSettings, {})
  return {
    ...(settings.close_cookies ? { close_cookies: true } : {}),
    ...(settings.server_id === null ? {} : { server: settings.server_id }),
  }
}
