import { optionsToSend, type ChosenOptions } from './capture-options.ts'
import { call } from '../../../../ui/api/call.ts'
import { createEvidence } from '../../contract/endpoints.ts'
import type { WorkDone } from '../../../../kernel/work-done.ts'
import { pageAddress, type CreateEvidenceInput } from '../../contract/evidence.ts'

/** The code of what is wrong with an address, or null. */
export function flawOfAddress(address: string): string | null {
  const parsed = pageAddress.safeParse(address.trim())
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'unparseable_address')
}

export function askForCapture(input: CreateEvidenceInput, picked: Partial<ChosenOptions>, work: WorkDone | undefined) {
  const asked = { ...input, ...optionsToSend(picked), url: input.url.trim() }
  return call(createEvidence, { body: { ...asked, ...(work === undefined ? {} : { work }) } })
}
