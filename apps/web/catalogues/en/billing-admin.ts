import admin from '../../../../modules/billing/messages/admin.en.json'
import lists from '../../../../ui/messages/lists.en.json'

export const messages: Readonly<Record<string, string>> = { ...admin, ...lists }
