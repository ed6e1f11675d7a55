/** Services of others. Each is off until it is set up; what a visitor's browser is to load waits for his consent (decision 0433). */
import { envelopeAddress } from '../../../kernel/envelope.ts'
import { address, commaSeparated, decimal, integer, text } from './parsers.ts'
import { setting } from './setting.ts'

const whereItIs = address(['https:', 'http:'])
const dsn = {
  accepts: 'DSN: `https://KEY@host/PROJECT`',
  parse(this: void, value: string): string {
    if (envelopeAddress(value) === null) throw new RangeError('must be https://KEY@host/PROJECT')
    return value
  },
}
const key = {
  accepts: 'text of at most 200 letters, digits, `-` and `_`',
  parse(this: void, value: string): string {
    if (!/^[\w-]{1,200}$/.test(value)) throw new RangeError('must be letters, digits, - and _')
    return value
  },
}
const nowhere = '`http://` is for the machine itself alone.'

export const outside = {
  chatUrl: setting({
    name: 'PROBANT_CHAT_URL',
    ...whereItIs,
    fallback: undefined as string | undefined,
    fallbackText: 'none: the message box of support alone',
    meaning: `Where Chatwoot is, for a chat on pages of help, support and legal texts. ${nowhere}`,
  }),
  chatToken: setting({
    name: 'PROBANT_CHAT_TOKEN',
    ...key,
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning: 'The website token of Chatwoot’s inbox. With `PROBANT_CHAT_URL`.',
  }),
  pixelUrl: setting({
    name: 'PROBANT_PIXEL_URL',
    ...whereItIs,
    fallback: undefined as string | undefined,
    fallbackText: 'none: nothing is measured',
    meaning: `Matomo’s tracking API (\`https://matomo.example/matomo.php\`), which is told of each page of help, support and legal texts that is looked at, without its query. ${nowhere}`,
  }),
  pixelSite: setting({
    name: 'PROBANT_PIXEL_SITE',
    ...integer(1, 999_999),
    fallback: undefined as number | undefined,
    fallbackText: 'none',
    meaning: 'Matomo’s number of this site. With `PROBANT_PIXEL_URL`.',
  }),
  recordingDsn: setting({
    name: 'PROBANT_RECORDING_DSN',
    ...dsn,
    fallback: undefined as string | undefined,
    fallbackText: 'none: nothing is recorded',
    meaning: `Where sessions on pages of help, support and legal texts are recorded (Sentry’s session replay): layout, scrolling and clicks, every letter replaced. Never of whoever is signed in. ${nowhere}`,
  }),
  errorsDsn: setting({
    name: 'PROBANT_ERRORS_DSN',
    ...dsn,
    fallback: undefined as string | undefined,
    fallbackText: 'none: errors stand in the log alone',
    meaning: `Where this server reports its errors, and those of pages that browsers told it of, without personal data (Sentry, GlitchTip, Bugsink). No browser speaks to it. ${nowhere}`,
  }),
  scoreSiteKey: setting({
    name: 'PROBANT_SCORE_SITE_KEY',
    ...key,
    fallback: undefined as string | undefined,
    fallbackText: 'none: strangers’ devices work for what they ask for (proof of work)',
    meaning:
      'Of a service that scores visitors (reCAPTCHA version 3, or one of the same protocol). On the support page whoever agrees to it and is scored well need not work; everybody else works as without it.',
  }),
  scoreSecret: setting({
    name: 'PROBANT_SCORE_SECRET',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning: 'The secret that belongs to `PROBANT_SCORE_SITE_KEY`.',
  }),
  scoreLeast: setting({
    name: 'PROBANT_SCORE_LEAST',
    ...decimal(0, 1),
    fallback: 0.5,
    fallbackText: '`0.5`',
    meaning: 'Lowest score, from 0 (a robot) to 1, with which nobody need work.',
  }),
  scoreScript: setting({
    name: 'PROBANT_SCORE_SCRIPT',
    ...whereItIs,
    fallback: 'https://www.google.com/recaptcha/api.js',
    fallbackText: '`https://www.google.com/recaptcha/api.js`',
    meaning: `The service’s script. It runs in a frame of its own, for the moment of a score. ${nowhere}`,
  }),
  scoreVerify: setting({
    name: 'PROBANT_SCORE_VERIFY',
    ...whereItIs,
    fallback: 'https://www.google.com/recaptcha/api/siteverify',
    fallbackText: '`https://www.google.com/recaptcha/api/siteverify`',
    meaning: `Where this server asks for the score. ${nowhere}`,
  }),
  scoreSources: setting({
    name: 'PROBANT_SCORE_SOURCES',
    accepts: 'sources of a content security policy, separated by commas',
    parse: commaSeparated((one) => {
      if (!/^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:\/[\w./-]*)?$/.test(one))
        throw new RangeError('must list https://host or https://host/folder/')
      return one
    }),
    fallback: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'] as readonly string[],
    fallbackText: '`https://www.google.com/recaptcha/,https://www.gstatic.com/recaptcha/`',
    meaning: 'What that frame, and no page, may load besides the script.',
  }),
} as const
