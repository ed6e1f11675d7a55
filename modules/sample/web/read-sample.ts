import type { Locale } from '../../../kernel/locale.ts'
import { apiAddress } from '../../../ui/api/api-address.ts'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import type { SampleFacts, SampleFile } from '../contract/sample.ts'

export const sampleAddress = (locale: Locale, file: SampleFile): string => apiAddress(`/sample/${locale}/${file}`)

/** null: it has not been made yet. @throws when nobody could be asked */
export async function readSample(locale: Locale, signal: AbortSignal): Promise<SampleFacts | null> {
  const response = await fetch(apiAddress(`/sample/${locale}/facts.json`), { signal, credentials: 'omit' })
  if (response.status === 404) return null
  if (!response.ok) throw Object.assign(new Error('sample'), { status: response.status })
  const { sampleFacts } = await loadChunk(() => import('../contract/sample.ts'))
  return sampleFacts.parse(await response.json())
}

/** The package as a file in memory, for the verifier page. @throws when it cannot be had */
export async function loadSample(locale: Locale): Promise<File> {
  const response = await fetch(sampleAddress(locale, 'package.zip'), { credentials: 'omit' })
  if (!response.ok) throw new Error(`the sample answered ${response.status}`)
  return new File([await response.blob()], 'probant-sample.zip', { type: 'application/zip' })
}
