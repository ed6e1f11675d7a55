import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isLocale, type Locale } from '../../../../kernel/locale.ts'
import { escapeHtml, html, htmlToString } from '../../../../platform/html/html.ts'
import { createMessages, type Messages } from '../../../../platform/messages/messages.ts'
import { settings } from '../../../../platform/config/settings/settings.ts'
import type { AdminIo, CommandIo } from '../../terminal/command-io.ts'
import { answersOf, askedOf, concernedBy, configOf, faultsOf, followAddress, takeAnswer } from '../answers/take-answers.ts'
import { captureFirst, type CaptureDeps } from '../answers/first-capture.ts'
import { sayFault } from '../answers/say-fault.ts'
import { steps, type Step } from '../answers/steps.ts'
import { trySettings } from '../answers/try-settings.ts'
import { environmentOf, writeSettings } from '../answers/write-settings.ts'
import { createDoors, isMeantForUs } from './doors.ts'
import { frame, firstLeft, input, page, partAfter, parts, pathOf, stepPage, type Progress, type Shown } from './pages.ts'
import { script, style } from './style.ts'

type ServeDeps = CaptureDeps & { readonly createAdministrator: (argv: readonly string[], io: AdminIo) => Promise<number> }
type Asked = {
  readonly port: number
  readonly file: string
  readonly before: Readonly<Record<string, string | undefined>>
  readonly locale: Locale
}

const mostSent = 64 * 1024
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const noTerminal: AdminIo['keyboard'] = process.stdin

/**
 * `probant setup --page`: the set-up in a browser of this machine, opened by a link that is told once and holds once. It listens on the loopback
 * address alone; from elsewhere it is reached through `ssh -L`. Ends when it is told to on its last page, or is interrupted.
 * @returns 0 settings were written, 1 they were not, or the port is another’s
 */
export async function serveSetup(asked: Asked, io: CommandIo, deps: ServeDeps): Promise<number> {
  const doors = createDoors()
  const over = new AbortController()
  const progress: Progress = {
    answers: answersOf(asked.before),
    found: new Map(),
    kept: new Set(),
    isWritten: false,
    administrator: null,
    holds: null,
  }
  let messages = createMessages(asked.locale)
  const server = fastify({ bodyLimit: mostSent, forceCloseConnections: true })
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
  const shownAt = (path: string): Shown => ({ messages, path, progress, file: asked.file })
  server.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers)
    const { host, origin, cookie } = request.headers
    if (!isMeantForUs(host, origin)) return await refuse(reply, messages, shownAt(''))
    const { token, lang } = request.query as { token?: unknown; lang?: unknown }
    if (request.method === 'GET' && typeof token === 'string') {
      const held = doors.exchange(token)
      if (held !== null) return await reply.header('set-cookie', held).redirect('/', 303)
    }
    if (!doors.isOpenTo(cookie) && !/^\/(?:style\.css|setup\.js)$/.test(request.url))
      return await refuse(reply, messages, shownAt(''))
    if (request.method === 'GET' && isLocale(lang)) {
      messages = createMessages(lang)
      return await reply.redirect(request.url.replace(/\?.*$/, ''), 303)
    }
    return undefined
  })
  // What fails is told to whoever sets up, who alone is here: the reason as it is.
  server.setErrorHandler<Error & { statusCode?: number }>(async (error, _request, reply) => {
    const body = html`<p class="wrong" role="alert">✗ ${error.message}</p>
      <p><a href="/">${messages.format('setup.page.back')}</a></p>`
    await sendPage(reply.code(error.statusCode ?? 500), page(shownAt(''), 'setup.page.failed', body))
  })
  server.setNotFoundHandler((_request, reply) => reply.redirect('/', 303))
  const routes = { server, progress, shownAt, messages: () => messages, io, deps, file: asked.file }
  serveFiles(server)
  for (const step of steps) serveStep(routes, step)
  serveWriting(routes)
  serveAdministrator(routes)
  serveFirst(routes)
  server.get('/', (_request, reply) => reply.redirect(firstLeft(progress), 303))
  server.get('/end/', (_request, reply) => sendPage(reply, endPage(shownAt('/end/'))))
  server.post('/end/', async (_request, reply) => {
    await sendPage(reply, page(shownAt(''), 'setup.page.over', html`<p>${messages.format('setup.start')}</p>`))
    over.abort()
  })
  try {
    await server.listen({ host: '127.0.0.1', port: asked.port })
    const { port } = server.server.address() as { port: number }
    io.stderr.write(`${messages.format('setup.page.begin', { link: `http://localhost:${port}/?token=${doors.token}`, port })}\n`)
    const ended = AbortSignal.any([io.signal, over.signal])
    if (!ended.aborted) await once(ended, 'abort')
    return progress.isWritten ? 0 : 1
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    io.stderr.write(`${messages.format('setup.page.port', { port: asked.port })}\n`)
    return 1
  } finally {
    await server.close()
  }
}

