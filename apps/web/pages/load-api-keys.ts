import type { ComponentType } from 'react'
import { isLocale } from '../../../kernel/locale.ts'
import { ApiKeysPage } from '../../../modules/identity/web/pages/ApiKeysPage.tsx'
import { ensureCatalogue } from '../catalogues/catalogues.ts'
import { withSpending } from './with-spending.tsx'

/** The page of API keys, with its words. */
export async function loadApiKeys(): Promise<ComponentType> {
  const { lang } = document.documentElement
  await ensureCatalogue(isLocale(lang) ? lang : 'en', 'api-keys')
  return await withSpending(ApiKeysPage, 'key')
}
