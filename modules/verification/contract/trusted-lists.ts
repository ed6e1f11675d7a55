import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { compactListsAddress } from './list-addresses.ts'

const listState = z.object({
  territory: z.string(),
  /** As the State wrote it; null when the list is not at hand. */
  operator: z.string().nullable(),
  sequence_number: z.number().int().nullable(),
  issued_at: z.iso.datetime().nullable(),
  /** Null when the State closed its list, or it is not at hand. */
  next_update: z.iso.datetime().nullable(),
  /** Of the signed XML. */
  sha256: z.string().nullable(),
  url: z.string(),
  services: z.number().int(),
  /** The State should have issued another one by now. */
  expired: z.boolean(),
  /** `fresh`: as its source serves it. `kept`: read earlier. `missing`: not at hand. `unread`: from the snapshot, its source not asked yet. */
  state: z.enum(['fresh', 'kept', 'missing', 'unread']),
  /** Why the last reading did not take it; words `verification.trusted_list.flaw.<flaw>`. */
  flaw: z.string().nullable(),
})

export const trustedListsState = z.object({
  /** `shipped`: the snapshot of the product; `read`: what this installation read from the sources. */
  source: z.enum(['shipped', 'read']),
  made_at: z.iso.datetime(),
  /** Since the list of lists was issued. */
  age_days: z.number().int(),
  checked_at: z.iso.datetime().nullable(),
  /** Publication in the Official Journal that the signers of the list of lists were taken from. */
  journal: z.string(),
  journal_url: z.string(),
  /** SHA-256 of the compact form. */
  compact_sha256: z.string(),
  lists: z.array(listState),
})
export type TrustedListsState = z.output<typeof trustedListsState>

const open = ['open'] as const

export const getTrustedLists = endpoint({
  method: 'GET',
  path: '/verifier/trusted_lists/',
  summary: 'The European trusted lists that qualified status is concluded from: numbers, dates, and what could not be read',
  access: open,
  response: trustedListsState,
})

/** The form that the verifier uses (`probant-trusted-lists/1`), with a strong validator. */
export const getCompactTrustedLists = endpoint({
  method: 'GET',
  path: compactListsAddress,
  summary: 'The trusted lists in the form that the verifier reads',
  access: open,
  response: 'stream',
})
