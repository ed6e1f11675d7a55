import { isLocale } from '../../../kernel/locale.ts'
import { ActivityPage } from '../../../modules/identity/web/pages/ActivityPage.tsx'
import { ActsPage } from '../../../modules/identity/web/pages/ActsPage.tsx'
import { ensureCatalogue } from '../catalogues/catalogues.ts'

/** The pages of the record of acts, with the words of every module that writes in it. */
export async function loadActs(): Promise<{ readonly ActivityPage: typeof ActivityPage; readonly ActsPage: typeof ActsPage }> {
  const { lang } = document.documentElement
  await ensureCatalogue(isLocale(lang) ? lang : 'en', 'acts')
  return { ActivityPage, ActsPage }
}
