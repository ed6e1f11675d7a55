import { isLocale } from '../../../kernel/locale.ts'
import { ApiKeysPage } from '../../../modules/identity/web/pages/ApiKeysPage.tsx'
import { ensureCatalogue } from '../catalogues/catalogues.ts'

/** The page of API keys, with its words. */
export async function loadApiKeys(): Promise<typeof ApiKeysPage> {
  const { lang } = document.documentElement
  await ensureCatalogue(isLocale(lang) ? lang : 'en', 'api-keys')
  return ApiKeysPage
}
