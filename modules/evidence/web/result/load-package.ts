import type { Locale } from '../../../../kernel/locale.ts'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { packageLink } from '../life/queries.ts'

/** The full package as a file in memory, for the verifier page. @throws when the link or the file cannot be had. */
export async function loadPackage(id: string, token: EvidenceToken, locale: Locale): Promise<File> {
  const link = await packageLink(id, token, true, locale)
  const response = await fetch(apiAddress(link.zip_archive), { credentials: 'omit' })
  if (!response.ok) throw new Error(`package answered ${response.status}`)
  return new File([await response.blob()], link.file_name, { type: 'application/zip' })
}
