/** Who moves money for the installation. Card data reach it alone. */
import { address, text } from './parsers.ts'
import { setting } from './setting.ts'

export const payments = {
  mangopayClient: setting({
    name: 'PROBANT_MANGOPAY_CLIENT_ID',
    ...text(100),
    fallback: undefined as string | undefined,
    fallbackText: 'none: no money moves',
    meaning: 'The installation as Mangopay knows it. With it, the key, the user and the wallet are required too.',
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
} as const
