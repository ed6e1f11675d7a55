import { html } from '../../../platform/html/html.ts'
import { answerRecipient } from '../api/bank-accounts.ts'
import { answerCardholder, askCardholder, judgeAmount, judgeCard, needsCardholder, returnWith } from '../api/card-pay-ins.ts'
import { addCard, tokenise } from '../api/cards.ts'
import { confirmMandate, failMandate } from '../api/mandates.ts'
import { answerVerification } from '../api/owners.ts'
import type { Answer } from '../api/route.ts'
import { finish } from '../world/transactions.ts'
import { isExpired, passesLuhn } from '../world/test-cards.ts'
import type { Transaction } from '../world/entities.ts'
import type { World } from '../world/world.ts'
import { cardForm } from './card-form.ts'
import { type Asked, facts, page, question } from './layout.ts'
import { amountIn, say, type WordId } from './words.ts'

type Page = (world: World, token: string, asked: Asked) => Answer

const shown = (text: string, status = 200): Answer => ({
  status,
  body: text,
  headers: { 'content-type': 'text/html; charset=utf-8' },
})
const away = (to: string): Answer => ({ status: 303, headers: { location: to } })

function missing(asked: Asked): Answer {
  return shown(page(asked, 'missing', html`<p>${say(asked.language, 'missingText')}</p>`), 404)
}

function ended(asked: Asked, back: string | null): Answer {
  const link = back === null ? null : html`<p><a href="${back}">${say(asked.language, 'back')}</a></p>`
  return shown(
    page(
      asked,
      'ended',
      html`<p>${say(asked.language, 'endedText')}</p>
        ${link}`,
    ),
  )
}

function amountOf(asked: Asked, { DebitedFunds }: Transaction): readonly [WordId, string] {
  return ['amount', amountIn(asked.language, DebitedFunds.Amount, DebitedFunds.Currency)]
}

/** The page of the cardholder's bank. */
const secure: Page = (world, token, asked) => {
  const payIn = world.find('transaction', world.hidden(`3ds:${token}`)['payIn'])
  if (payIn === undefined) return missing(asked)
  const back = returnWith(String(payIn['SecureModeReturnURL'] ?? payIn['ReturnURL']), 'transactionId', payIn.Id)
  if (payIn.Status !== 'CREATED') return ended(asked, back)
  if (asked.fields !== undefined) {
    answerCardholder(world, payIn, asked.fields.get('answer') === 'agree')
    return away(back)
  }
  const card = world.get('card', String(payIn['CardId']))
  return shown(
    question(asked, 'secure', 'secureAgree', 'secureRefuse', facts(asked, [amountOf(asked, payIn), ['card', card.Alias]])),
  )
}

/** A card of a payment that is made on the provider's page. */
const pay: Page = (world, token, asked) => {
  const payIn = world.find('transaction', world.hidden(`pay:${token}`)['payIn'])
  if (payIn === undefined) return missing(asked)
  if (payIn.Status !== 'CREATED') return ended(asked, String(payIn['ReturnURL']))
  const told = [amountOf(asked, payIn)]
  if (asked.fields === undefined) return shown(cardForm(asked, 'pay', told, undefined))
  const number = (asked.fields.get('cardNumber') ?? '').replaceAll(' ', '')
  const expiry = asked.fields.get('cardExpirationDate') ?? ''
  const error = mistakeOf(world, number, expiry, asked.fields.get('cardCvx') ?? '')
  if (error !== undefined) return shown(cardForm(asked, 'pay', told, error), 422)
  const { AuthorId, DebitedFunds, Fees, Tag } = payIn
  const card = addCard(
    world,
    { UserId: AuthorId, Currency: DebitedFunds.Currency, CardType: String(payIn['CardType']), Tag },
    number,
    expiry,
    null,
  )
  payIn['CardId'] = card.Id
  const byAmount = judgeAmount(DebitedFunds, Fees)
  if (byAmount === null && needsCardholder(world, card, String(payIn['SecureMode']))) {
    askCardholder(world, payIn, judgeCard(world, card, DebitedFunds))
    return away(String(payIn['SecureModeRedirectURL']))
  }
  finish(world, payIn, byAmount ?? judgeCard(world, card, DebitedFunds))
  return away(String(payIn['ReturnURL']))
}

function mistakeOf(world: World, number: string, expiry: string, cvx: string): string | undefined {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return '02625'
  if (!/^(?:0[1-9]|1[0-2])\d{2}$/.test(expiry)) return '02626'
  if (isExpired(expiry, world.now())) return '02624'
  return /^\d{3,4}$/.test(cvx) ? undefined : '02627'
}

