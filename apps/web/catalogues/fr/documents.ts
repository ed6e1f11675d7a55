import review from '../../../../modules/review/messages/pages.fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...review, ...lists }
