import ask from '../../../../modules/evidence/messages/en.json'
import home from '../../../../modules/site/messages/home.en.json'

export const messages: Readonly<Record<string, string>> = { ...home, ...ask }
