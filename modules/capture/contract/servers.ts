import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'

/** `public`: anyone may choose it, and the automatic choice is made among these; `dedicated`: by name, by the members of the group that it is assigned to. */
export const captureServerKinds = ['public', 'dedicated'] as const

/**
 * `ready` takes captures; `set_aside` measured something that differs from what was pinned for it, and checks itself again;
 * `drained` finishes what it has and takes nothing new; `stopped` ended in order; `lost` fell silent.
 */
export const captureServerStatuses = ['starting', 'ready', 'set_aside', 'drained', 'stopped', 'lost'] as const

/** A place where captures are made (decision H-17). Everything measured is null until it was. */
export const captureServer = z.object({
  id: z.string(),
  name: z.string(),
  /** ISO 3166-1 alpha-2. */
  country: z.string().nullable(),
  city: z.string().nullable(),
  kind: z.enum(captureServerKinds),
  status: z.enum(captureServerStatuses),
  /** While it is set aside: the names of what differs from its manifest; and, where its browser spoke by itself, whom it asked (`host:port`). */
  reason: z.object({ differs: z.array(z.string()), heard: z.array(z.string()) }).nullable(),
  /** Captures under way, and how many at a time its ready processes take. */
  load: z.object({ running: z.int().nonnegative(), capacity: z.int().nonnegative() }),
  /** The same of live sessions, which have a room of their own. */
  interactive: z.object({ running: z.int().nonnegative(), capacity: z.int().nonnegative() }),
  /** SHA-256 over the browser's files, our program and the packages it runs with. */
  image_digest: z.string().nullable(),
  /** Product and version as the browser's own program tells. */
  browser: z.string().nullable(),
  /** Address that sites see, and the network it belongs to. */
  public_address: z.string().nullable(),
  network: z.object({ asn: z.int().positive().nullable(), name: z.string().nullable() }).nullable(),
  last_preflight: z.object({ at: z.iso.datetime(), result: z.enum(['matched', 'differed']) }).nullable(),
  /** SHA-256 of the manifest that the preflight compares with. */
  manifest_sha256: z.string().nullable(),
  /** Last sign of life. */
  seen_at: z.iso.datetime().nullable(),
})
export type CaptureServer = z.infer<typeof captureServer>

export const captureServerListQuery = pageQuery.extend({
  kind: z.enum(captureServerKinds).optional(),
  status: z.enum(captureServerStatuses).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  ordering: z.enum(['name', '-name', 'country', '-country', 'load', '-load']).default('name'),
})

/** C-59: the public ones, and those of the group of the account that asks. `search` looks in name and city. */
export const listCaptureServers = endpoint({
  method: 'GET',
  path: '/servers/',
  summary: 'List the capture servers',
  access: ['open', 'user'],
  delegable: 'read',
  query: captureServerListQuery,
  response: pageOf(captureServer),
})
