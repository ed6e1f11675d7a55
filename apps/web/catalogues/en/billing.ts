import calls from '../../../../modules/billing/messages/en.json'
import pages from '../../../../modules/billing/messages/pages.en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...calls, ...pages, ...lists }
