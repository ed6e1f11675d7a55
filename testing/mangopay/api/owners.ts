import { randomBytes } from 'node:crypto'
import { ApiError, notFound } from '../world/api-error.ts'
import type { IdentityVerification, Ubo, UboDeclaration } from '../world/entities.ts'
import type { Form } from '../world/form.ts'
import type { World } from '../world/world.ts'
import { knowBetter } from './documents.ts'
import { type Call, formOf, List, param, route } from './route.ts'
import { ownerOf } from './users.ts'

const day = 86_400

/** A declaration is answered with its owners in it. */
function shown(world: World, declaration: UboDeclaration): unknown {
  return { ...declaration, Ubos: world.list('ubo').filter(({ DeclarationId }) => DeclarationId === declaration.Id) }
}

function createDeclaration(call: Call): unknown {
  const user = call.world.get('user', param(call, 'user'))
  if (user['LegalPersonType'] !== 'BUSINESS')
    throw new ApiError(400, 'ubo_declaration_not_allowed', 'Only a business declares whose it is')
  const open = call.world.list('uboDeclaration').some(({ UserId, Status }) => UserId === user.Id && Status !== 'REFUSED')
  if (open) throw new ApiError(400, 'ubo_declaration_already_exists', 'There is a declaration of this user that is not refused')
  const made = call.world.add('uboDeclaration', {
    UserId: user.Id,
    Status: 'CREATED',
    Reason: null,
    Message: null,
    ProcessedDate: null,
  })
  call.world.emit('UBO_DECLARATION_CREATED', made.Id)
  return shown(call.world, made)
}

function declarationOf(call: Call): UboDeclaration {
  const declaration = call.world.get('uboDeclaration', param(call, 'declaration'))
  if (declaration.UserId !== param(call, 'user')) throw notFound('UboDeclaration', declaration.Id)
  return declaration
}

function readUbo(form: Form): Record<string, unknown> {
  const place = form.inner('Birthplace')
  return {
    FirstName: form.text('FirstName', { max: 100 }),
    LastName: form.text('LastName', { max: 100 }),
    Address: form.address('Address'),
    Nationality: form.country('Nationality'),
    Birthday: form.instant('Birthday'),
    Birthplace: { City: place.text('City'), Country: place.country('Country') },
  }
}

function openOf(call: Call): UboDeclaration {
  const declaration = declarationOf(call)
  if (declaration.Status !== 'CREATED' && declaration.Status !== 'INCOMPLETE')
    throw new ApiError(400, 'ubo_declaration_submitted', `The declaration is ${declaration.Status}`)
  return declaration
}

function createUbo(call: Call): Ubo {
  const declaration = openOf(call)
  const form = formOf(call)
  const told = readUbo(form)
  if (call.world.list('ubo').filter(({ DeclarationId }) => DeclarationId === declaration.Id).length === 4)
    form.wrong('Ubos', 'A declaration names four persons at most')
  form.check()
  return call.world.add('ubo', { ...told, UserId: declaration.UserId, DeclarationId: declaration.Id, IsActive: true })
}

function uboOf(call: Call): Ubo {
  const ubo = call.world.get('ubo', param(call, 'ubo'))
  if (ubo.DeclarationId !== declarationOf(call).Id) throw notFound('Ubo', ubo.Id)
  return ubo
}

function saveUbo(call: Call): Ubo {
  openOf(call)
  const ubo = uboOf(call)
  const form = formOf({ ...call, body: { ...ubo, ...call.body } })
  const told = readUbo(form)
  form.check()
  return Object.assign(ubo, told, { IsActive: call.body['IsActive'] !== false })
}

function submitDeclaration(call: Call): unknown {
  const declaration = openOf(call)
  const form = formOf(call)
  form.oneOf('Status', ['VALIDATION_ASKED'])
  if (!call.world.list('ubo').some(({ DeclarationId }) => DeclarationId === declaration.Id))
    form.wrong('Ubos', 'The declaration names nobody')
  form.check()
  declaration.Status = 'VALIDATION_ASKED'
  call.world.emit('UBO_DECLARATION_VALIDATION_ASKED', declaration.Id)
  call.world.later(day, 'declaration-looked-at', declaration.Id)
  return shown(call.world, declaration)
}

