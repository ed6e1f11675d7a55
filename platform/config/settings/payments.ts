/** Who moves money for the installation. Card data reach it alone. */
import { address, commaSeparated, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

export const payments = {
  payments: setting({
    name: 'PROBANT_PAYMENTS',
    ...oneOf('provider', 'transfer'),
    fallback: 'provider',
    fallbackText: '`provider`',
    meaning:
      'How customers pay: through the payment provider and by transfer, or by transfer to the seller’s account alone. With `transfer` no provider is named, no simulator is started, and what was earned is paid out by transfer too.',
  }),
  mangopayClient: setting({
    name: 'PROBANT_MANGOPAY_CLIENT_ID',
    ...text(100),
    fallback: undefined as string | undefined,
    fallbackText: 'none: with `PROBANT_BILLING=on`, a simulator on this machine, and every screen says *test payments*',
    meaning:
      'The installation as Mangopay knows it. With it, the key, the user and the wallet are required too. Without, no money moves; only a browser on this machine reaches the simulator.',
  }),
  mangopayKey: setting({
    name: 'PROBANT_MANGOPAY_API_KEY',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning: 'Mangopay’s key of this client.',
  }),
  mangopayUrl: setting({
    name: 'PROBANT_MANGOPAY_URL',
    ...address(['https:', 'http:']),
    fallback: 'https://api.mangopay.com',
    fallbackText: '`https://api.mangopay.com`, where money moves',
    meaning:
      'Where Mangopay’s API is: `https://api.sandbox.mangopay.com` is its sandbox, where none moves. `http://` is for the machine itself alone.',
  }),
  mangopayUser: setting({
    name: 'PROBANT_MANGOPAY_USER',
    ...text(128),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning: 'The legal user at Mangopay who sells: the operator.',
  }),
  mangopayWallet: setting({
    name: 'PROBANT_MANGOPAY_WALLET',
    ...text(128),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning: 'The wallet in euros of that user. What customers pay comes in there, and what partners earn goes out of it.',
  }),
  mangopayCardAddresses: setting({
    name: 'PROBANT_MANGOPAY_CARD_ADDRESSES',
    accepts: 'sources of a content security policy, separated by commas',
    parse: commaSeparated((one) => {
      if (!/^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/.test(one))
        throw new RangeError('must list https://host or https://*.host')
      return one
    }),
    fallback: ['https://*.payline.com', 'https://*.mangopay.com'] as readonly string[],
    fallbackText: '`https://*.payline.com,https://*.mangopay.com`',
    meaning:
      'Where browsers may send card data to: pages let their scripts speak to these hosts of the provider and to no other.',
  }),
} as const
