import { ids } from '../certificate/object-ids.ts'
import { readCms } from '../cms/read-cms.ts'
import { malformed } from '../encoding/der.ts'
import { readTstInfo } from './read-tst-info.ts'
import type { TstInfo } from './read-tst-info.ts'

/** What a token states; whether it holds is another question. @throws MalformedError */
export function infoOf(token: Uint8Array): TstInfo {
  const { contentType, content } = readCms(token)
  if (contentType !== ids.tstInfo || content === undefined) malformed('no time stamp')
  return readTstInfo(content)
}
