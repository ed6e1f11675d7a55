import { saveBlob } from '../../../../ui/api/save-file.ts'

/** Saves what was answered, under the name that the server gave it. */
export async function saveAnswer(response: Response, otherwise: string): Promise<void> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveBlob(await response.blob(), name ?? otherwise)
}
