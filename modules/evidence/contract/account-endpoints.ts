/** Calls around evidences that belong to accounts. Apart from the others: the home page needs none of them. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { evidence, evidenceLabel } from './evidence.ts'

const byId = z.object({ id: z.uuid() })
const managing = { access: ['evidence_token', 'user'], delegable: 'manage' } as const
const byToken = z.object({ evidence_token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

/**
 * C-31, decision H-26: what one token holds becomes the caller's. The first who asks has it; asking again changes nothing.
 * @throws `evidence.not_found`; `evidence.already_claimed` when it is somebody else's
 */
export const assignToUser = endpoint({
  method: 'POST',
  path: '/evidences/:evidence_token/user_assignment/',
  summary: 'Take over a draft that was asked for without account',
  access: ['user'],
  delegable: 'create',
  params: byToken,
  response: z.object({ evidences: z.array(z.uuid()) }),
})

/** C-28. @throws `evidence.under_way`, `evidence.not_restorable`, `evidence.store_needs_account`, `evidence.content_deleted`, `evidence.for_sale`, `evidence.licensed`, and what agreeing and rejecting do */
export const changeEvidence = endpoint({
  method: 'PATCH',
  path: '/evidences/:id/',
  summary: 'Label an evidence, decide on it, keep its files or not, put it in the trash or take it out',
  ...managing,
  params: byId,
  body: z
    .object({
      label: evidenceLabel.optional(),
      /** To agree, or to reject: as the calls of those names. */
      status: z.enum(['finalizing', 'rejected']).optional(),
      trashed: z.boolean().optional(),
      /** Whether the files of its report stay (E-24); off, those of a final one are deleted after thirty days. */
      store: z.boolean().optional(),
    })
    .refine((body) => body.status === undefined || body.trashed === undefined, { error: 'invalid', path: ['trashed'] }),
  response: evidence,
})

/**
 * H-43. Each by itself: one that cannot be changed keeps no other back. `delete` is for final reports in the trash: their files go
 * now instead of after thirty days, and cannot be had back.
 */
export const changeEvidences = endpoint({
  method: 'POST',
  path: '/evidences/bulk/',
  summary: 'Put evidences in the trash, take them out, or delete those in it',
  ...managing,
  body: z.object({
    action: z.enum(['trash', 'restore', 'delete']),
    ids: z.array(z.uuid()).min(1, 'required').max(100, 'too_long'),
  }),
  response: z.object({
    /** `code`: of the error; null: done, or it was so already. */
    results: z.array(z.object({ id: z.uuid(), code: z.string().nullable() })),
  }),
})

/** By whom the evidences that the account reaches were asked for, or may have been: to filter the list by. */
export const listMakers = endpoint({
  method: 'GET',
  path: '/evidences/makers/',
  summary: 'List who asked for evidences that the account reaches',
  access: ['user'],
  delegable: 'read',
  response: z.object({
    /** Its holder first; then members of the group that he manages, and delegates who used their access. At most 200. */
    makers: z.array(z.object({ id: z.uuid(), name: z.string() })),
  }),
})

const tally = {
  /** In this month and in the one before, UTC; and in all. */
  current: z.int().nonnegative(),
  previous: z.int().nonnegative(),
  total: z.int().nonnegative(),
}

/** C-33, E-51, E-52, decision H-40: reports that became final, wherever they are now. */
export const readEvidenceStats = endpoint({
  method: 'GET',
  path: '/evidences/stats/',
  summary: 'Count the final reports',
  access: ['user'],
  delegable: 'read',
  response: z.object({
    /** `2026-11` */
    month: z.string(),
    global: z.object(tally),
    /** Of the group that the caller manages: its members, and who left it and owns any of its reports. */
    users: z.array(z.object({ id: z.uuid(), name: z.string(), ...tally })),
    groups: z.array(z.object({ id: z.uuid(), ...tally })),
  }),
})
export type EvidenceStats = z.infer<typeof readEvidenceStats.response>
