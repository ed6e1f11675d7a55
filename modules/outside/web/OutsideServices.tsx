import { useEffect, type ReactNode } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import { services, useAgreed } from '../../../ui/services/choice.ts'
import { ChatButton } from './ChatButton.tsx'
import { ConsentBanner } from './ConsentBanner.tsx'
import { recordSession } from './record/record-session.ts'
import { tellPixel } from './tell-pixel.ts'

/**
 * H-41: what there is of others on pages that may have it; with the page all of it goes. A document whose policy does not reach them, since
 * it was asked for as another page, has nothing of them.
 */
export function OutsideServices({ path, title }: { path: string; title: string }): ReactNode {
  const agreed = useAgreed()
  const isKnown = useSession() !== null
  const { pixel, recording, chat } = services ?? { pixel: null, recording: null, chat: null }
  const counts = pixel !== null && agreed?.includes('pixel') === true
  useEffect(() => {
    if (counts && pixel !== null && title !== '') tellPixel(pixel, { url: new URL(path, location.origin), title })
  }, [counts, pixel, path, title])
  const records = recording !== null && agreed?.includes('recording') === true && !isKnown
  useEffect(() => {
    if (records && recording !== null) return recordSession(recording.address)
    return undefined
  }, [records, recording])
  if (agreed === null) return <ConsentBanner />
  return chat !== null && agreed.includes('chat') ? <ChatButton {...chat} /> : null
}
