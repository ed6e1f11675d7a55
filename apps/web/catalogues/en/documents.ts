import review from '../../../../modules/review/messages/pages.en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...review, ...lists }
