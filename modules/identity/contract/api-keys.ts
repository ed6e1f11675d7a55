import { z } from 'zod'
import { apiScopes } from '../../../kernel/actor.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { longestKeyDays, mostPerMinute, usualKeyDays, usualPerMinute } from '../domain/api-key.ts'

/** Every `error` is the code of a field; its words are `identity.field.<code>`. */
export const apiKeyName = z
  .string({ error: 'key_name_required' })
  .trim()
  .min(1, { error: 'key_name_required' })
  .max(100, { error: 'too_long' })
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'key_name_characters' })

export const createApiKeyBody = z.strictObject({
  name: apiKeyName,
  scopes: z
    .array(z.enum(apiScopes))
    .min(1, { error: 'key_scope_required' })
    .max(apiScopes.length, { error: 'key_scope_required' })
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'key_scope_required' }),
  /** After so many days it opens nothing any more. */
  days: z
    .int({ error: 'key_days' })
    .min(1, { error: 'key_days' })
    .max(longestKeyDays, { error: 'key_days' })
    .default(usualKeyDays),
  /** Calls per minute. */
  per_minute: z
    .int({ error: 'key_per_minute' })
    .min(1, { error: 'key_per_minute' })
    .max(mostPerMinute, { error: 'key_per_minute' })
    .default(usualPerMinute),
})

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How it begins: `pbt_` and four characters. */
  hint: z.string(),
  scopes: z.array(z.enum(apiScopes)),
  per_minute: z.int().positive(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  expired: z.boolean(),
  /** A day (UTC) and a block of addresses (IPv4 /24, IPv6 /56), nothing finer; null: not used yet. */
  last_used: z.object({ on: z.iso.date(), network: z.string() }).nullable(),
})
export type ApiKeyEntry = z.infer<typeof apiKey>

/** An account has fifty at most: one answer holds them all. Expired ones stay for 30 days. */
export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api_keys/',
  summary: 'List the API keys of the account',
  access: ['user'],
  response: z.object({ results: z.array(apiKey) }),
})

/** The only answer in which the key stands. @throws `identity.proof_required`, `identity.too_many_api_keys` */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api_keys/',
  summary: 'Make an API key',
  access: ['user'],
  body: createApiKeyBody,
  response: z.object({ key: z.string(), entry: apiKey }),
  status: 201,
})

/** From the next call on it opens nothing. */
export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api_keys/:id/',
  summary: 'Revoke an API key',
  access: ['user'],
  params: z.object({ id: z.uuid() }),
  response: z.object({ status: z.literal('done') }),
})
