import admin from '../../../../modules/billing/messages/admin.fr.json'
import lists from '../../../../ui/messages/lists.fr.json'

export const messages: Readonly<Record<string, string>> = { ...admin, ...lists }
