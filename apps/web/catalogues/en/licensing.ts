import calls from '../../../../modules/licensing/messages/en.json'
import pages from '../../../../modules/licensing/messages/pages.en.json'
import terms from '../../../../modules/licensing/messages/terms.en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages, ...terms, ...lists }
