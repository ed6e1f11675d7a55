import calls from '../../../../modules/billing/messages/fr.json'
import pages from '../../../../modules/billing/messages/pages.fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages, ...lists }
