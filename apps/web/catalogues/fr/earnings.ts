import calls from '../../../../modules/payout/messages/fr.json'
import payouts from '../../../../modules/payout/messages/pages.fr.json'
import referral from '../../../../modules/referral/messages/pages.fr.json'

/** What the pages of earnings say. */
export const messages: Readonly<Record<string, string>> = { ...calls, ...payouts, ...referral }