/** Where card data are exchanged for a token: posted to by a page of the merchant, or filled in here and sent back to it. */
const getToken: Page = (world, _, asked) => {
  const open = { 'access-control-allow-origin': '*', 'content-type': 'text/plain; charset=utf-8' }
  const query = asked.url.searchParams
  if (asked.fields === undefined) return shown(cardForm(asked, 'register', [], undefined))
  const fields = new URLSearchParams([...query, ...asked.fields])
  const answer = tokenise(world, fields)
  const back = query.get('returnURL')
  if (back === null || !URL.canParse(back)) return { status: 200, body: answer, headers: open }
  const error = /^errorCode=(0262\d)$/.exec(answer)?.[1]
  if (error !== undefined) return shown(cardForm(asked, 'register', [], error), 422)
  const [name = '', value = ''] = answer.split('=')
  return away(returnWith(back, name, value))
}

const mandate: Page = (world, token, asked) => {
  const found = world.find('mandate', world.hidden(`mandate:${token}`)['mandate'])
  if (found === undefined) return missing(asked)
  if (found.Status !== 'CREATED') return ended(asked, found.ReturnURL)
  if (asked.fields !== undefined) {
    if (asked.fields.get('answer') === 'agree') confirmMandate(world, found)
    else failMandate(world, found, '001805')
    return away(found.ReturnURL)
  }
  const told = html`<p>${say(asked.language, 'mandateText')}</p>
    ${facts(asked, accountFacts(world, found.BankAccountId))}`
  return shown(question(asked, 'mandate', 'mandateAgree', 'mandateRefuse', told))
}

const mandateDocument: Page = (world, token, asked) => {
  const found = world.find('mandate', world.hidden(`mandate:${token}`)['mandate'])
  if (found === undefined) return missing(asked)
  const told = facts(asked, [...accountFacts(world, found.BankAccountId), ['reference', found.BankReference ?? '—']])
  return shown(
    page(
      asked,
      'document',
      html`<p>${say(asked.language, 'mandateText')}</p>
        ${told}`,
    ),
  )
}

function accountFacts(world: World, id: string): readonly (readonly [WordId, string])[] {
  const account = world.get('bankAccount', id)
  return [
    ['holder', account.OwnerName],
    ['account', String(account['IBAN'] ?? account['AccountNumber'])],
  ]
}

const recipient: Page = (world, token, asked) => {
  const found = world.find('recipient', world.hidden(`sca:${token}`)['recipient'])
  if (found === undefined) return missing(asked)
  const back = asked.url.searchParams.get('returnUrl')
  if (found.Status !== 'PENDING') return ended(asked, back)
  if (asked.fields === undefined)
    return shown(
      question(
        asked,
        'recipient',
        'recipientAgree',
        'recipientRefuse',
        facts(asked, [['account', String(found['DisplayName'])]]),
      ),
    )
  answerRecipient(world, found, asked.fields.get('answer') === 'agree')
  return back !== null && URL.canParse(back) ? away(back) : ended(asked, null)
}

const identity: Page = (world, token, asked) => {
  const found = world.find('identityVerification', world.hidden(`idv:${token}`)['verification'])
  if (found === undefined) return missing(asked)
  if (found.Status !== 'PENDING') return ended(asked, found.ReturnUrl)
  if (asked.fields === undefined)
    return shown(
      question(asked, 'identity', 'identityAgree', 'identityRefuse', html`<p>${say(asked.language, 'identityText')}</p>`),
    )
  answerVerification(world, found, asked.fields.get('answer') === 'agree')
  return away(found.ReturnUrl)
}

const pages: readonly (readonly [RegExp, Page])[] = [
  [/^\/webpayment\/(getToken)$/, getToken],
  [/^\/3ds\/([0-9a-f]{32})$/, secure],
  [/^\/pay\/([0-9a-f]{32})$/, pay],
  [/^\/mandates\/([0-9a-f]{32})\/confirmation$/, mandate],
  [/^\/mandates\/([0-9a-f]{32})\/document$/, mandateDocument],
  [/^\/sca\/([0-9a-f]{32})$/, recipient],
  [/^\/idv\/([0-9a-f]{32})$/, identity],
]

export function answerPage(world: World, asked: Asked): Answer {
  for (const [pattern, answer] of pages) {
    const match = pattern.exec(asked.url.pathname)
    if (match !== null) return answer(world, match[1] ?? '', asked)
  }
  return missing(asked)
}
