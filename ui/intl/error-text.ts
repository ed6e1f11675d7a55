import { ApiError } from '../api/api-error.ts'
import { useOptionalText, useText } from './text.tsx'

/** Words for a failed call: our catalogue by its code, else the server's own sentence, which comes in the page's language. */
export function useErrorText(): (error: unknown) => string {
  const text = useText()
  const optionalText = useOptionalText()
  return (error) => {
    if (!(error instanceof ApiError)) return text('ui.error.unknown')
    const known = optionalText(error.code, error.data)
    const words = known ?? (error.message === error.code ? text('ui.error.unknown') : error.message)
    return error.requestId === '' || error.status < 500 ? words : `${words} (${text('ui.error.request_id')} ${error.requestId})`
  }
}
