import { useRouter, useSearch } from '@tanstack/react-router'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { notify } from '../../../ui/shell/notify.ts'
import { returnPath } from './return-path.ts'

/** where he wanted to go, else his evidences. */
export function useSignedIn(): (name: string) => void {
  const text = useText()
  const locale = useLocale()
  const router = useRouter()
  const search: { redirect?: unknown } = useSearch({ strict: false })
  return (name) => {
    notify('success', text('identity.page.login.notice', { name }), text('ui.notice.dismiss'))
    router.history.replace(returnPath(search.redirect, location.origin) ?? `/${locale}/evidences/pending/`)
  }
}