type Routes = {
  readonly server: FastifyInstance
  readonly progress: Progress
  readonly shownAt: (path: string) => Shown
  readonly messages: () => Messages
  readonly io: CommandIo
  readonly deps: ServeDeps
  readonly file: string
}

const sendPage = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text)
const refuse = (reply: FastifyReply, messages: Messages, shown: Shown) =>
  sendPage(reply.code(403), page(shown, 'setup.page.closed', html`<p>${messages.format('setup.page.closed.text')}</p>`))
const sent = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()

function serveFiles(server: FastifyInstance): void {
  server.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  server.get('/setup.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
}

function serveStep({ server, progress, shownAt, messages }: Routes, step: Step): void {
  const path = pathOf(step.id)
  server.get(path, (_request, reply) => sendPage(reply, stepPage(shownAt(path), step)))
  server.post(path, async (request, reply) => {
    const form = sent(request)
    const { answers, found, kept } = progress
    // What was tried and does not work, as it was tried.
    if (form.get('keep') === 'yes') {
      kept.add(step.id)
      return await reply.redirect(partAfter(path), 303)
    }
    const typed = Object.fromEntries(form)
    const wasAsked = new Set<string>(askedOf(step, answers).map(({ key }) => key))
    const faults: Record<string, string> = {}
    for (const question of askedOf(step, answers)) {
      const { name, secret } = settings[question.key]
      const given = form.get(name)?.trim() ?? ''
      const isLeft = secret && given === '' && !form.getAll('forget').includes(name)
      const fault = given === '' ? null : takeAnswer(question, given, answers)
      if (fault !== null) faults[name] = sayFault(fault, messages())
      else if (given === '' && !isLeft) answers.delete(name)
    }
    if (step.id === 'address') followAddress(answers)
    found.delete(step.id)
    kept.delete(step.id)
    progress.isWritten = false
    if (Object.keys(faults).length > 0) return await sendPage(reply.code(422), stepPage(shownAt(path), step, typed, faults))
    // What was answered asks for more: that is seen first.
    if (askedOf(step, answers).some(({ key }) => !wasAsked.has(key))) return await reply.redirect(path, 303)
    const config = configOf(answers)
    const recipient = form.get('recipient')?.trim() ?? ''
    found.set(
      step.id,
      config === null
        ? missing(step, answers, messages())
        : await trySettings(step.id, config, {
            messages: messages(),
            askRecipient: async () => await Promise.resolve(recipient),
          }),
    )
    return await reply.redirect(path, 303)
  })
}

/** Why it could not be tried: what of it is missing; what other steps lack is told where all is written. */
function missing(step: Step, answers: Progress['answers'], messages: Messages) {
  const faults = faultsOf(answers).filter((fault) => concernedBy([fault]).includes(step))
  return faults.map((fault) => ({ isRight: false, text: sayFault(fault, messages) }))
}

function serveWriting({ server, progress, shownAt, messages, file }: Routes): void {
  const path = '/write/'
  const show = () => {
    const { answers, isWritten } = progress
    const faults = faultsOf(answers)
    const secrets = new Set(Object.values(settings).flatMap(({ name, secret }) => (secret ? [name] : [])))
    const say = messages()
    return page(
      shownAt(path),
      'setup.page.write',
      html`${
          isWritten
            ? html`<p class="right" role="status">✓ ${say.format('setup.written', { file })}</p>
                <p><a class="button" href="${partAfter(path)}">${say.format('setup.page.next')}</a></p>`
            : null
        }
        ${
          faults.length === 0
            ? null
            : html`<p>${say.format('setup.page.together')}</p>
                <ul class="found">
                  ${faults.map((fault) => html`<li class="wrong">✗ ${sayFault(fault, say)}</li>`)}
                  ${concernedBy(faults).map((step) => html`<li><a href="${pathOf(step.id)}">${say.format(step.title)}</a></li>`)}
                </ul>`
        }
        <p>${say.format('setup.page.write.text', { file })}</p>
        <dl>
          ${[...answers]
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${secrets.has(name) ? '•••' : value}</dd>`,
            )}
        </dl>
        ${
          faults.length > 0 || isWritten
            ? null
            : html`<form method="post" action="${path}"><button>${say.format('setup.page.write.do')}</button></form>`
        }`,
    )
  }
  server.get(path, (_request, reply) => sendPage(reply, show()))
  server.post(path, async (_request, reply) => {
    if (faultsOf(progress.answers).length === 0) {
      await writeSettings(file, progress.answers, messages())
      progress.isWritten = true
    }
    return await reply.redirect(path, 303)
  })
}

function serveAdministrator({ server, progress, shownAt, messages, io, deps }: Routes): void {
  const path = '/administrator/'
  const show = (email: string, said: string) => {
    const say = messages()
    const { administrator } = progress
    return page(
      shownAt(path),
      'setup.administrator',
      html`${said === '' ? null : html`<p class="wrong" role="alert">${said}</p>`}
        ${
          administrator === null
            ? html`<p>${say.format('setup.page.administrator.text')}</p>`
            : html`<p class="right" role="status">✓ ${say.format('identity.command.created', { email: administrator })}</p>
                <p><a class="button" href="${partAfter(path)}">${say.format('setup.page.next')}</a></p>`
        }
        <form method="post" action="${path}" data-busy="${say.format('setup.page.trying')}">
          ${input({ name: 'email', label: say.format('setup.page.email'), type: 'email', value: email })}
          ${input({ name: 'password', label: say.format('setup.page.password'), type: 'password' })}
          ${input({ name: 'again', label: say.format('setup.page.password_again'), type: 'password' })}
          <button class="${administrator === null ? '' : 'quiet'}">${say.format('setup.page.administrator.do')}</button>
        </form>
        ${administrator === null ? html`<p><a href="${partAfter(path)}">${say.format('setup.page.administrator.skip')}</a></p>` : null}`,
    )
  }
  server.get(path, (_request, reply) => sendPage(reply, show('', '')))
  server.post(path, async (request, reply) => {
    const form = sent(request)
    const [email, password] = [form.get('email')?.trim() ?? '', form.get('password') ?? '']
    const say = messages()
    if (!progress.isWritten) return await sendPage(reply.code(422), show(email, say.format('setup.page.first_write')))
    if (password !== form.get('again'))
      return await sendPage(reply.code(422), show(email, say.format('identity.field.password_differs')))
    let said = ''
    const env = { ...environmentOf(io.env, progress.answers), PROBANT_ADMIN_PASSWORD: password }
    const code = await deps.createAdministrator(['create', `--email=${email}`, '--lang', say.locale], {
      stdout: { write: () => true },
      stderr: { write: (text: string) => (said += text) },
      env,
      keyboard: noTerminal,
    })
    if (code !== 0) return await sendPage(reply.code(422), show(email, said.trim()))
    progress.administrator = email
    return await reply.redirect(path, 303)
  })
}

function serveFirst({ server, progress, shownAt, messages, io, deps }: Routes): void {
  const path = '/first/'
  const form = (url: string) => {
    const say = messages()
    return html`<form method="post" action="${path}" data-busy="${say.format('setup.page.trying')}">
        ${input({ name: 'url', label: say.format('setup.page.first'), type: 'url', value: url })}
        <button>${say.format('setup.page.first.do')}</button>
      </form>
      <p><a href="${partAfter(path)}">${say.format('setup.page.first.skip')}</a></p>`
  }
  server.get(path, (_request, reply) => sendPage(reply, page(shownAt(path), 'setup.first', form('https://example.org/'))))
  server.post(path, async (request, reply) => {
    const say = messages()
    const url = sent(request).get('url')?.trim() ?? ''
    if (!progress.isWritten)
      return await sendPage(
        reply.code(422),
        page(
          shownAt(path),
          'setup.first',
          html`<p class="wrong" role="alert">${say.format('setup.page.first_write')}</p>
            ${form(url)}`,
        ),
      )
    const { open, close } = frame(shownAt(path), 'setup.first')
    const told = new PassThrough()
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    // Each line is seen when it is said; whoever leaves ends what is under way.
    const line = { write: (text: string) => told.write(escapeHtml(text)) }
    told.write(`${open}<pre role="log" tabindex="0">`)
    void captureFirst(
      // An option would begin with a hyphen.
      url.replace(/^-+/, ''),
      {
        stdout: { write: () => true },
        stderr: line,
        env: environmentOf(io.env, progress.answers),
        signal: AbortSignal.any([io.signal, gone.signal]),
      },
      say,
      { capture: deps.capture, verify: async (argv, command) => await deps.verify(argv, { ...command, stdout: line }) },
    )
      .catch((error: unknown) => {
        line.write(`${error instanceof Error ? error.message : String(error)}\n`)
        return false
      })
      .then((holds) => {
        progress.holds = holds
        const text = say.format(holds ? 'setup.first.holds' : 'setup.first.fails')
        const after = html`<p class="${holds ? 'right' : 'wrong'}" role="status">${holds ? '✓' : '✗'} ${text}</p>
          ${holds ? html`<p><a class="button" href="${partAfter(path)}">${say.format('setup.page.next')}</a></p>` : form(url)}`
        told.end(`</pre>${htmlToString(after)}${close}`)
      })
    return await reply.type('text/html; charset=utf-8').send(told)
  })
}

function endPage(shown: Shown): string {
  const { messages, progress } = shown
  const left = parts.filter(({ path, isDone }) => path !== shown.path && !isDone(progress))
  return page(
    shown,
    'setup.page.end',
    html`${
        left.length === 0
          ? html`<p class="right">✓ ${messages.format('setup.page.end.all')}</p>`
          : html`<p>${messages.format('setup.page.end.left')}</p>
              <ul>
                ${left.map(({ path, title }) => html`<li><a href="${path}">${messages.format(title)}</a></li>`)}
              </ul>`
      }
      <p>${messages.format(progress.isWritten ? 'setup.start' : 'setup.page.end.unwritten')}</p>
      <form method="post" action="/end/"><button>${messages.format('setup.page.end.do')}</button></form>`,
  )
}
