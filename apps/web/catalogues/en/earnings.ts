import calls from '../../../../modules/payout/messages/en.json'
import payouts from '../../../../modules/payout/messages/pages.en.json'
import referral from '../../../../modules/referral/messages/pages.en.json'

/** What the pages of earnings say. */
export const messages: Readonly<Record<string, string>> = { ...calls, ...payouts, ...referral }
