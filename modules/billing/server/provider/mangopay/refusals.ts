import type { Refusal } from '../port.ts'

/** The provider's codes of outcomes, by what follows from them; families first where a whole one means the same. */
const exact: Readonly<Record<string, Refusal>> = {
  '001001': 'balance_too_low',
  '001011': 'amount_too_high',
  '001012': 'amount_too_low',
  '001014': 'amount_too_low',
  '001030': 'abandoned',
  '001031': 'abandoned',
  '001033': 'abandoned',
  '001034': 'abandoned',
  '001401': 'already_refunded',
  '001403': 'disputed',
  '002701': 'not_verified',
  '002996': 'not_verified',
  '002997': 'not_verified',
  '002998': 'not_verified',
  '002999': 'not_verified',
  '005403': 'already_refunded',
  '008001': 'card_lost_or_stolen',
  '008002': 'card_lost_or_stolen',
  '008003': 'card_lost_or_stolen',
  '101002': 'abandoned',
  '101102': 'insufficient_funds',
  '101104': 'insufficient_funds',
  '101105': 'card_expired',
  '101106': 'card_unusable',
  '101112': 'insufficient_funds',
  '101115': 'insufficient_funds',
  '101116': 'insufficient_funds',
  '101119': 'insufficient_funds',
  '101301': 'authentication_failed',
  '101302': 'card_unusable',
  '101303': 'card_unusable',
  '101304': 'authentication_expired',
  '101305': 'authentication_needed',
  '101306': 'authentication_needed',
  '101410': 'card_unusable',
  '205001': 'authentication_needed',
  '205002': 'authentication_needed',
}

const families: readonly (readonly [string, Refusal])[] = [
  ['0018', 'mandate_unusable'],
  ['1011', 'declined'],
  ['1013', 'authentication_failed'],
  ['105', 'card_data'],
  ['121', 'account_refused'],
  ['130', 'account_refused'],
]

export function refusalOf(code: string | null): Refusal {
  if (code === null) return 'other'
  return exact[code.trim()] ?? families.find(([start]) => code.startsWith(start))?.[1] ?? 'other'
}