export function decideDeclaration(world: World, declaration: UboDeclaration, refusal: string | null): void {
  if (declaration.Status !== 'VALIDATION_ASKED') return
  Object.assign(declaration, {
    Status: refusal === null ? 'VALIDATED' : 'REFUSED',
    Reason: refusal,
    Message: refusal === null ? null : `Refused: ${refusal}`,
    ProcessedDate: world.now(),
  })
  world.emit(`UBO_DECLARATION_${declaration.Status}`, declaration.Id)
  knowBetter(world, world.get('user', declaration.UserId))
}

export function lookAtDeclaration(world: World, id: string): void {
  decideDeclaration(world, world.get('uboDeclaration', id), null)
}

/** The newer way to be known: a page of the provider's where the user shows who he is. */
function createVerification(call: Call): IdentityVerification {
  const user = ownerOf(call.world, param(call, 'user'))
  const form = formOf(call)
  const ReturnUrl = form.url('ReturnUrl')
  const Tag = form.tag()
  form.check()
  const token = randomBytes(16).toString('hex')
  const made = call.world.add('identityVerification', {
    Tag,
    UserId: user.Id,
    Status: 'PENDING',
    HostedUrl: `${call.world.origin}/idv/${token}`,
    ReturnUrl,
    LastUpdate: call.world.now(),
    Checks: [],
  })
  call.world.hide(`idv:${token}`, { verification: made.Id })
  call.world.later(7 * day, 'verification-missed', made.Id)
  call.world.emit('IDENTITY_VERIFICATION_PENDING', made.Id)
  return made
}

export function answerVerification(world: World, verification: IdentityVerification, passed: boolean): void {
  if (verification.Status !== 'PENDING') return
  const reasons = passed ? [] : [{ Type: 'DOCUMENT_DO_NOT_MATCH_USER_DATA', Value: 'The document names somebody else' }]
  Object.assign(verification, {
    Status: passed ? 'VALIDATED' : 'REFUSED',
    LastUpdate: world.now(),
    Checks: [
      {
        CheckId: `${verification.Id}-1`,
        Type: 'IDENTITY_DOCUMENT_VERIFICATION',
        CheckStatus: passed ? 'VALIDATED' : 'REFUSED',
        Reasons: reasons,
      },
    ],
  })
  world.emit(passed ? 'IDENTITY_VERIFICATION_VALIDATED' : 'IDENTITY_VERIFICATION_FAILED', verification.Id)
  knowBetter(world, world.get('user', verification.UserId))
}

export function missVerification(world: World, id: string): void {
  const verification = world.get('identityVerification', id)
  if (verification.Status !== 'PENDING') return
  Object.assign(verification, { Status: 'TIMEOUT', LastUpdate: world.now() })
  world.emit('IDENTITY_VERIFICATION_TIMEOUT', id)
}

export const ownerRoutes = [
  route('POST users/:user/kyc/ubodeclarations', createDeclaration),
  route('GET users/:user/kyc/ubodeclarations', ({ world, params }) => {
    const mine = world.list('uboDeclaration').filter(({ UserId }) => UserId === params['user'])
    return mine.map((one) => shown(world, one))
  }),
  route('GET users/:user/kyc/ubodeclarations/:declaration', (call) => shown(call.world, declarationOf(call))),
  route('PUT users/:user/kyc/ubodeclarations/:declaration', submitDeclaration),
  route('GET kyc/ubodeclarations/:declaration', (call) =>
    shown(call.world, call.world.get('uboDeclaration', param(call, 'declaration'))),
  ),
  route('POST users/:user/kyc/ubodeclarations/:declaration/ubos', createUbo),
  route('GET users/:user/kyc/ubodeclarations/:declaration/ubos/:ubo', uboOf),
  route('PUT users/:user/kyc/ubodeclarations/:declaration/ubos/:ubo', saveUbo),
  route('POST users/:user/identity-verifications', createVerification),
  route('GET users/:user/identity-verifications', ({ world, params }) => {
    return new List(world.list('identityVerification').filter(({ UserId }) => UserId === params['user']))
  }),
  route('GET identity-verifications/:id', (call) => call.world.get('identityVerification', param(call, 'id'))),
]
