import { DomainError } from '../../../kernel/errors.ts'
import { toPageObject, type PageQuery } from '../../../kernel/page.ts'
import { contentDisposition } from '../../../platform/http/answer/content-disposition.ts'
import { localeOf } from '../../../platform/http/request/locale-of.ts'
import { proven, route, signedIn, type Route } from '../../../platform/http/route.ts'
import { listGroups } from '../contract/administration.ts'
import * as contract from '../contract/endpoints.ts'
import { changeBankAccount, deleteBankAccount } from './profile/change-bank-account.ts'
import { changeProfile } from './profile/change-profile.ts'
import { changeSettings, readSettings } from './settings/change-settings.ts'
import { closeAccount, undoClosing } from './closing/close-account.ts'
import { createDelegation, endDelegation, listDelegations } from './sharing/delegate-access.ts'
import type { AccountWebDeps } from './people/deps.ts'
import { exportAccount } from './closing/export-account.ts'
import { listInvitations, listMembers, pageGroups } from './sharing/group-store.ts'
import { changeMailedNotification, readMailedNotification } from './settings/mailed-notification.ts'
import { acceptInvitation, inviteMember, presentInvitation, readInvitation, withdrawInvitation } from './sharing/invite-member.ts'
import {
  changeMember,
  createGroup,
  handOverGroup,
  leaveGroup,
  presentGroup,
  presentMember,
  removeMember,
  renameGroup,
  requireGroup,
  requireManager,
} from './sharing/manage-group.ts'
import { findPerson, listReachablePeople } from './people/person-store.ts'
import { presentCurrentUser, presentEntry } from './profile/present-profile.ts'

const done = { status: 'done' } as const
const windowOf = ({ page, page_size }: PageQuery) => ({ limit: page_size, offset: (page - 1) * page_size })

export function accountRoutes(deps: AccountWebDeps): Route[] {
  const { db, vault } = deps
  return [
    route(contract.readCurrentProfile, async ({ actor, request }) => {
      const caller = signedIn(actor)
      const person = await findPerson(db, caller.accountId)
      if (person === null) throw new DomainError('not_found', 'account.profile_not_found')
      const locale = localeOf(request)
      return await presentCurrentUser(db, vault, person, caller, (brand) => deps.brandName?.(brand, locale) ?? null)
    }),
    route(contract.listProfiles, async ({ actor, query }) => {
      const { userId } = signedIn(actor)
      const found = { search: query.search ?? null, descending: query.ordering.startsWith('-'), ...windowOf(query) }
      const page = await listReachablePeople(db, userId, found)
      return toPageObject(
        contract.listProfiles.path,
        query,
        page,
        page.rows.map((entry) => presentEntry(entry, userId)),
      )
    }),
    route(listGroups, async ({ query }) => {
      const page = await pageGroups(db, { search: query.search ?? null, ...windowOf(query) })
      const results = page.rows.map(({ createdAt, ...group }) => ({ ...group, created_at: createdAt.toISOString() }))
      return toPageObject(listGroups.path, query, page, results)
    }),
    route(contract.changeProfile, async ({ actor, params, body }) => await changeProfile(deps, signedIn(actor), params.id, body)),
    route(
      contract.changeBankAccount,
      async ({ actor, params, body }) => await changeBankAccount(deps, proven(actor), params.id, body),
    ),
    route(contract.deleteBankAccount, async ({ actor, params }) => {
      await deleteBankAccount(deps, proven(actor), params.id)
      return done
    }),
    route(contract.exportAccount, async ({ actor, reply }) => {
      const stream = await exportAccount(deps, signedIn(actor))
      const name = `account-${deps.clock.now().toISOString().slice(0, 10)}.json`
      return await reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', contentDisposition('attachment', name))
        .send(stream)
    }),
    route(contract.closeAccount, async ({ actor, body }) => {
      const { eraseAfter } = await closeAccount(deps, proven(actor), body.reason)
      return { status: 'closing' as const, erase_after: eraseAfter.toISOString() }
    }),
    route(contract.undoClosing, async ({ body }) => {
      await undoClosing(deps, body.key)
      return done
    }),
    route(contract.readSettings, async ({ actor }) => await readSettings(deps, signedIn(actor))),
    route(contract.changeSettings, async ({ actor, body }) => await changeSettings(deps, signedIn(actor), body)),
    route(contract.readMailedNotification, async ({ body }) => await readMailedNotification(deps, body.key)),
    route(contract.changeMailedNotification, async ({ body }) => await changeMailedNotification(deps, body.key, body.on)),
    route(contract.endNotificationByClick, async ({ query }) => await changeMailedNotification(deps, query.key, false)),
    route(
      contract.createDelegation,
      // Who manages may do nearly all that the owner may.
      async ({ actor, body }) => await createDelegation(deps, body.scope === 'manage' ? proven(actor) : signedIn(actor), body),
    ),
    route(contract.listDelegations, async ({ actor, query }) => {
      const found = { direction: query.direction ?? null, ...windowOf(query) }
      const page = await listDelegations(deps, signedIn(actor), found)
      return toPageObject(contract.listDelegations.path, query, page, page.rows)
    }),
    route(contract.endDelegation, async ({ actor, params }) => {
      await endDelegation(deps, signedIn(actor), params.id)
      return done
    }),
    ...groupRoutes(deps),
  ]
}

function groupRoutes(deps: AccountWebDeps): Route[] {
  const { db, clock } = deps
  return [
    route(contract.createGroup, async ({ actor, body }) => await createGroup(deps, signedIn(actor), body.name)),
    route(contract.readGroup, async ({ actor }) => await presentGroup(db, await requireGroup(db, signedIn(actor)), clock.now())),
    route(contract.renameGroup, async ({ actor, body }) => await renameGroup(deps, signedIn(actor), body.name)),
    route(contract.listMembers, async ({ actor, query }) => {
      const { groupId } = await requireManager(db, signedIn(actor))
      const { limit, offset } = windowOf(query)
      const page = await listMembers(db, groupId, limit, offset)
      return toPageObject(contract.listMembers.path, query, page, page.rows.map(presentMember))
    }),
    route(
      contract.changeMember,
      async ({ actor, params, body }) => await changeMember(deps, signedIn(actor), params.id, body.role),
    ),
    route(contract.removeMember, async ({ actor, params }) => {
      await removeMember(deps, signedIn(actor), params.id)
      return done
    }),
    route(contract.leaveGroup, async ({ actor }) => {
      await leaveGroup(deps, signedIn(actor))
      return done
    }),
    route(contract.handOverGroup, async ({ actor, body }) => await handOverGroup(deps, signedIn(actor), body.member_id)),
    route(contract.inviteMember, async ({ actor, body }) => await inviteMember(deps, signedIn(actor), body)),
    route(contract.listInvitations, async ({ actor, query }) => {
      const { groupId } = await requireManager(db, signedIn(actor))
      const page = await listInvitations(db, groupId, clock.now(), windowOf(query))
      return toPageObject(contract.listInvitations.path, query, page, page.rows.map(presentInvitation))
    }),
    route(contract.withdrawInvitation, async ({ actor, params }) => {
      await withdrawInvitation(deps, signedIn(actor), params.id)
      return done
    }),
    route(contract.readInvitation, async ({ body }) => await readInvitation(deps, body.token)),
    route(contract.acceptInvitation, async ({ actor, body }) => await acceptInvitation(deps, signedIn(actor), body.token)),
  ]
}
