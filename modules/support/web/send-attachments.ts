import { sendFile } from '../../../ui/api/send-file.ts'
import { sendAttachment } from '../contract/endpoints.ts'
import type { AwaitedAttachment } from '../contract/support.ts'

export type Sending = { readonly name: string; readonly share: number }

/** Sends what a message announced, one after the other. @returns the names of those that did not get through */
export async function sendAttachments(
  files: readonly File[],
  awaited: readonly AwaitedAttachment[],
  onSending: (sending: Sending | null) => void,
): Promise<string[]> {
  const lost: string[] = []
  for (const [i, { id, key, name }] of awaited.entries()) {
    const file = files[i]
    if (file === undefined) continue
    try {
      const onProgress = (share: number) => onSending({ name, share })
      await sendFile(sendAttachment, { params: { id }, query: { key }, file, signal: new AbortController().signal, onProgress })
    } catch {
      lost.push(name)
    }
  }
  onSending(null)
  return lost
}
