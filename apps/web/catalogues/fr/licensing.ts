import calls from '../../../../modules/licensing/messages/fr.json'
import pages from '../../../../modules/licensing/messages/pages.fr.json'
import terms from '../../../../modules/licensing/messages/terms.fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages, ...terms, ...lists }
