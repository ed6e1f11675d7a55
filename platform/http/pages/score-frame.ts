import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../html/html.ts'
import { scorePolicy } from '../answer/security-headers.ts'

/** Who scores visitors: his script, what it is told, and what it may load besides. */
export type ScoreFrame = {
  readonly siteKey: string
  readonly script: string
  readonly sources: readonly string[]
  /** What the score is asked for, which the answer must name again. */
  readonly action: string
}

export const scoreFramePath = '/_services/score/'

/** Tells the page that opened it the token, or null where there is none. */
const code = `const {siteKey,action}=JSON.parse(document.querySelector('meta[name=score]').content)
const tell=(token)=>parent.postMessage({score:typeof token==='string'?token:null},location.origin)
if(typeof grecaptcha==='undefined')tell(null)
else grecaptcha.ready(()=>grecaptcha.execute(siteKey,{action}).then(tell,()=>tell(null)))`

/**
 * The frame in which a script of others runs for the moment of a score: no page of ours ever has it (decision 0433). Its protocol is that of
 * reCAPTCHA version 3: `api.js?render=KEY`, `grecaptcha.ready`, `grecaptcha.execute`.
 */
export function registerScoreFrame(app: FastifyInstance, { siteKey, script, sources, action }: ScoreFrame): void {
  const address = new URL(script)
  address.searchParams.set('render', siteKey)
  app.get(scoreFramePath, { config: { access: ['page'] } }, async (_, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const told = escapeHtml(JSON.stringify({ siteKey, action }))
    return await reply
      .headers({ 'content-security-policy': scorePolicy(nonce, sources), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="score" content="${told}">` +
          `<script nonce="${nonce}" src="${escapeHtml(address.href)}"></script><script nonce="${nonce}">${code}</script>`,
      )
  })
}
