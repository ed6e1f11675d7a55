import type { Locale } from '../../../kernel/locale.ts'
import en from '../../../modules/site/messages/written.en.json' with { type: 'json' }
import fr from '../../../modules/site/messages/written.fr.json' with { type: 'json' }

/** Said where no script runs, and fetched by nobody else: below a page that can be read all the same, and in place of one that cannot. */
export function noScriptWords(locale: Locale): { readonly readable: string; readonly needed: string } {
  const words = { en, fr }[locale]
  return { readable: words['site.no_script.readable'], needed: words['site.no_script.needed'] }
}
